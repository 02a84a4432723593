package web_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A scripted request and what its answer must be like.
type scripted struct {
	line    int
	request string
	headers []string
	status  string
	expect  []string
}

// TestRequestScripts runs testdata/*.txt against a release in which left-inc
// was removed. A script is made of blocks:
//
//	# what it proves
//	GET /address
//	Request-Header: value
//	=> 200
//	Header: value
//	Header: ~ pattern
//	Header: none
//	body: fragment
//	body: empty
//	not: fragment
//
// {media} stands for the address of the picture, {etag} for the ETag of the
// answer before. Requests go over the wire as they stand.
func TestRequestScripts(t *testing.T) {
	m := newMarket(t)
	m.removeLeftInc()
	server := serve(t, m.builder.Tree(), io.Discard)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".txt"), func(t *testing.T) {
			etag := ""
			for _, s := range readScript(t, script) {
				fill := strings.NewReplacer("{media}", m.media(), "{etag}", etag).Replace
				answer := s.send(t, address.Host, fill)
				where := fmt.Sprintf("%s:%d: %s", script, s.line, s.request)
				s.check(t, where, answer, fill)
				etag = answer.Header.Get("ETag")
			}
		})
	}
}

func readScript(t *testing.T, file string) (all []scripted) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "":
			open = false
		case !open:
			all = append(all, scripted{line: i + 1, request: line})
			open = true
		case strings.HasPrefix(line, "=> "):
			all[len(all)-1].status = strings.TrimPrefix(line, "=> ")
		case all[len(all)-1].status == "":
			all[len(all)-1].headers = append(all[len(all)-1].headers, line)
		default:
			all[len(all)-1].expect = append(all[len(all)-1].expect, line)
		}
	}
	return all
}

type answer struct {
	*http.Response
	body string
}

// send writes the request by hand: a client would mend its address.
func (s scripted) send(t *testing.T, host string, fill func(string) string) answer {
	t.Helper()
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	lines := append([]string{fill(s.request) + " HTTP/1.1", "Host: market.example", "Connection: close"}, s.headers...)
	if _, err := io.WriteString(conn, fill(strings.Join(lines, "\r\n"))+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(s.request, " ")
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%d: %v", s.line, err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%d: %v", s.line, err)
	}
	return answer{response, string(body)}
}

func (s scripted) check(t *testing.T, where string, a answer, fill func(string) string) {
	t.Helper()
	if got := fmt.Sprint(a.StatusCode); got != s.status {
		t.Errorf("%s: status %s, want %s\n%s", where, got, s.status, a.body)
	}
	for _, line := range s.expect {
		name, want, _ := strings.Cut(fill(line), ": ")
		got := strings.Join(a.Header.Values(name), ", ")
		pattern, isPattern := strings.CutPrefix(want, "~ ")
		ok := got == want
		switch {
		case name == "body" && want == "empty":
			got, ok = a.body, a.body == ""
		case name == "body":
			got, ok = a.body, strings.Contains(a.body, want)
		case name == "not":
			got, ok = a.body, !strings.Contains(a.body, want)
		case want == "none":
			ok = got == ""
		case isPattern:
			ok = regexp.MustCompile("^(" + pattern + ")$").MatchString(got)
		}
		if !ok {
			t.Errorf("%s:\n-want %s\n+got  %s: %s", where, line, name, got)
		}
	}
	if got := a.Header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("%s: Access-Control-Allow-Origin is %q", where, got)
	}
	if got := a.Header.Get("Location"); got != "" {
		t.Errorf("%s: a redirect to %s", where, got)
	}
}
