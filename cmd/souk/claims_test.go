//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// running is souk serve in a separate process.
type running struct {
	installation
	t       *testing.T
	url     string
	process *exec.Cmd
	mu      sync.Mutex
	log     bytes.Buffer
	read    chan struct{}
}

func (i installation) running(t *testing.T) *running {
	t.Helper()
	args := append(slices.DeleteFunc(i.args()[1:], func(a string) bool { return a == "--now" || strings.HasPrefix(a, "2026-") }), "--listen", "127.0.0.1:0", "--no-rate-limit")
	r := &running{installation: i, t: t, process: exec.Command(i.program, append([]string{"serve"}, args...)...), read: make(chan struct{})}
	errors, err := r.process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.end(syscall.SIGKILL) })
	at := make(chan string, 1)
	go func() {
		defer close(r.read)
		for lines := bufio.NewScanner(errors); lines.Scan(); {
			if url := regexp.MustCompile(`serving (http://\S+)`).FindStringSubmatch(lines.Text()); url != nil {
				at <- url[1]
			}
			r.mu.Lock()
			r.log.WriteString(lines.Text() + "\n")
			r.mu.Unlock()
		}
	}()
	select {
	case r.url = <-at:
	case <-r.read:
		t.Fatalf("it does not serve:\n%s", r.log.String())
	}
	return r
}

// end sends a signal to the process and waits until it exits.
func (r *running) end(with os.Signal) {
	if r.process.ProcessState == nil {
		_ = r.process.Process.Signal(with)
		<-r.read
		_ = r.process.Wait()
	}
}

// run runs another command while the server runs. The command must succeed.
func (r *running) run(args ...string) string {
	r.t.Helper()
	out, err := exec.Command(r.program, append(args, "--state", r.state)...).CombinedOutput()
	if err != nil {
		r.t.Errorf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (r *running) call(method, address, body string) (int, string) {
	r.t.Helper()
	q, err := http.NewRequest(method, r.url+"/api/v1/marketplace"+address, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return a.StatusCode, string(text)
}

// ask requests a removal and returns the address and the body that verify it.
func (r *running) ask(slug string) (address, body string) {
	r.t.Helper()
	status, text := r.call(http.MethodPost, "/companies/"+slug+"/removal-requests", `{"requesterName":"Jane","requesterEmail":"jane@`+slug+`.example"}`)
	var started struct{ RequestID string }
	if status != http.StatusAccepted || json.Unmarshal([]byte(text), &started) != nil {
		r.t.Fatalf("%s: %d %s", slug, status, text)
	}
	token := regexp.MustCompile(`#id=` + started.RequestID + `&token=([A-Za-z0-9_-]+)`)
	found := ""
	r.until("there is a mail for "+slug, func() bool {
		mails, _ := filepath.Glob(filepath.Join(r.state, "mail", "*.eml"))
		for _, file := range mails {
			data, err := os.ReadFile(file)
			if match := token.FindSubmatch(data); err == nil && match != nil {
				found = string(match[1])
			}
		}
		return found != ""
	})
	return "/company-removal-requests/" + started.RequestID + "/verify", `{"token":"` + found + `"}`
}

func (r *running) until(what string, right func() bool) {
	r.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for again := time.NewTicker(20 * time.Millisecond); !right(); <-again.C {
		if time.Now().After(deadline) {
			r.t.Fatal("waited in vain until " + what)
		}
	}
}

func (r *running) answers(slug string, status int) {
	r.t.Helper()
	r.until(slug+" answers "+http.StatusText(status), func() bool {
		got, _ := r.call(http.MethodGet, "/companies/"+slug, "")
		return got == status
	})
}

// withoutStubs returns the files of a folder except stubs and release.json.
func withoutStubs(all tree) tree {
	some := tree{}
	for name, file := range all {
		if !strings.Contains(name, ".gone.json") && !strings.HasSuffix(name, "release.json") {
			some[name] = file
		}
	}
	return some
}

// buildAgainAndAgain runs builds in separate processes until stop is called, and stop
// returns their number.
func (i installation) buildAgainAndAgain(t *testing.T) (stop func() int) {
	ended, builds := make(chan struct{}), make(chan int)
	go func() {
		n := 0
		defer func() { builds <- n }()
		again := time.NewTicker(50 * time.Millisecond)
		defer again.Stop()
		for ; ; n++ {
			select {
			case <-ended:
				return
			case <-again.C:
			}
			if out, err := exec.Command(i.program, "build", "--content", i.content, "--public", i.public, "--state", i.state, "--precompress", "256").CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		}
	}()
	return func() int {
		close(ended)
		return <-builds
	}
}

// Builds run in other processes throughout. Meanwhile removal lists are exported, a seller
// is restored, and the server is killed.
func TestRemovalsStayInEffectDuringOtherBuilds(t *testing.T) {
	dir := t.TempDir()
	i := installation{built(t), filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "var")}
	i.fill(t, market(false))
	r := i.running(t)
	stop := i.buildAgainAndAgain(t)
	list := filepath.Join(dir, "removals.json")
	for n, slug := range []string{"seller-01", "seller-02", "seller-03", "seller-04"} {
		address, body := r.ask(slug)
		if status, text := r.call(http.MethodPost, address, body); status != http.StatusOK {
			t.Errorf("%s: %d %s", slug, status, text)
		}
		r.answers(slug, http.StatusGone)
		r.run("removals", "--export", list)
		data, err := os.ReadFile(list)
		if err != nil || strings.Count(string(data), `"officialDomain"`) != n+1 {
			t.Errorf("the list is %s, %v", data, err)
		}
	}
	r.run("restore", "seller-02", "--reason", "a mistake")
	r.answers("seller-02", http.StatusOK)
	r.run("removals", "--export", list)
	if n := stop(); n == 0 {
		t.Error("no build ran")
	}
	address, body := r.ask("seller-05")
	r.end(syscall.SIGKILL)
	r = i.running(t)
	for slug, status := range map[string]int{"seller-01": 410, "seller-02": 200, "seller-03": 410, "seller-04": 410, "seller-05": 200} {
		r.answers(slug, status)
	}
	// A request made to the killed server can be verified at the next one.
	if status, text := r.call(http.MethodPost, address, body); status != http.StatusOK {
		t.Errorf("%d %s", status, text)
	}
	r.run("removals", "--export", list)
	r.end(syscall.SIGTERM)
	if code := r.process.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %d:\n%s", code, r.log.String())
	}
	elsewhere := installation{i.program, i.content, filepath.Join(dir, "elsewhere"), filepath.Join(dir, "elsewhere-var")}
	if out, err := exec.Command(i.program, append(elsewhere.args(), "--removals", list)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sameBytes(t, withoutStubs(i.read(t)), withoutStubs(elsewhere.read(t)))
	for _, slug := range []string{"seller-01", "seller-05"} {
		stub := filepath.Join("api", "v1", "marketplace", "companies", slug+".gone.json")
		for _, folder := range []string{i.public, elsewhere.public} {
			if _, err := os.Stat(filepath.Join(folder, stub)); err != nil {
				t.Error(err)
			}
		}
	}
}
