//go:build unix

package main

import (
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"souk/internal/testing/postgrestest"
)

// Two servers with the content but separate state folders, as on two machines, share one
// public folder; one of them waits.
func TestWaitingBuilderTakesOverWhenAnotherDiesOrStops(t *testing.T) {
	postgres, err := postgrestest.New()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(postgres.Close)
	i, database := house(t, built(t), dozens()), postgres.Database(t)
	first := i.serve(t, "--watch", "--database", database)
	second := i
	second.state = t.TempDir()
	args := append([]string{"serve", "--listen", "127.0.0.1:0"}, append(second.args()[1:], "--watch", "--database", database)...)
	// waits starts a server that has to wait; serves returns once it serves.
	waits := func() *waiter {
		t.Helper()
		w := waitFor(t, exec.CommandContext(t.Context(), i.program, args...))
		if !strings.Contains(w.said, "which makes the releases at") || !strings.Contains(w.said, i.public+"\n") {
			t.Errorf("the second says %q", w.said)
		}
		return w
	}
	serves := func(w *waiter) string {
		t.Helper()
		for {
			line, err := w.stderr.ReadString('\n')
			if rest, ok := strings.CutPrefix(line, "souk: serving "); ok {
				return strings.Fields(rest)[0]
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	w := waits()
	// A build waits too.
	build := waitFor(t, exec.CommandContext(t.Context(), i.program, append(second.args(), "--database", database)...))
	if !strings.Contains(build.said, "waiting for ") {
		t.Errorf("a build says %q", build.said)
	}
	if err := build.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code, said := build.end(t); code != exitWrong || !strings.Contains(said, "nothing was changed") {
		t.Errorf("the build ended with %d: %s", code, said)
	}

	killed := time.Now()
	first.kill()
	base := serves(w)
	t.Logf("the second serves %s after the first was killed", time.Since(killed).Round(time.Millisecond))
	go func() {
		for {
			if _, err := w.stderr.ReadString('\n'); err != nil {
				return
			}
		}
	}()

	// The building server is suspended and another one takes over. When the first resumes,
	// it publishes nothing.
	second.state = t.TempDir()
	args = append([]string{"serve", "--listen", "127.0.0.1:0"}, append(second.args()[1:], "--watch", "--database", database)...)
	third := waits()
	if err := w.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	serves(third)
	if err := third.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	write(t, i.content, map[string]string{"articles/news.yaml": "title: News\n"})
	if err := w.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	client := http.Client{Timeout: 5 * time.Second}
	until(t, "the second tells that it may not build", func() bool {
		response, err := client.Get(base + "/health")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			return false
		}
		return strings.Contains(string(text), "the last rebuild failed") || i.read(t)["api/v1/marketplace/articles/news.json"].body != ""
	})
	if i.read(t)["api/v1/marketplace/articles/news.json"].body != "" {
		t.Error("who was stopped made a release while another could")
	}
	if err := third.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	until(t, "the second builds again", func() bool { return i.read(t)["api/v1/marketplace/articles/news.json"].body != "" })
}
