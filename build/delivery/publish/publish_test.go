package publish

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"souk/build/document"
)

// A diary is a store that records what was done, in order.
type diary struct {
	store
	mu    sync.Mutex
	lines []string
}

func (d *diary) note(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

func (d *diary) put(ctx context.Context, o object, b body) error {
	if o.entry.Size > 0 { // the mark, with which every publish begins, has none
		d.note("put " + o.key)
	}
	return d.store.put(ctx, o, b)
}

func (d *diary) swap(ctx context.Context, o object, b body, tag string) (string, error) {
	return swapAfterLook(ctx, d, o, b, tag)
}

func (d *diary) remove(ctx context.Context, key string) error {
	d.note("delete " + key)
	return d.store.remove(ctx, key)
}

func TestRemovalsArePublishedFirstAndTheDescriptionLast(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	s.docs["api/v1/marketplace/articles/news.json"] = "changed"
	s.docs[companies+"initech.json"] = "new"
	delete(s.docs, "api/v1/marketplace/categories/product/arms.json")
	s.remove(t, "acme")

	p := a.publisher(t)
	d := &diary{store: p.store}
	p.store = d
	if _, err := p.Publish(t.Context(), s.tree, nil); err != nil {
		t.Fatal(err)
	}
	first, rest := d.lines[:17], d.lines[17:]
	for _, line := range first {
		if !strings.Contains(line, "/acme") && !strings.Contains(line, "media/") {
			t.Errorf("among the removals is %q", line)
		}
	}
	for _, file := range []string{
		companies + "acme.json", companies + "acme/products/arm.json", "companies/acme.html", "companies/acme.md", "companies/acme/claim.html",
		"companies/acme/remove.html", "companies/acme/products/arm.html", "companies/acme/products/arm.md",
	} {
		stub, gone := slices.Index(first, "put "+document.GoneFile(file)), slices.Index(first, "delete "+file)
		if stub < 0 || gone < stub {
			t.Errorf("the stub of %s is step %d, its deletion step %d", file, stub, gone)
		}
	}
	want := []string{
		"put api/v1/marketplace/articles/news.json", "put " + companies + "initech.json",
		"delete api/v1/marketplace/categories/product/arms.json", "put " + document.ReleaseFile,
	}
	slices.Sort(rest[:2])
	if !slices.Equal(rest, want) {
		t.Errorf("after the removals come %q, not %q", rest, want)
	}
}

func TestAPictureStaysUntilNothingShowsItUnlessARemovalDeletesIt(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	delete(s.docs, picture("acme"))
	s.docs[companies+"acme.json"] = "without a picture"
	s.build(t)
	p := a.publisher(t)
	d := &diary{store: p.store}
	p.store = d
	if _, err := p.Publish(t.Context(), s.tree, nil); err != nil {
		t.Fatal(err)
	}
	if want := []string{"put " + companies + "acme.json", "delete " + picture("acme"), "put " + document.ReleaseFile}; !slices.Equal(d.lines, want) {
		t.Errorf("the steps are %q, not %q", d.lines, want)
	}
}

func TestTheNumberOfRequestsDependsOnTheSizeOfTheChange(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	all := a.publish(t, s)
	if all.Uploaded != len(s.docs)+1 || all.Unchanged != 0 {
		t.Errorf("the first publish uploads %d of %d files", all.Uploaded, len(s.docs)+1)
	}
	s.docs[companies+"acme/products/arm.json"] = "changed"
	s.build(t)
	// The description is read, marked, and written with the document; this store reads each
	// before writing.
	if one := a.publish(t, s); one.Uploaded != 2 || one.Requests != 6 || one.Unchanged != len(s.docs)-1 {
		t.Errorf("one change uploads %d in %d requests, %d stay", one.Uploaded, one.Requests, one.Unchanged)
	}
	if none := a.publish(t, s); none.Requests != 1 || none.Uploaded+none.Deleted != 0 || len(none.Changed) != 0 {
		t.Errorf("no change costs %d requests", none.Requests)
	}
}

func TestAFolderBecomesThePublicFolder(t *testing.T) {
	a := arrange(t, Options{})
	a.memory, a.destination = nil, filepath.Join(t.TempDir(), "out")
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	a.holds(t, s)
	if _, err := os.Stat(filepath.Join(a.destination, companies+"acme.json.br")); err != nil {
		t.Fatal(err)
	}
	s.remove(t, "acme")
	a.publish(t, s)
	a.holds(t, s)
}

func TestAfterLosingTheRecordEverythingIsUploadedAndRemovedAgain(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	s.docs[listPage("0f")] = written("pages/"+strings.Repeat("0f", 16), "acme")
	s.build(t)
	a.publish(t, s)
	delete(s.docs, listPage("0f"))
	s.remove(t, "acme")
	a.options.State = t.TempDir()
	var told []string
	a.options.Notice = func(text string) { told = append(told, text) }
	// The picture of the removed company, and the page that shows it, are no longer in any
	// record.
	report := a.publish(t, s)
	if report.Unchanged != 0 || len(told) != 1 || !strings.Contains(told[0], "there is no record") {
		t.Errorf("%d objects are taken as they are; it says %q", report.Unchanged, told)
	}
	a.holds(t, s)
}

func TestAPublishWithoutARecordDeletesOnlyObsoleteFilesOfBuilds(t *testing.T) {
	for name, adopt := range map[string]bool{"no record": false, "a record, and told to look": true} {
		t.Run(name, func(t *testing.T) { testWhatNoReleaseHas(t, adopt) })
	}
}

func testWhatNoReleaseHas(t *testing.T, adopt bool) {
	a := arrange(t, Options{Adopt: adopt})
	s := newShelf(t, t.TempDir())
	delete(s.docs, document.HomeFile) // another program's file is there
	s.build(t)
	a.publish(t, s)
	foreign := []string{"index.html", "api/v2/other.json", "api/v1/marketplace/companies/not-ours.json"}
	for _, key := range foreign {
		a.memory.set(key, thing{data: []byte("{}")})
	}
	left := companies + "long-gone.json"
	body := `{"apiUrl":"https://market.example/api/v1/marketplace/companies/long-gone"}`
	a.memory.set(left, thing{data: []byte(body)})
	a.memory.set(companies+"globex.json.gz", thing{data: []byte("a twin that another layout had")})
	s.remove(t, "acme")
	if !adopt {
		a.options.State = t.TempDir()
	}
	a.publish(t, s)
	for _, key := range foreign {
		if !a.memory.has(key) {
			t.Errorf("%s, which no build wrote, was deleted", key)
		}
		if err := a.memory.remove(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	a.holds(t, s)
}

func TestAnEmptiedBucketIsFilledAgain(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	clear(a.memory.things)
	a.publish(t, s)
	a.holds(t, s)
}

func TestABuildDuringAPublishEndsItBeforeRemovedSellersAreShown(t *testing.T) {
	for _, builder := range []string{"this process", "another process"} {
		t.Run(builder, func(t *testing.T) {
			a, dir := arrange(t, Options{Requests: Requests{Parallel: 1}}), t.TempDir()
			s := newShelf(t, dir)
			other := s
			if builder == "another process" {
				// Its earlier releases are only visible from the folder.
				other = newShelf(t, dir)
			}
			removed := false
			a.options.Progress = func(int, int) {
				if !removed {
					removed = true
					other.remove(t, "globex")
				}
			}
			_, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
			if !errors.Is(err, ErrNewer) {
				t.Fatalf("the publish ends with %v", err)
			}
			for _, key := range []string{companies + "globex.json", companies + "globex/products/arm.json"} {
				if a.memory.has(key) {
					t.Errorf("%s was uploaded after its removal", key)
				}
			}
			a.publish(t, other)
			a.holds(t, other)
		})
	}
}

func TestChangingTheLayoutReplacesTheOldOne(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	a.options.Extensionless = true
	a.publish(t, s)
	a.holds(t, s)
	for _, key := range []string{"api/v1/marketplace/articles", "api/v1/marketplace/articles/news", "api/v1/openapi.json",
		"index.html", "articles", "articles/news", "articles/news.md", "companies/acme", "companies/acme/claim", "search", "errors/404.html"} {
		if !a.memory.has(key) {
			t.Errorf("%s does not stand", key)
		}
	}
	for _, key := range a.memory.keys(t) {
		if file := fileOf(key); a.publisher(t).layout.keyOf(file) != key {
			t.Errorf("%s is of %s, whose key is %s", key, file, a.publisher(t).layout.keyOf(file))
		}
	}
}

func TestADryRunChangesNothing(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	p := a.publisher(t)
	plan, err := p.Plan(t.Context(), s.tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Steps) != len(s.docs)+1 || plan.Steps[len(plan.Steps)-1].Key != document.ReleaseFile {
		t.Errorf("the plan is %v", plan)
	}
	if n := p.requests(); n != 0 {
		t.Errorf("it made %d requests", n)
	}
	if _, err := os.Stat(p.folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it left a record: %v", err)
	}
}

func TestADamagedRecordIsUsedUpToTheDamage(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	path := filepath.Join(a.options.State, "publish", "record")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{data[:len(data)/2], append(slices.Clone(data[:len(data)-20]), make([]byte, 40)...), []byte("another program's\n"), {}} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		a.publish(t, s)
		a.holds(t, s)
		if again := a.publish(t, s); again.Uploaded != 0 {
			t.Errorf("the record does not recover: %d uploads", again.Uploaded)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the record, which names removed companies, can be read by others: %v %v", info.Mode(), err)
	}
}

func TestALongRecordIsRewritten(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	path := filepath.Join(a.options.State, "publish", "record")
	var largest int64
	for i := range 100 {
		s.docs[companies+"acme.json"] = strings.Repeat("x", i)
		s.build(t)
		a.publish(t, s)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, info.Size())
	}
	if info, err := os.Stat(path); err != nil || info.Size() >= largest {
		t.Errorf("after 100 publishes the record has its largest size, %d bytes: %v", largest, err)
	}
	a.holds(t, s)
}

func TestTheErrorForAnUnsupportedURLNamesTheOneToUse(t *testing.T) {
	for destination, want := range map[string]string{
		"gs://market/site":        "'s3://market/site?endpoint=https://storage.googleapis.com&region=auto'",
		"azblob://container/site": "'s3://container/site?endpoint=https://GATEWAY&use_path_style=true'",
	} {
		if _, err := Open(destination, Options{State: t.TempDir()}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", destination, err)
		}
	}
	// The destination suggested in the message for Google is valid.
	if _, err := Open("s3://market/site?endpoint=https://storage.googleapis.com&region=auto", Options{State: t.TempDir()}); err != nil {
		t.Error(err)
	}
}

func TestSpellingsOfABucketsURLAreEquivalent(t *testing.T) {
	folder := func(destination string) string {
		p, err := Open(destination, Options{State: "var"})
		if err != nil {
			t.Fatal(err)
		}
		return p.folder
	}
	one := folder("s3://market/site?endpoint=https://s3.example&region=auto")
	if folder("s3://market/site/?use_path_style=true&endpoint=https://s3.example/") != one {
		t.Error("another spelling has another record")
	}
	for _, other := range []string{"s3://market?endpoint=https://s3.example", "s3://market/site?endpoint=https://s4.example", "s3://market/site?region=eu-central-1"} {
		if folder(other) == one {
			t.Errorf("%s has the same record", other)
		}
	}
}

func TestInvalidOptionsAreRejectedBeforeAnyRequest(t *testing.T) {
	for _, one := range []struct {
		destination string
		options     Options
		want        error
	}{
		{"ftp://host/x", Options{}, ErrDestination},
		{"s3://", Options{}, ErrDestination},
		{"gs://bucket", Options{}, ErrDestination},
		{"azblob://container", Options{}, ErrDestination},
		{"s3://bucket", Options{}, ErrDestination},
		{"s3://bucket?endpoint=s3.example", Options{}, ErrDestination},
		{"s3://bucket?endpoint=https://s3.example/path", Options{}, ErrDestination},
		{"s3://bucket?region=eu-central-1&use_path_style=yes", Options{}, ErrDestination},
		{"s3://user:secret@bucket", Options{}, ErrDestination},
		{"s3://bucket?secret=hidden", Options{}, ErrDestination},
		{"out", Options{Extensionless: true}, ErrLayout},
		{"out", Options{Gzip: true}, ErrLayout},
		{"out", Options{Record: "ftp://host"}, ErrDestination},
		{"s3:/bucket", Options{}, ErrDestination},
		{"s3:bucket/site", Options{}, ErrDestination},
		{"S3:/bucket?region=eu-central-1&secret=hidden", Options{}, ErrDestination},
		{"file:out", Options{}, ErrDestination},
		{"file://", Options{}, ErrDestination},
		{"host:/srv/market", Options{}, ErrDestination},
		{"out", Options{Record: "s3:/bucket"}, ErrDestination},
		{"./s3:/bucket", Options{}, nil},
		{"c:/market", Options{}, nil}, // a drive
		{"file:/srv/market", Options{}, nil},
	} {
		t.Setenv("AWS_REGION", "")
		t.Setenv("AWS_DEFAULT_REGION", "")
		one.options.State = t.TempDir()
		_, err := Open(one.destination, one.options)
		if !errors.Is(err, one.want) {
			t.Errorf("%s %+v: %v, not %v", one.destination, one.options, err, one.want)
		}
		if err != nil && (strings.Contains(err.Error(), "hidden") || strings.Contains(err.Error(), "user:secret")) {
			t.Errorf("the message tells a secret: %v", err)
		}
	}
}

func TestALinkedFolderStaysWhenARemovalIsPublished(t *testing.T) {
	a := arrange(t, Options{})
	dir := t.TempDir()
	a.memory, a.destination = nil, filepath.Join(dir, "out")
	link := filepath.Join(a.destination, filepath.FromSlash(strings.TrimSuffix(companies, "/")))
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "disk"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "disk"), link); err != nil {
		t.Skip(err)
	}
	s := newShelf(t, t.TempDir())
	a.publish(t, s)
	s.remove(t, "acme")
	a.publish(t, s)
	for file, there := range map[string]bool{"globex.json": true, "acme.gone.json": true, "acme.json": false} {
		if _, err := os.Stat(filepath.Join(link, file)); (err == nil) != there {
			t.Errorf("%s: %v", file, err)
		}
	}
}
