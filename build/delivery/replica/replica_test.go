package replica_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/delivery/publish"
	"souk/build/delivery/replica"
	"souk/build/document"
	"souk/build/release"
	"souk/internal/testing/s3test"
)

// A fatal can end a test: a *testing.T or a *rapid.T.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// A market is a public folder and its release folder, which are built as a test specifies
// and published.
type market struct {
	dir, destination string
	tree             *release.Tree
	docs             map[string]string
	gone             map[string]bool
	// parts are the search parts, by company.
	parts   map[string]string
	options publish.Options
	// revision is the revision of the removals.
	revision uint64
}

const companies = "api/v1/marketplace/companies/"

func newMarket(t fatal, dir, destination string) *market {
	t.Helper()
	m := &market{
		dir: dir, destination: destination, gone: map[string]bool{}, parts: map[string]string{},
		docs: map[string]string{
			document.OpenAPIFile: `{"servers":[{"url":"https://market.example/api/v1"}]}`,
			document.MarketFile:  `{"url":"https://market.example/","apiUrl":"https://market.example/api/v1/marketplace"}`,
		},
		options: publish.Options{State: filepath.Join(dir, "state"), Host: publish.Host{Gone: 410}, ForServers: true, Requests: publish.Requests{Attempts: 2}, Sleep: noSleep},
	}
	var err error
	if m.tree, err = release.Open(release.Options{Public: m.public(), Precompress: 0, Now: time.Now, Ours: document.Ours}); err != nil {
		t.Fatal(err)
	}
	for _, company := range []string{"acme", "globex"} {
		m.add(company)
	}
	m.build(t)
	return m
}

func noSleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func (m *market) public() string { return filepath.Join(m.dir, "public") }

func (m *market) add(company string) {
	m.docs[companies+company+".json"] = fmt.Sprintf(`{"apiUrl":"https://market.example/api/v1/marketplace/companies/%s","name":%q}`, company, strings.Repeat(company, 100))
	m.docs["companies/"+company+".html"] = `<meta name="generator" content="Souk">` + company
	m.parts[company] = "words of " + company
}

// remove removes a company.
func (m *market) remove(company string) {
	for _, file := range []string{companies + company + ".json", "companies/" + company + ".html"} {
		delete(m.docs, file)
		m.gone[file] = true
	}
	delete(m.parts, company)
	m.revision++
}

// build builds a release.
func (m *market) build(t fatal) {
	t.Helper()
	if err := m.tree.Lock(context.Background()); err != nil {
		t.Fatal(err)
	}
	plan, err := m.tree.Begin()
	if err != nil {
		t.Fatal(err)
	}
	plan.SetRevision(m.revision)
	w := plan.Writer()
	for _, file := range slices.Sorted(maps.Keys(m.docs)) {
		if err := w.Put(file, []byte(m.docs[file])); err != nil {
			t.Fatal(err)
		}
		if slug := document.CompanyOf(file); slug != "" {
			plan.Own(slug, release.Owner{ID: slug, Domains: []string{slug + ".example"}})
		}
	}
	for file := range m.gone {
		if err := w.Gone(file, document.GoneBody()); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range plan.Unmentioned() {
		w.Remove(file)
	}
	if _, err := plan.Commit(context.Background(), time.Now(), false); err != nil {
		t.Fatal(err)
	}
	if err := m.tree.Unlock(); err != nil {
		t.Fatal(err)
	}
	m.index(t)
}

// index writes the search parts.
func (m *market) index(t fatal) {
	t.Helper()
	folder := filepath.Join(release.Folder(m.public()), "search")
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	head := m.tree.ID() + "\n"
	files := map[string]string{}
	for _, company := range slices.Sorted(maps.Keys(m.parts)) {
		name := release.DigestOf([]byte(m.parts[company])).String()
		files[name] = m.parts[company]
		head += name + "\n"
	}
	files["head"], files["../market"] = head, "a market of "+fmt.Sprint(len(m.docs))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// publish publishes the release, and fails if that fails.
func (m *market) publish(t fatal) publish.Report {
	t.Helper()
	report, err := m.try(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (m *market) try(ctx context.Context) (publish.Report, error) {
	p, err := publish.Open(m.destination, m.options)
	if err != nil {
		return publish.Report{}, err
	}
	defer p.Close()
	return p.Publish(ctx, m.tree, nil)
}

// origin opens the destination like a server.
func origin(t fatal, destination string) *publish.Origin {
	t.Helper()
	o, err := publish.OpenOrigin(destination, publish.Options{Requests: publish.Requests{Attempts: 2, Timeout: 5 * time.Second}, Sleep: noSleep})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// follower opens a copy of the destination, with a release in place if there is one.
func (m *market) follower(t *testing.T, state string) *replica.Copy {
	t.Helper()
	o := origin(t, m.destination)
	c, err := replica.Open(t.Context(), replica.Options{Origin: o, State: state, Sleep: noSleep, Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); o.Close() })
	return c
}

// follow updates a copy, and fails if that fails.
func follow(t fatal, c *replica.Copy) {
	t.Helper()
	if _, err := c.Sync(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// holds fails if a copy is not the release, byte for byte, with its times.
func (m *market) holds(t fatal, c *replica.Copy) {
	t.Helper()
	if want, got := files(t, m.public()), files(t, c.Public()); !maps.Equal(want, got) {
		t.Fatalf("the copy differs:\n%s", differences(want, got))
	}
	if want, got := besides(t, m.public()), besides(t, c.Public()); !maps.Equal(want, got) {
		t.Fatalf("what is beside it differs:\n%s", differences(want, got))
	}
	last, err := release.Follow(c.Public())
	if err != nil {
		t.Fatal(err)
	}
	defer last.Close()
	if last.ID() != m.tree.ID() {
		t.Fatalf("the log of the copy is of %s, not %s", last.ID(), m.tree.ID())
	}
	wantClock, want := m.tree.BuiltFrom()
	if clock, got := last.BuiltFrom(); got != want || !clock.Equal(wantClock) {
		t.Fatalf("the copy was made at %s with revision %d, not %s with %d", clock, got, wantClock, want)
	}
	m.tree.EachOwner(func(slug string, o release.Owner) {
		if mine, known := last.Owner(slug); !known || !mine.Equal(o) {
			t.Fatalf("the owner of %s is %+v in the copy, not %+v", slug, mine, o)
		}
	})
	left, err := filepath.Glob(filepath.Join(filepath.Dir(c.Public()), "fetched"))
	if err != nil || len(left) > 0 {
		t.Fatalf("%q is left: %v", left, err)
	}
}

// files returns the files of a folder, with their times.
func files(t fatal, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(at)
		name, _ := filepath.Rel(folder, at)
		all[name] = fmt.Sprintf("%d %q", info.ModTime().UnixNano(), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// besides returns the files of the release folder except the log.
func besides(t fatal, public string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, text := range files(t, release.Folder(public)) {
		if replica.InRelease(filepath.ToSlash(name)) {
			_, all[name], _ = strings.Cut(text, " ")
		}
	}
	return all
}

func differences(want, got map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			fmt.Fprintf(&b, "%s is %.80s, not %.80s\n", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, there := want[name]; !there {
			fmt.Fprintf(&b, "%s should not be there\n", name)
		}
	}
	return b.String()
}

// bucket returns the URL of a path in a new bucket of a real server.
func bucket(t *testing.T) (server *s3test.Server, destination string) {
	t.Helper()
	server = s3test.Start(t)
	return server, strings.Replace(server.Bucket(t, "market"), "s3://market", "s3://market/public", 1)
}

func TestACopyEqualsTheReleaseAndFollowsIt(t *testing.T) {
	_, s3 := bucket(t)
	for name, destination := range map[string]string{"S3": s3, "folder": filepath.Join(t.TempDir(), "out", "public")} {
		t.Run(name, func(t *testing.T) {
			m := newMarket(t, t.TempDir(), destination)
			m.publish(t)
			c := m.follower(t, t.TempDir())
			if err := c.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			m.holds(t, c)
			m.add("initech")
			m.docs[companies+"acme.json"] += " "
			m.parts["acme"] += ", changed"
			m.build(t)
			m.publish(t)
			follow(t, c)
			m.holds(t, c)
			m.remove("acme")
			m.build(t)
			m.publish(t)
			follow(t, c)
			m.holds(t, c)
			m.revision++ // for a removal that changes nothing here
			m.build(t)
			m.publish(t)
			follow(t, c)
			m.holds(t, c)
		})
	}
}
