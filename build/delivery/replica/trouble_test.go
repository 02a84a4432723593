package replica_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"souk/build/delivery/replica"
	"souk/build/release"
	"souk/internal/testing/s3test"
)

// A failing is a way in which a store fails requests for paths with a suffix.
type failing struct {
	path   string
	answer func(w http.ResponseWriter, r *http.Request)
	says   string
}

func body(data string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.Header().Set("ETag", `"other"`)
		_, _ = io.WriteString(w, data)
	}
}

func status(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	w.Close()
	return b.String()
}

var failings = map[string]failing{
	"down":                        {"", status(http.StatusServiceUnavailable), "503"},
	"another's credentials":       {"", status(http.StatusForbidden), "403"},
	"no head":                     {"/head", status(http.StatusNotFound), "souk publish --for-servers"},
	"a head that is a page":       {"/head", body("<!doctype html>"), "damaged"},
	"a head of another version":   {"/head", body(`{"format":9}`), "format 9"},
	"a head without chunks":       {"/head", body(`{"format":1,"release":"` + strings.Repeat("0", 32) + `"}`), "damaged"},
	"a chunk that is a page":      {".jsonl.gz", body("<!doctype html>"), "damaged"},
	"a chunk of other lines":      {".jsonl.gz", body(packed("{}\n")), "damaged"},
	"a chunk that is a bomb":      {".jsonl.gz", body(packed(strings.Repeat("{}\n", 1<<20))), "damaged"},
	"no chunk":                    {".jsonl.gz", status(http.StatusNotFound), "there is nothing there"},
	"no document":                 {"/acme.json", status(http.StatusNotFound), "acme.json does not match the release"},
	"another document":            {"/acme.json", body("{}"), "acme.json does not match the release"},
	"a document that is too long": {"/acme.json", body(strings.Repeat("x", 1<<20)), "acme.json does not match the release"},
	"a connection that ends": {"/acme.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		_, _ = io.WriteString(w, "short")
	}, "acme.json"},
	"no search part": {"/files/" + release.DigestOf([]byte("words of acme, changed")).String(), status(http.StatusNotFound), "search/"},
	"another part":   {"/files/" + release.DigestOf([]byte("words of acme, changed")).String(), body("words of acme, chanceg"), "search/"},
}

func TestTheLastCompleteReleaseIsServedIfTheStoreFails(t *testing.T) {
	server, destination := bucket(t)
	for name, f := range failings {
		t.Run(name, func(t *testing.T) {
			m := newMarket(t, t.TempDir(), strings.Replace(destination, "/public", "/"+strings.ReplaceAll(name, " ", "-")+"/public", 1))
			m.publish(t)
			c := m.follower(t, t.TempDir())
			if err := c.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			before, beside, id := files(t, c.Public()), besides(t, c.Public()), m.tree.ID()
			m.docs[companies+"acme.json"] += " "
			m.parts["acme"] += ", changed"
			m.build(t)
			m.publish(t)
			server.Meddle(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, f.path) {
					return false
				}
				f.answer(w, r)
				return true
			})
			defer server.Meddle(nil)
			_, err := c.Sync(t.Context())
			if err == nil || !strings.Contains(err.Error(), f.says) {
				t.Fatalf("it ends with %v, which should say %q", err, f.says)
			}
			if text := err.Error(); strings.Contains(text, s3test.SecretKey) || strings.Contains(text, "use_path_style") {
				t.Errorf("it says: %s", text)
			}
			if s := c.Status(); s.Release != id || s.Problem != err.Error() || s.Seen.IsZero() {
				t.Errorf("the status is %+v", s)
			}
			if now := files(t, c.Public()); !maps.Equal(now, before) {
				t.Errorf("what is served changed:\n%s", differences(before, now))
			}
			if now := besides(t, c.Public()); !maps.Equal(now, beside) {
				t.Errorf("what is beside it changed:\n%s", differences(beside, now))
			}
			server.Meddle(nil)
			follow(t, c)
			m.holds(t, c)
			if s := c.Status(); s.Problem != "" || s.Release != m.tree.ID() {
				t.Errorf("then the status is %+v", s)
			}
		})
	}
}

func TestTheExistingReleaseIsServedWithoutTheStore(t *testing.T) {
	server, destination := bucket(t)
	m := newMarket(t, t.TempDir(), destination)
	m.publish(t)
	state := t.TempDir()
	c := m.follower(t, state)
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	server.Meddle(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true })
	again := m.follower(t, state)
	if err := again.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := again.Status(); s.Release != m.tree.ID() {
		t.Errorf("the status is %+v", s)
	}
	m.holds(t, again)
}

func TestAFullDiskIsReported(t *testing.T) {
	m := newMarket(t, t.TempDir(), filepath.Join(t.TempDir(), "out", "public"))
	m.publish(t)
	c := m.follower(t, t.TempDir())
	c.Fault(func(string) error { return &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC} })
	if _, err := c.Sync(t.Context()); err == nil || !strings.Contains(err.Error(), "free some space") {
		t.Errorf("it ends with %v", err)
	}
}

func TestNothingIsWrittenOutsideTheCopy(t *testing.T) {
	d := release.DigestOf(nil).String()
	for _, name := range []string{"../x", "/etc/x", "a/../../x", "..", "", "a//b", `a\b`, "C:x", ".souk-stage-1/x", "./x", "a\x00b"} {
		line := fmt.Sprintf(`{"file":%q,"digest":%q,"size":0,"modTime":1}`, name, d)
		if files, err := replica.ParseChunk([]byte(line+"\n"), 0, 1); err == nil {
			t.Errorf("a manifest with %q is taken as %q", name, files)
		}
		head := fmt.Sprintf(`{"format":1,"release":%q,"chunks":[{"digest":%q,"size":0}],"files":{%q:{"digest":%q,"size":0}}}`, d, d, name, d)
		if _, err := replica.ParseHead([]byte(head)); err == nil {
			t.Errorf("a head with %q is taken", name)
		}
	}
	for _, name := range []string{"log", "stage-1/x", "search/.souk-new-x", "log.old", "search/x.new"} {
		if replica.InRelease(name) {
			t.Errorf("%s is copied", name)
		}
	}
	for _, name := range []string{"search/head", "market", "search/0123.part"} {
		if !replica.InRelease(name) {
			t.Errorf("%s is not copied", name)
		}
	}
}

func TestAManifestReusesItsChunksWhileTheyFit(t *testing.T) {
	entries := map[string]release.Entry{}
	for i := range 5000 {
		entries[fmt.Sprintf("api/v1/%d.json", i)] = release.Entry{Size: int64(i)}
	}
	m := replica.NewManifest(entries, nil, 0)
	if m.Chunks() != 8 {
		t.Errorf("5,000 files are in %d chunks", m.Chunks())
	}
	for before, want := range map[int]int{4: 4, 8: 8, 16: 16, 2: 8, 64: 8, 7: 8} {
		if got := replica.NewManifest(entries, nil, before).Chunks(); got != want {
			t.Errorf("after %d chunks there are %d, not %d", before, got, want)
		}
	}
	changed := maps.Clone(entries)
	changed["api/v1/7.json"] = release.Entry{Size: 8}
	differ := 0
	for at := range m.Chunks() {
		a, errA := m.Chunk(at)
		b, errB := replica.NewManifest(changed, nil, 8).Chunk(at)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if !bytes.Equal(a, b) {
			differ++
		}
		if files, err := replica.ParseChunk(a, at, m.Chunks()); err != nil || len(files) < 400 || slices.Contains(files, "") {
			t.Errorf("chunk %d has %d files, %v", at, len(files), err)
		}
	}
	if differ != 1 {
		t.Errorf("one file changes %d chunks", differ)
	}
}

func TestDamagedFilesAreFetchedAgain(t *testing.T) {
	m := newMarket(t, t.TempDir(), filepath.Join(t.TempDir(), "out", "public"))
	m.publish(t)
	state := t.TempDir()
	c := m.follower(t, state)
	follow(t, c)
	part := filepath.Join(release.Folder(c.Public()), "search", release.DigestOf([]byte("words of acme")).String())
	err := errors.Join(c.Close(), os.Remove(part), os.Remove(filepath.Join(c.Public(), companies+"acme.json")),
		os.WriteFile(filepath.Join(c.Public(), companies+"globex.json"), []byte("damaged"), 0o644),
		os.WriteFile(filepath.Join(c.Public(), "more.json"), []byte("{}"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	again := m.follower(t, state)
	follow(t, again)
	m.holds(t, again)
	if err := errors.Join(again.Close(), os.RemoveAll(release.Folder(c.Public()))); err != nil {
		t.Fatal(err)
	}
	last := m.follower(t, state)
	follow(t, last)
	m.holds(t, last)
}

// BenchmarkManifest creates the manifest of a million files, and again after a change of
// one.
func BenchmarkManifest(b *testing.B) {
	entries := map[string]release.Entry{}
	for i := range 1_000_000 {
		name := fmt.Sprintf("api/v1/marketplace/companies/company-%d/products/product-%d.json", i/10, i)
		entries[name] = release.Entry{Digest: release.DigestOf([]byte(name)), Size: int64(1000 + i%5000), ModTime: 1_790_000_000_000_000_000, Gzip: 400, Brotli: 380}
	}
	for b.Loop() {
		m, h := replica.NewManifest(entries, nil, 0), replica.Head{Release: strings.Repeat("0", 32)}
		packed := 0
		for at := range m.Chunks() {
			chunk, err := m.Chunk(at)
			if err != nil {
				b.Fatal(err)
			}
			h.Chunks = append(h.Chunks, replica.Blob{Digest: release.DigestOf(chunk), Size: int64(len(chunk))})
			if at < 16 {
				data, err := replica.Compress(chunk)
				if err != nil {
					b.Fatal(err)
				}
				packed += len(data)
			}
		}
		head, err := h.Encode()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(m.Chunks()), "chunks")
		b.ReportMetric(float64(packed)/16, "B/chunk")
		b.ReportMetric(float64(len(head)), "B/head")
	}
}

// A release was applied, but old private data could not be deleted. The next head has
// chunks of the head before both.
func TestAnEarlierReleaseIsFollowedAfterAnUnfinishedOne(t *testing.T) {
	for _, step := range []string{"place", "delete"} {
		t.Run(step, func(t *testing.T) {
			m := newMarket(t, t.TempDir(), filepath.Join(t.TempDir(), "out", "public"))
			article := func(n int) string { return fmt.Sprintf("api/v1/marketplace/articles/a%d.json", n) }
			for n := range 1100 { // more than fit in one chunk
				m.docs[article(n)] = "{}"
			}
			m.build(t)
			m.publish(t)
			c := m.follower(t, t.TempDir())
			follow(t, c)
			// The description differs in every release, and so does its chunk.
			half := func(file string) bool { return sha256.Sum256([]byte(file))[0] < 128 }
			n := 1100
			for ; half(article(n)) == half(release.DescriptionFile); n++ {
			}
			news := article(n)
			m.docs[news] = `{"apiUrl":"https://market.example/api/v1/marketplace/articles/news"}`
			m.parts["acme"] += ", changed"
			m.build(t)
			m.publish(t)
			broken := errors.New("the disk")
			committed := false
			c.Fault(func(at string) error {
				committed = committed || at == "commit"
				if committed && at == step {
					return broken
				}
				return nil
			})
			if _, err := c.Sync(t.Context()); !errors.Is(err, broken) {
				t.Fatalf("it ends with %v", err)
			}
			c.Fault(func(string) error { return nil })
			delete(m.docs, news)
			m.build(t)
			m.publish(t)
			follow(t, c)
			m.holds(t, c)
		})
	}
}
