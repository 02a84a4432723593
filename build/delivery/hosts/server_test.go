//go:build unix

package hosts_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/delivery/hosts"
	"souk/build/document"
	"souk/build/inspect/probe"
	"souk/build/release"
	"souk/dynamic/web"
	"souk/internal/testing/loopback"
)

var servers = []string{"nginx", "caddy", "apache"}

// built builds content into a folder that other users can read, since a server started as
// root drops its privileges.
func built(t *testing.T, content string, twins release.Precompress, removed ...string) (public string, tree *release.Tree) {
	t.Helper()
	return builtWith(t, true, content, twins, removed...)
}

// builtWith is like built, for a release with or without pages.
func builtWith(t *testing.T, pages bool, content string, twins release.Precompress, removed ...string) (public string, tree *release.Tree) {
	t.Helper()
	home := open(t)
	var list []catalog.Removal
	for _, id := range removed {
		list = append(list, catalog.Removal{ID: id})
	}
	public = filepath.Join(home, "public")
	b, err := build.New(build.Config{
		Content: content, Public: public, State: filepath.Join(home, "var"),
		// Apache sends a weak ETag for a file that is less than a second old.
		Clock: func() time.Time { return time.Now().Add(-time.Minute) },
		At:    time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), Precompress: twins, Program: "test", Pages: pages, Snapshot: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(t.Context(), catalog.NewRemovals(list)); err != nil {
		t.Fatal(err)
	}
	return public, b.Tree()
}

// open creates a folder that everybody can enter.
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

// start runs a server for a release and returns its address, or skips the test.
func start(t *testing.T, name, public, dynamic string) string {
	t.Helper()
	base, _ := startWith(t, name, public, dynamic, func(configuration string) string { return configuration })
	return base
}

// startWith is like start, with an edited configuration.
func startWith(t *testing.T, name, public, dynamic string, edit func(string) string) (base string, server *loopback.Server) {
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
	files[0].Body = []byte(edit(string(files[0].Body)))
	server, err = loopback.Start(t.Context(), name, files, open(t), address)
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
	return "http://" + address, server
}

// program imitates souk serve behind a server: it answers with the request.
func program(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.Method == http.MethodOptions {
			w.Header().Set("Access-Control-Allow-Methods", "OPTIONS, POST")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json")
		if document.IsFilled(document.HTMLFile(r.URL.Path)) && r.URL.RawQuery == "" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			for _, h := range document.HeadersFor(document.SearchFile) {
				w.Header().Set(h.Name, h.Value)
			}
		}
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusGone)
		}
		fmt.Fprintf(w, "%s %s", r.Method, r.RequestURI)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestServersKeepThePromisesOfTheAPI(t *testing.T) {
	public, _ := built(t, filepath.Join("..", "..", "..", "content"), 0, "brass-wren", "umlauf")
	dynamic := program(t)
	for _, name := range servers {
		t.Run(name, func(t *testing.T) {
			report, err := probe.Run(t.Context(), probe.Config{Base: start(t, name, public, dynamic), Public: public})
			if err != nil {
				t.Fatal(err)
			}
			tell(t, report)
			if report.Encoded["gzip"] < report.Documents/2 || name != "nginx" && report.Encoded["br"] < report.Documents/2 {
				t.Errorf("of %d documents came %v compressed", report.Documents, report.Encoded)
			}
		})
	}
}

func TestServersServeARealMarketplace(t *testing.T) {
	content := os.Getenv("SOUK_CNCF")
	if content == "" {
		content = filepath.Join("..", "..", "..", "..", "shared", "data", "cncf")
	}
	if _, err := os.Stat(filepath.Join(content, "marketplace.yaml")); err != nil {
		t.Skip("the real marketplace is not here: set SOUK_CNCF to its folder")
	}
	sellers, err := os.ReadDir(filepath.Join(content, "sellers"))
	if err != nil {
		t.Fatal(err)
	}
	removed := []string{sellers[0].Name(), sellers[len(sellers)/2].Name(), sellers[len(sellers)-1].Name()}
	public, tree := built(t, content, 16<<10, removed...)
	bases := map[string]func(t *testing.T) string{"souk": func(t *testing.T) string { return serve(t, tree) }}
	for _, name := range servers {
		bases[name] = func(t *testing.T) string { return start(t, name, public, program(t)) }
	}
	for name, base := range bases {
		t.Run(name, func(t *testing.T) {
			report, err := probe.Run(t.Context(), probe.Config{Base: base(t), Public: public, Sample: 40, Seed: 7})
			if err != nil {
				t.Fatal(err)
			}
			tell(t, report)
			if report.Removed < 3 {
				t.Errorf("only %d removed addresses were asked for", report.Removed)
			}
		})
	}
}

// tell reports the mismatches of a probe.
func tell(t *testing.T, report probe.Report) {
	t.Helper()
	const most = 40
	for _, m := range report.Mismatches[:min(most, len(report.Mismatches))] {
		t.Error(m)
	}
	if more := len(report.Mismatches) - most; more > 0 {
		t.Errorf("and %d more", more)
	}
}

// serve runs the project's own server for a release.
func serve(t *testing.T, tree *release.Tree) string {
	t.Helper()
	handlers := map[string]web.Handler{}
	for _, e := range document.Endpoints() {
		if e.Dynamic {
			handlers[e.ID] = func(w http.ResponseWriter, _ *http.Request) error { return web.JSON(w, http.StatusOK, struct{}{}) }
		}
	}
	h, err := web.New(web.Config{Release: tree, Endpoints: document.Endpoints(), Dynamic: handlers, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}
