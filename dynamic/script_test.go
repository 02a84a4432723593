package dynamic

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A block of a script: a directive, or a request and what its answer must be
// like.
type block struct {
	where   string
	request string
	headers []string
	body    []string
	status  string
	expect  []string
}

// TestRequestScripts runs testdata/requests/*.txt, each against a whole server
// of its own, with the clock of the test. A script is made of blocks:
//
//	# what it proves
//	POST /address below /api/v1/marketplace, or * and any other path
//	Request-Header: value
//	> body, and >q for one in Go's quotes
//	=> 200, or 200 soon: it is sent until that is the answer
//	Header: value, or ~ pattern, or none
//	body: fragment
//	not: fragment
//	json member: value or ~ pattern
//	save name: member
//	keep name                    keeps the whole answer
//	same name                    but for its time and number it is that answer
//
// {name} stands for what was saved, {token of name} for the token in the mail
// about the request of that id. A block of one line that begins with $ does
// something between the requests: see direct. A script that begins with
// "$ each name: a | b" runs once with each of the values.
func TestRequestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/requests/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		blocks := readBlocks(t, file)
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		each, found := strings.CutPrefix(blocks[0].request, "$ each ")
		if !found {
			t.Run(name, func(t *testing.T) { playScript(t, blocks, nil) })
			continue
		}
		variable, values, _ := strings.Cut(each, ": ")
		for i, value := range strings.Split(values, " | ") {
			t.Run(fmt.Sprint(name, "-", i+1), func(t *testing.T) {
				playScript(t, blocks[1:], map[string]string{variable: value})
			})
		}
	}
}

func readBlocks(t *testing.T, file string) (all []block) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for i, line := range strings.Split(string(data), "\n") {
		open = open && line != "" && !strings.HasPrefix(line, "$ ")
		if !open && line != "" && line[0] != '#' {
			all = append(all, block{where: fmt.Sprintf("%s:%d: %s", file, i+1, line), request: line})
			open = true
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		switch b := &all[len(all)-1]; {
		case strings.HasPrefix(line, "=> "):
			b.status = strings.TrimPrefix(line, "=> ")
		case line[0] == '>':
			b.body = append(b.body, line[1:])
		case b.status == "":
			b.headers = append(b.headers, line)
		default:
			b.expect = append(b.expect, line)
		}
	}
	return all
}

// A play is a script on its way.
type play struct {
	*house
	clock *handClock
	saved map[string]string
	kept  map[string]string
	// opened: the server runs.
	opened bool
}

func playScript(t *testing.T, blocks []block, saved map[string]string) {
	p := &play{house: newHouse(t), clock: handSet(), saved: map[string]string{}, kept: map[string]string{}}
	p.Config.Build.Clock = p.clock.Now
	p.fillMarket()
	for name, value := range saved {
		p.saved[name] = value
	}
	for _, b := range blocks {
		if directive, ok := strings.CutPrefix(b.request, "$ "); ok {
			p.direct(p.fill(directive))
			continue
		}
		if !p.opened {
			p.open()
			p.opened = true
		}
		status, soon := strings.CutSuffix(b.status, " soon")
		b.status = status
		a := p.send(b)
		for deadline := time.Now().Add(20 * time.Second); soon && !matches(fmt.Sprint(a.status), status) && time.Now().Before(deadline); {
			a = p.send(b)
		}
		p.check(b, a)
	}
}

var variable = regexp.MustCompile(`\{(token of )?([a-zA-Z0-9-]+)\}`)

// fill puts in what was saved, and tokens.
func (p *play) fill(text string) string {
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		parts := variable.FindStringSubmatch(found)
		value, known := p.saved[parts[2]]
		switch {
		case known && parts[1] != "":
			return p.mailed(value).token
		case known:
			return value
		}
		return found
	})
}

// send writes the request by hand, as it stands.
func (p *play) send(b block) answered {
	p.Helper()
	method, path, _ := strings.Cut(p.fill(b.request), " ")
	path, absolute := strings.CutPrefix(path, "*")
	if !absolute {
		path = "/api/v1/marketplace" + path
	}
	lines := []string{method + " " + path + " HTTP/1.1", "Host: market.example", "Connection: close"}
	chunked := false
	for _, header := range b.headers {
		chunked = chunked || header == "Transfer-Encoding: chunked"
		lines = append(lines, p.fill(header))
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
	return exchange(p, strings.Join(lines, "\r\n")+"\r\n\r\n"+wire.String(), method)
}

// exchange sends what stands on the wire and reads the answer.
func exchange(p *play, wire, method string) answered {
	p.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
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
	return answered{response.StatusCode, response.Header, string(text)}
}

// body returns that of a request; "@n" is one of n bytes that is otherwise right.
func (p *play) body(b block) string {
	p.Helper()
	var lines []string
	for _, line := range b.body {
		if quoted, ok := strings.CutPrefix(line, "q "); ok {
			text, err := strconv.Unquote(quoted)
			if err != nil {
				p.Fatalf("%s: %v", b.where, err)
			}
			lines = append(lines, text)
			continue
		}
		lines = append(lines, p.fill(strings.TrimPrefix(line, " ")))
	}
	body := strings.Join(lines, "\n")
	if size, ok := strings.CutPrefix(body, "@"); ok {
		n, err := strconv.Atoi(size)
		if err != nil {
			p.Fatalf("%s: %v", b.where, err)
		}
		const head, tail = `{"token":"`, `"}`
		return head + strings.Repeat("x", n-len(head)-len(tail)) + tail
	}
	return body
}
