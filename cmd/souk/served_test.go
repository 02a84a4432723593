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

// server is `souk serve` in a separate process.
type server struct {
	*testing.T
	installation
	cmd    *exec.Cmd
	base   string
	client http.Client
	// said is its output on stderr.
	said *lines
	// ended is closed once the process has exited.
	ended chan struct{}
}

// lines is a text that can be read while it is written.
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

// house returns an installation with the given content in new folders.
func house(t *testing.T, program string, files map[string]string) installation {
	t.Helper()
	dir := t.TempDir()
	i := installation{program, filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")}
	write(t, i.content, files)
	return i
}

// serve starts the server and returns once it reports that it serves.
func (i installation) serve(t *testing.T, more ...string) *server {
	t.Helper()
	return i.serveWith(t, append(i.args()[1:], more...)...)
}

// serveWith is like serve, but only with the given flags.
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
				_ = s.cmd.Wait() // the test checks how it ended
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

// kill kills the process and returns once it has exited.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may have exited
	<-s.ended
	s.client.CloseIdleConnections()
}

// stop interrupts the server, as an operator does, and checks its exit code.
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

// answer is the answer to a request. Its status is 0 if there was none.
type answer struct {
	status int
	body   string
	header http.Header
}

func (a answer) String() string { return fmt.Sprintf("%d %s", a.status, a.body) }

// field returns a string in the body.
func (a answer) field(t *testing.T, name string) string {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(a.body), &fields); err != nil {
		t.Fatalf("%v: %s", err, a)
	}
	text, _ := fields[name].(string)
	return text
}

// ask sends a request. An incomplete answer counts as none.
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

// health requests the server's health.
func (s *server) health() (status int, checks map[string]string) {
	s.Helper()
	a := s.get(strings.TrimSuffix(s.base, "/api/v1/marketplace") + "/health")
	var h struct{ Checks map[string]string }
	if err := json.Unmarshal([]byte(a.body), &h); err != nil {
		s.Fatalf("%v: %s\n%s", err, a, s.said)
	}
	return a.status, h.Checks
}

// start requests a removal or a claim.
func (s *server) start(flow, slug string) answer {
	return s.ask(http.MethodPost, "/companies/"+slug+"/"+flow,
		fmt.Sprintf(`{"requesterName":"Jane Doe","requesterEmail":"jane@%s.example"}`, slug))
}

// patient retries while a server on PostgreSQL has no lease, as happens on a busy machine.
func (s *server) patient(ask func() answer) (a answer) {
	s.Helper()
	until(s.T, "it is answered", func() bool {
		a = ask()
		return a.status != http.StatusServiceUnavailable
	})
	return a
}

// begin requests a removal, which must be accepted, and returns its id and token.
func (s *server) begin(slug string) (id, token string) {
	s.Helper()
	a := s.patient(func() answer { return s.start("removal-requests", slug) })
	if a.status != http.StatusAccepted {
		s.Fatalf("a removal of %s is not taken: %s\n%s", slug, a, s.said)
	}
	id = a.field(s.T, "requestId")
	return id, s.token(id)
}

// token waits for the mail about a request and returns its token.
func (s *server) token(id string) (token string) {
	s.Helper()
	until(s.T, "the mail with the link is written", func() bool {
		token = mailed(s.T, s.state, id)
		return token != ""
	})
	return token
}

// mailed returns the token in the last mail about a request, or "".
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

// verify verifies a removal.
func (s *server) verify(id, token string) answer {
	return s.ask(http.MethodPost, "/company-removal-requests/"+id+"/verify", `{"token":"`+token+`"}`)
}

// until polls until a condition holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for again := time.NewTicker(2 * time.Millisecond); !holds(); <-again.C {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain until " + what)
		}
	}
}

// addresses returns the addresses of a seller in a release, below /marketplace.
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

// wantGone fails if any address of a removed seller answers anything but 410, or if search
// still finds it.
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
