//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A server is `souk serve` as a process of its own.
type server struct {
	*testing.T
	installation
	cmd    *exec.Cmd
	base   string
	client http.Client
	// said is what it wrote to stderr.
	said *lines
	// ended is closed once the process has.
	ended chan struct{}
}

// lines is a text that is read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.WriteString(line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// house returns the folders of an installation with content; program is built
// once by the caller.
func house(t *testing.T, program string, files map[string]string) installation {
	t.Helper()
	dir := t.TempDir()
	i := installation{program, filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")}
	write(t, i.content, files)
	return i
}

// serve starts the server and returns as soon as it says that it serves.
func (i installation) serve(t *testing.T, more ...string) *server {
	t.Helper()
	return i.serveWith(t, append(i.args()[1:], more...)...)
}

// serveWith is serve with these flags alone.
func (i installation) serveWith(t *testing.T, flags ...string) *server {
	t.Helper()
	s := &server{T: t, installation: i, said: &lines{}, ended: make(chan struct{}), client: http.Client{Timeout: 90 * time.Second, Transport: &http.Transport{}}}
	s.cmd = exec.Command(i.program, append([]string{"serve", "--listen", "127.0.0.1:0", "--no-rate-limit"}, flags...)...)
	pipe, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	serving := make(chan string, 1)
	go func() {
		defer close(s.ended)
		defer close(serving)
		for read := bufio.NewReader(pipe); ; {
			line, err := read.ReadString('\n')
			s.said.add(line)
			if rest, ok := strings.CutPrefix(line, "souk: serving "); ok {
				serving <- strings.Fields(rest)[0]
			}
			if err != nil {
				_ = s.cmd.Wait() // how it ended is the test's to say
				return
			}
		}
	}()
	base, ok := <-serving
	if !ok {
		t.Fatalf("the server ended before it served:\n%s", s.said)
	}
	s.base = base + "/api/v1/marketplace"
	return s
}

// kill is a failure at this instant; it returns once nothing of the process is
// left.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may have ended by itself
	<-s.ended
	s.client.CloseIdleConnections()
}

// stop ends the server as an operator does.
func (s *server) stop() {
	s.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.Fatal(err)
	}
	<-s.ended
	if code := s.cmd.ProcessState.ExitCode(); code != exitDone {
		s.Errorf("the server ended with %d:\n%s", code, s.said)
	}
}

// An answer is what a request came to; without a status there was none.
type answer struct {
	status int
	body   string
	header http.Header
}

func (a answer) String() string { return fmt.Sprintf("%d %s", a.status, a.body) }

// field returns a text of the body.
func (a answer) field(t *testing.T, name string) string {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(a.body), &fields); err != nil {
		t.Fatalf("%v: %s", err, a)
	}
	text, _ := fields[name].(string)
	return text
}

// ask sends a request; an answer that does not come whole is none.
func (s *server) ask(method, address, body string, header ...string) answer {
	s.Helper()
	if !strings.HasPrefix(address, "http") {
		address = s.base + address
	}
	r, err := http.NewRequestWithContext(s.Context(), method, address, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for pair := range slices.Chunk(header, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	response, err := s.client.Do(r)
	if err != nil {
		return answer{}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}
	}
	return answer{response.StatusCode, string(text), response.Header}
}

func (s *server) get(address string) answer { return s.ask(http.MethodGet, address, "") }

// health asks the server how it is.
func (s *server) health() (status int, checks map[string]string) {
	s.Helper()
	a := s.get(strings.TrimSuffix(s.base, "/api/v1/marketplace") + "/health")
	var h struct{ Checks map[string]string }
	if err := json.Unmarshal([]byte(a.body), &h); err != nil {
		s.Fatalf("%v: %s\n%s", err, a, s.said)
	}
	return a.status, h.Checks
}

// start begins a removal or a claim.
func (s *server) start(flow, slug string) answer {
	return s.ask(http.MethodPost, "/companies/"+slug+"/"+flow,
		fmt.Sprintf(`{"requesterName":"Jane Doe","requesterEmail":"jane@%s.example"}`, slug))
}

// patient asks again while a server on PostgreSQL has no lease, as on a busy machine.
func (s *server) patient(ask func() answer) (a answer) {
	s.Helper()
	until(s.T, "it is answered", func() bool {
		a = ask()
		return a.status != http.StatusServiceUnavailable
	})
	return a
}

// begin starts a removal that has to be taken, and gives what proves it.
func (s *server) begin(slug string) (id, token string) {
	s.Helper()
	a := s.patient(func() answer { return s.start("removal-requests", slug) })
	if a.status != http.StatusAccepted {
		s.Fatalf("a removal of %s is not taken: %s\n%s", slug, a, s.said)
	}
	id = a.field(s.T, "requestId")
	return id, s.token(id)
}

// token reads a token out of the mail that the server writes.
func (s *server) token(id string) (token string) {
	s.Helper()
	until(s.T, "the mail with the link is written", func() bool {
		token = mailed(s.T, s.state, id)
		return token != ""
	})
	return token
}

// mailed returns the token of the last mail with the link of a request, or "".
func mailed(t *testing.T, state, id string) (token string) {
	t.Helper()
	mails, err := filepath.Glob(filepath.Join(state, "mail", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`#id=` + regexp.QuoteMeta(id) + `&token=([A-Za-z0-9_-]+)`)
	for _, file := range mails {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := link.FindSubmatch(text); found != nil {
			token = string(found[1])
		}
	}
	return token
}

// verify proves a removal.
func (s *server) verify(id, token string) answer {
	return s.ask(http.MethodPost, "/company-removal-requests/"+id+"/verify", `{"token":"`+token+`"}`)
}

// until asks again until something holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for again := time.NewTicker(2 * time.Millisecond); !holds(); <-again.C {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain until " + what)
		}
	}
}

// addresses returns those of a seller in a release, below /marketplace.
func addresses(release tree, slug string) (list []string) {
	const below = "api/v1/marketplace"
	for name := range release {
		address, ok := strings.CutSuffix(strings.TrimPrefix(name, below), ".json")
		if company := "/companies/" + slug; ok && strings.HasPrefix(name, below) && (address == company || strings.HasPrefix(address, company+"/")) {
			list = append(list, address)
		}
	}
	slices.Sort(list)
	return list
}

// wantGone fails where any address of a removed seller answers other than 410,
// or search still finds it.
func (s *server) wantGone(slug string, addresses []string) {
	s.Helper()
	for _, address := range addresses {
		if a := s.patient(func() answer { return s.get(address) }); a.status != http.StatusGone {
			s.Fatalf("%s answers %s although %s is removed\n%s", address, a, slug, s.said)
		}
	}
	for _, query := range []string{"/listings/search?limit=100", "/listings/search?q=" + slug, "/search/suggestions?q=" + slug} {
		if a := s.patient(func() answer { return s.get(query) }); a.status != http.StatusOK || strings.Contains(a.body, `companies/`+slug+`"`) || strings.Contains(a.body, `companies/`+slug+`/`) {
			s.Fatalf("%s answers %s although %s is removed", query, a, slug)
		}
	}
}
