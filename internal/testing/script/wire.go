package script

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"slices"
	"strconv"
	"strings"
)

// An Answer is an answer with its whole body.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Value returns a member of the JSON, by its path with dots.
func (a Answer) Value(path string) string {
	var value any
	if json.Unmarshal([]byte(a.Body), &value) != nil {
		return ""
	}
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		value = object[name]
	}
	return fmt.Sprint(value)
}

// Told is the whole answer but for what tells two answers apart.
func (a Answer) Told() string {
	lines := []string{fmt.Sprint(a.Status)}
	for name, values := range a.Header {
		if name != "Date" && name != "X-Request-Id" {
			lines = append(lines, name+": "+strings.Join(values, ", "))
		}
	}
	slices.Sort(lines[1:])
	return strings.Join(append(lines, "", a.Body), "\n")
}

// send writes the request by hand, as it stands.
func (p *Player) send(b Block) Answer {
	p.Helper()
	method, path, _ := strings.Cut(p.Fill(b.Request), " ")
	path, absolute := strings.CutPrefix(path, "*")
	if !absolute {
		path = p.Below + path
	}
	lines := []string{method + " " + path + " HTTP/1.1", "Host: market.example", "Connection: close"}
	chunked := false
	for _, header := range b.headers {
		chunked = chunked || header == "Transfer-Encoding: chunked"
		lines = append(lines, p.Fill(header))
	}
	body := p.body(b)
	var wire strings.Builder
	switch {
	case chunked:
		chunks := httputil.NewChunkedWriter(&wire)
		for part := range slices.Chunk([]byte(body), 1000) {
			if _, err := chunks.Write(part); err != nil {
				p.Fatal(err)
			}
		}
		if err := chunks.Close(); err != nil {
			p.Fatal(err)
		}
		wire.WriteString("\r\n")
	case method == http.MethodPost:
		lines = append(lines, "Content-Length: "+strconv.Itoa(len(body)))
		fallthrough
	default:
		wire.WriteString(body)
	}
	return p.exchange(strings.Join(lines, "\r\n")+"\r\n\r\n"+wire.String(), method)
}

// exchange sends what stands on the wire and reads the answer.
func (p *Player) exchange(wire, method string) Answer {
	p.Helper()
	conn, err := net.Dial("tcp", p.Host)
	if err != nil {
		p.Fatal(err)
	}
	defer conn.Close()
	// What is refused before its body was read may break the connection.
	_, _ = io.WriteString(conn, wire)
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		p.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.Fatal(err)
	}
	return Answer{response.StatusCode, response.Header, string(text)}
}

// body returns that of a request; "@n" is one of n bytes that is otherwise right.
func (p *Player) body(b Block) string {
	p.Helper()
	var lines []string
	for _, line := range b.body {
		if quoted, ok := strings.CutPrefix(line, "q "); ok {
			text, err := strconv.Unquote(quoted)
			if err != nil {
				p.Fatalf("%s: %v", b.Where, err)
			}
			lines = append(lines, text)
			continue
		}
		lines = append(lines, p.Fill(strings.TrimPrefix(line, " ")))
	}
	body := strings.Join(lines, "\n")
	if size, ok := strings.CutPrefix(body, "@"); ok {
		n, err := strconv.Atoi(size)
		if err != nil {
			p.Fatalf("%s: %v", b.Where, err)
		}
		const head, tail = `{"token":"`, `"}`
		return head + strings.Repeat("x", n-len(head)-len(tail)) + tail
	}
	return body
}
