//go:build unix

package hosts_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/hosts"
	"souk/build/hosts/loopback"
	"souk/build/probe"
	"souk/build/release"
)

var servers = []string{"nginx", "caddy", "apache"}

// built builds content into a folder that other users may enter, since a server
// that root starts leaves root.
func built(t *testing.T, content string, removed ...string) (public string, tree *release.Tree) {
	t.Helper()
	home := open(t)
	var list []catalog.Removal
	for _, id := range removed {
		list = append(list, catalog.Removal{ID: id})
	}
	public = filepath.Join(home, "public")
	b, err := build.New(build.Config{
		Content: content, Public: public, State: filepath.Join(home, "var"),
		// Apache calls the ETag of a file weak that is not a second old.
		Clock: func() time.Time { return time.Now().Add(-time.Minute) },
		At:    time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), Precompress: 0, Program: "test", Removals: catalog.NewRemovals(list),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	return public, b.Tree()
}

// open makes a folder that everybody may enter.
func open(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "souk-hosts-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// start runs a server over a release and gives its address, or skips the test.
func start(t *testing.T, name, public, dynamic string) string {
	t.Helper()
	address, err := loopback.Address()
	if err != nil {
		t.Fatal(err)
	}
	host, _ := hosts.Lookup(name)
	files, err := host.Write(hosts.Settings{Public: public, Bind: address, Dynamic: dynamic})
	if err != nil {
		t.Fatal(err)
	}
	server, err := loopback.Start(t.Context(), name, files, open(t), address)
	if errors.Is(err, loopback.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if said := server.Stop(); t.Failed() {
			t.Logf("%s said:\n%s", name, said)
		}
	})
	return "http://" + address
}

// program stands for souk serve behind a server: it tells what it was asked.
func program(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusGone)
		}
		fmt.Fprintf(w, "%s %s", r.Method, r.RequestURI)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestServersKeepWhatTheAPIPromises(t *testing.T) {
	public, _ := built(t, filepath.Join("..", "..", "content"), "brass-wren", "umlauf")
	dynamic := program(t)
	for _, name := range servers {
		t.Run(name, func(t *testing.T) {
			report, err := probe.Run(t.Context(), probe.Config{Base: start(t, name, public, dynamic), Public: public})
			if err != nil {
				t.Fatal(err)
			}
			for i, m := range report.Mismatches {
				if i == 40 {
					t.Errorf("and %d more", len(report.Mismatches)-i)
					break
				}
				t.Error(m)
			}
			t.Logf("%d documents, %d removed, %d requests, %v", report.Documents, report.Removed, report.Requests, report.Encoded)
		})
	}
}
