package publish

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/kit/verbatim"
	"souk/build/release"
)

// A fatal can end a test: a *testing.T or a *rapid.T.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// A shelf is a public folder that is built as a test specifies, with the same Tree that
// builds use.
type shelf struct {
	public string
	tree   *release.Tree
	// docs are the documents by file; gone are those with a stub.
	docs map[string]string
	gone map[string]bool
	// owners are the owners of companySlugs that differ from the default.
	owners map[string]release.Owner
}

const companies = "api/v1/marketplace/companies/"

func newShelf(t fatal, dir string) *shelf {
	t.Helper()
	s := &shelf{public: filepath.Join(dir, "public"), gone: map[string]bool{}, owners: map[string]release.Owner{}}
	s.tree = s.open(t)
	s.docs = map[string]string{
		document.MarketFile:                               `{"url":"https://market.example/","apiUrl":"https://market.example/api/v1/marketplace"}`,
		document.OpenAPIFile:                              `{"openapi":"3.1.0"}`,
		document.RobotsFile:                               "User-agent: *\n",
		document.HealthFile:                               `{"status":"ok"}`,
		"api/v1/marketplace/articles.json":                `{"items":[]}`,
		"api/v1/marketplace/articles/news.json":           strings.Repeat(`{"article":"news"}`, 40),
		"api/v1/marketplace/categories/product/arms.json": `{"kind":"category"}`,
		"sitemaps/companies.xml":                          strings.Repeat("<urlset/>", 80),
		picture("acme"):                                   "<svg/>",
	}
	for _, company := range []string{"acme", "globex"} {
		s.docs[companies+company+".json"] = written(company, strings.Repeat(company, 100))
		s.docs[companies+company+"/products/arm.json"] = written(company+"/products/arm", "arm")
	}
	for _, file := range slices.Sorted(maps.Keys(s.docs)) {
		for _, page := range document.PagesOf(file) {
			s.docs[page] = writtenPage(page)
		}
	}
	s.docs[document.HomeFile], s.docs[document.SearchFile] = writtenPage(document.HomeFile), writtenPage(document.SearchFile)
	s.docs[document.MissingFile], s.docs[styleFile] = writtenPage(document.MissingFile), "p{}"
	s.build(t)
	return s
}

// written returns a document for an address that is recognized as written by a build.
func written(address, name string) string {
	return fmt.Sprintf(`{"apiUrl":"https://market.example/api/v1/marketplace/companies/%s","name":%q}`, address, name)
}

// open returns the public folder as another process sees it.
func (s *shelf) open(t fatal) *release.Tree {
	t.Helper()
	tree, err := release.Open(release.Options{Public: s.public, Precompress: 0, Now: time.Now, Ours: document.Ours})
	if err == nil {
		err = tree.Lock(context.Background())
	}
	if err == nil {
		err = tree.Unlock()
	}
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

const styleFile = document.AssetFolder + "style-0123456789abcdef.css"

// writtenPage returns a page that is recognized as written by a build.
func writtenPage(file string) string {
	if strings.HasSuffix(file, ".md") {
		return "# " + file + "\n"
	}
	return `<meta name="generator" content="Souk"><link rel="canonical" href="https://market.example` + document.Address(file) + `">` +
		strings.Repeat(file, 20)
}

// picture returns the file of a picture.
func picture(of string) string {
	return document.MediaFolder + release.DigestOf([]byte(of)).String() + ".svg"
}

// build builds a release of the shelf.
func (s *shelf) build(t fatal) {
	t.Helper()
	ctx := context.Background()
	if err := s.tree.Lock(ctx); err != nil {
		t.Fatal(err)
	}
	plan, err := s.tree.Begin()
	if err != nil {
		t.Fatal(err)
	}
	w := plan.Writer()
	for _, file := range slices.Sorted(maps.Keys(s.docs)) {
		if !s.gone[file] {
			if err := w.Put(file, []byte(s.docs[file])); err != nil {
				t.Fatal(err)
			}
		}
	}
	for file := range s.gone {
		if err := w.Gone(file, document.GoneBody()); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range plan.Unmentioned() {
		w.Remove(file)
	}
	for file := range s.docs {
		if slug := document.CompanyOf(file); slug != "" {
			owner, unusual := s.owners[slug]
			if !unusual {
				owner = release.Owner{ID: slug, Domains: []string{slug + ".example"}}
			}
			plan.Own(slug, owner)
		}
	}
	if _, err := plan.Commit(ctx, time.Now(), false); err != nil {
		t.Fatal(err)
	}
	if err := s.tree.Unlock(); err != nil {
		t.Fatal(err)
	}
}

// remove removes a company and everything it has.
func (s *shelf) remove(t fatal, company string) {
	t.Helper()
	for file := range s.docs {
		if document.CompanyOf(file) == company {
			s.gone[file] = true
		}
	}
	delete(s.docs, picture(company))
	s.build(t)
}

// An arrangement is a destination as a test sees it.
type arrangement struct {
	destination string
	options     Options
	removals    *catalog.Removals
	// bucket is the destination if it is a bucket, unless memory is.
	memory *memory
	bucket bucket
}

// arrange creates a destination in memory, with waits that take no time.
func arrange(t *testing.T, o Options) *arrangement {
	t.Helper()
	if o.State == "" {
		o.State = t.TempDir()
	}
	o.Host.Gone = 410
	o.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return &arrangement{destination: "s3://market", options: o, memory: newMemory()}
}

// publisher returns a new Publisher, as a new process would have it.
func (a *arrangement) publisher(t fatal) *Publisher {
	t.Helper()
	o := a.options.withDefaults()
	if a.memory == nil {
		p, err := Open(a.destination, o)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	return &Publisher{
		client:  verbatim.Client(DefaultTimeout),
		options: o, name: a.destination, folder: filepath.Join(o.State, "publish"),
		layout:  layout{extensionless: o.Extensionless, gzip: o.Gzip},
		store:   a.memory,
		retry:   retrier(o, func(error) bool { return false }),
		journal: &fileJournal{path: filepath.Join(o.State, "publish", "record")},
		fault:   func(string) error { return nil },
	}
}

// publish publishes, and fails if that fails.
func (a *arrangement) publish(t fatal, s *shelf) Report {
	t.Helper()
	report, err := a.publisher(t).Publish(context.Background(), s.tree, a.removals)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// holds fails if a destination is not exactly what the release requires.
func (a *arrangement) holds(t fatal, s *shelf) {
	t.Helper()
	var stands bucket = a.memory
	switch {
	case a.bucket != nil:
		stands = a.bucket
	case a.memory == nil:
		sameFiles(t, s.public, a.destination)
		return
	}
	l := layout{extensionless: a.options.Extensionless, gzip: a.options.Gzip}
	want := map[string]object{}
	s.tree.Each(func(file string, e release.Entry) {
		o := l.object(file, e)
		want[o.key] = o
	})
	for _, key := range stands.keys(t) {
		o, wanted := want[key]
		delete(want, key)
		if !wanted {
			t.Fatalf("%s stands there", key)
		}
		found, err := stands.look(key)
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		if o.encoding == "gzip" {
			name = ".gz"
		}
		if data, err := release.Decompress(name, found.data); err != nil || release.DigestOf(data) != o.entry.Digest {
			t.Fatalf("%s is another: %q", key, found.data)
		}
		if found.metadata != (metadata{document.ContentType(o.file), document.CacheFor(o.file).Header(), o.encoding}) {
			t.Fatalf("%s is described as %+v", key, found.metadata)
		}
	}
	for key := range want {
		t.Fatalf("%s is missing", key)
	}
}

// sameFiles fails if two folders differ in names, bytes or times.
func sameFiles(t fatal, want, got string) {
	t.Helper()
	read := func(folder string) map[string]string {
		files := map[string]string{}
		err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(folder, path)
			if e.IsDir() {
				files[name] = "folder"
				return nil
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			files[name] = fmt.Sprintf("%s %x", info.ModTime().UTC(), release.DigestOf(data))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	w, g := read(want), read(got)
	for name, is := range g {
		if w[name] != is {
			t.Fatalf("%s is %q, not %q", name, is, w[name])
		}
	}
	for name := range w {
		if g[name] == "" {
			t.Fatalf("%s is missing", name)
		}
	}
}

// killer returns a fault that imitates a kill: the n-th step and all later ones fail.
func killer(n int64, kill func()) func(string) error {
	var steps atomic.Int64
	return func(step string) error {
		if steps.Add(1) < n {
			return nil
		}
		kill()
		return fmt.Errorf("killed before: %s", step)
	}
}
