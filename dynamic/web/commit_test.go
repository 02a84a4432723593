package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"souk/build/release"
)

// A halfway release has a manifest and files that do not match, as happens for a moment
// while a commit is applied.
type halfway struct {
	dir     string
	mu      sync.Mutex
	entries map[string]release.Entry
	// afterLookup is called after each Lookup.
	afterLookup func(file string)
}

func newHalfway(t *testing.T) *halfway {
	return &halfway{dir: t.TempDir(), entries: map[string]release.Entry{}, afterLookup: func(string) {}}
}

func (h *halfway) Lookup(file string) (release.Entry, bool) {
	h.mu.Lock()
	e, stands := h.entries[file]
	h.mu.Unlock()
	h.afterLookup(file)
	return e, stands
}

func (h *halfway) path(file string) string { return filepath.Join(h.dir, filepath.FromSlash(file)) }

func (h *halfway) OpenFile(file string) (*os.File, error) { return os.Open(h.path(file)) }

func (h *halfway) ID() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.entries) == 0 {
		return ""
	}
	return "some"
}

// put writes a file to disk and returns the entry that describes it.
func (h *halfway) put(t *testing.T, file, text string) release.Entry {
	t.Helper()
	path := h.path(file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	written := time.Unix(1_700_000_000, 0)
	if err := os.Chtimes(path, written, written); err != nil {
		t.Fatal(err)
	}
	return entryOf(text, written)
}

func entryOf(text string, written time.Time) release.Entry {
	sum := sha256.Sum256([]byte(text))
	return release.Entry{Digest: release.Digest(sum[:16]), Size: int64(len(text)), ModTime: written.UnixNano()}
}

func tagOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

const (
	acmeFile    = "api/v1/marketplace/companies/acme.json"
	acmeAddress = "/api/v1/marketplace/companies/acme"
)

func TestOldFileUnderANewManifestIsSentWithItsOwnETag(t *testing.T) {
	for name, old := range map[string]string{"small": "old text", "large": string(make([]byte, 100_000))} {
		t.Run(name, func(t *testing.T) {
			h := newHalfway(t)
			h.put(t, acmeFile, old)
			h.put(t, acmeFile+".gz", "what an old twin holds")
			committed := entryOf("new text", time.Unix(1_700_000_100, 0))
			committed.Gzip = 5
			h.entries[acmeFile] = committed
			server := serve(t, h, io.Discard)
			for _, coding := range []string{"identity", "gzip"} {
				request, _ := http.NewRequest(http.MethodGet, server.URL+acmeAddress, nil)
				request.Header.Set("Accept-Encoding", coding)
				response, err := http.DefaultClient.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				body, _ := io.ReadAll(response.Body)
				response.Body.Close()
				if string(body) != old || response.Header.Get("ETag") != tagOf(old) || response.Header.Get("Content-Encoding") != "" {
					t.Errorf("%s: %d bytes under %s, want %d under %s", coding, len(body), response.Header.Get("ETag"), len(old), tagOf(old))
				}
			}
			// Once the commit is applied, the new text is served and the old one is not in
			// memory any more.
			h.entries[acmeFile] = h.put(t, acmeFile, "new text")
			if got := fetch(t, server.URL+acmeAddress); got.body != "new text" || got.Header.Get("ETag") != tagOf("new text") {
				t.Errorf("in place: %q under %s", got.body, got.Header.Get("ETag"))
			}
		})
	}
}

// A folder that an earlier version created keeps the twins of unchanged documents, so two
// servers of the same version may have different twins.
func TestDifferentCompressedCopiesHaveDifferentETags(t *testing.T) {
	seen := map[string]string{}
	for _, made := range []string{"made before", "made of fewer bytes"} {
		h := newHalfway(t)
		entry := h.put(t, acmeFile, "text")
		entry.Gzip = h.put(t, acmeFile+".gz", made).Size
		h.entries[acmeFile] = entry
		server := serve(t, h, io.Discard)
		for range 2 { // first from disk, then from memory
			request, _ := http.NewRequest(http.MethodGet, server.URL+acmeAddress, nil)
			request.Header.Set("Accept-Encoding", "gzip")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			tag := response.Header.Get("ETag")
			if other, is := seen[tag]; string(body) != made || is && other != made {
				t.Errorf("%q under %s, as was %q", body, tag, other)
			}
			seen[tag] = made
		}
	}
	if len(seen) != 2 {
		t.Errorf("ETags: %v, want one for each twin", seen)
	}
}

func TestFileThatIsNotInPlaceYetIsBrieflyUnavailable(t *testing.T) {
	h := newHalfway(t)
	h.entries[acmeFile] = entryOf("text", time.Unix(1_700_000_000, 0))
	got := fetch(t, serve(t, h, io.Discard).URL+acmeAddress)
	if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" ||
		got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("ETag") != "" || got.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d %v", got.StatusCode, got.Header)
	}
}

func TestDocumentRemovedBetweenLookupAndReadIsGone(t *testing.T) {
	h := newHalfway(t)
	h.entries[acmeFile] = entryOf("text", time.Unix(1_700_000_000, 0))
	h.afterLookup = func(string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.entries, acmeFile)
		h.entries["api/v1/marketplace/companies/acme.gone.json"] = release.Entry{Size: 1}
	}
	if got := fetch(t, serve(t, h, io.Discard).URL+acmeAddress); got.StatusCode != http.StatusGone {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}

func TestRemovedDocumentIsGoneWhileItsFileStillExists(t *testing.T) {
	h := newHalfway(t)
	h.put(t, acmeFile, "text")
	h.entries["api/v1/marketplace/companies/acme.gone.json"] = release.Entry{Size: 1}
	if got := fetch(t, serve(t, h, io.Discard).URL+acmeAddress); got.StatusCode != http.StatusGone {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}

func TestBeforeTheFirstReleaseEverythingIsUnavailable(t *testing.T) {
	got := fetch(t, serve(t, newHalfway(t), io.Discard).URL+acmeAddress)
	if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
		t.Errorf("%d %v", got.StatusCode, got.Header)
	}
}

func TestFolderPageIsServedWithAndWithoutASlash(t *testing.T) {
	h := newHalfway(t)
	h.entries["verify/claim/index.html"] = h.put(t, "verify/claim/index.html", "<p>a page</p>")
	server := serve(t, h, io.Discard)
	for _, address := range []string{"/verify/claim", "/verify/claim/"} {
		got := fetch(t, server.URL+address)
		if got.StatusCode != http.StatusOK || got.body != "<p>a page</p>" || got.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %d %q", address, got.StatusCode, got.body)
		}
	}
	if got := fetch(t, server.URL+"/verify/claim/index.html"); got.StatusCode != http.StatusNotFound {
		t.Errorf("the name of its file: %d", got.StatusCode)
	}
	if got := fetch(t, server.URL+"/verify"); got.StatusCode != http.StatusNotFound {
		t.Errorf("the folder above: %d", got.StatusCode)
	}
}

type answer struct {
	*http.Response
	body string
}

// fetch does not follow redirects.
func fetch(t *testing.T, address string) answer {
	t.Helper()
	response, err := http.DefaultTransport.RoundTrip(must(http.NewRequest(http.MethodGet, address, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response, string(body)}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestNothingNextToThePublicFolderIsServed(t *testing.T) {
	m := newMarket(t)
	server := serve(t, m.builder.Tree(), io.Discard)
	log, err := os.ReadFile(filepath.Join(release.Folder(m.builder.Tree().Path("")), "log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"/../public.release/log", "/..%2fpublic.release/log", "/%2e%2e/public.release/log", "/%2e%2e%2fpublic.release%2flog", "//../public.release/log",
		"/api/..%2f..%2fpublic.release/log", "/..%5cpublic.release%5clog", "/media/../../public.release/log", "/public.release/log", "/.release/log", "/log",
	} {
		got := fetch(t, server.URL+address)
		if got.StatusCode != http.StatusNotFound || got.body == string(log) {
			t.Errorf("%s: %d and %d bytes", address, got.StatusCode, len(got.body))
		}
	}
}
