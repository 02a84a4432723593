package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"souk/build/delivery/replica"
	"souk/build/index"
	"souk/build/release"
)

// parts adds search parts to the release of a shelf and returns their keys.
func (s *shelf) parts(t fatal, texts ...string) (keys []string) {
	t.Helper()
	folder := filepath.Join(release.Folder(s.public), "search")
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		d := release.DigestOf([]byte(text))
		if err := os.WriteFile(filepath.Join(folder, d.String()), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, replica.FileKey(d))
	}
	if err := os.WriteFile(filepath.Join(folder, "head"), []byte(strings.Join(keys, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	return keys
}

// steps publishes and returns what was put and deleted, in order.
func (a *arrangement) steps(t *testing.T, s *shelf) []string {
	t.Helper()
	p := a.publisher(t)
	d := &diary{store: p.store}
	p.store = d
	if _, err := p.Publish(t.Context(), s.tree, nil); err != nil {
		t.Fatal(err)
	}
	return d.lines
}

func TestSearchPartsOfARemovedSellerAreDeletedBeforeUploads(t *testing.T) {
	a := arrange(t, Options{ForServers: true})
	s := newShelf(t, t.TempDir())
	old := s.parts(t, "acme and globex", "initech")
	a.publish(t, s)
	s.remove(t, "acme")
	s.docs["api/v1/marketplace/articles/news.json"] = "changed"
	s.build(t)
	fresh := s.parts(t, "globex", "initech")
	lines := a.steps(t, s)
	gone := slices.Index(lines, "delete "+old[0])
	for i, line := range lines {
		if key, put := strings.CutPrefix(line, "put "); put && !isGone(key) && i < gone {
			t.Errorf("%s is uploaded before the part of the removed seller is deleted", key)
		}
	}
	if gone < 0 || slices.Contains(lines, "delete "+fresh[1]) {
		t.Errorf("the steps are %q", lines)
	}
}

func TestTheHeadNamesOnlyUploadedFiles(t *testing.T) {
	a := arrange(t, Options{ForServers: true})
	s := newShelf(t, t.TempDir())
	old := s.parts(t, "one", "two")
	a.publish(t, s)
	s.docs[companies+"acme.json"] = "changed"
	s.build(t)
	fresh := s.parts(t, "one", "three")
	lines := a.steps(t, s)
	head := slices.Index(lines, "put "+replica.HeadKey)
	for i, line := range lines {
		if strings.HasPrefix(line, "put ") && i > head {
			t.Errorf("%q comes after the head", line)
		}
		if strings.HasPrefix(line, "delete "+replica.PrivatePrefix) && i < head {
			t.Errorf("%q comes while the head before names it", line)
		}
	}
	for _, line := range []string{"put " + fresh[1], "delete " + old[1]} {
		if !slices.Contains(lines, line) {
			t.Errorf("%q is not among %q", line, lines)
		}
	}
	// The document, the description, the only chunk, two files and the head; three of them
	// replace others.
	if len(lines) != 9 {
		t.Errorf("the change of a document and of a part takes %d steps: %q", len(lines), lines)
	}
	if lines := a.steps(t, s); len(lines) != 0 {
		t.Errorf("no change takes %q", lines)
	}
}

func TestARemovalDoesNotWaitForSearchPartsAndTheHeadNamesTheRightOnes(t *testing.T) {
	a := arrange(t, Options{ForServers: true})
	s := newShelf(t, t.TempDir())
	old := s.parts(t, "acme and globex", "initech")
	head := filepath.Join(release.Folder(s.public), "search", "head")
	of := func(id string) {
		set, err := index.Write(t.Context(), &index.Corpus{}, index.Options{Folder: filepath.Dir(head), State: index.State{Release: id}})
		if err == nil {
			err = set.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	of(s.tree.ID())
	a.publish(t, s)
	before, _ := a.memory.look(replica.HeadKey)
	was := s.tree.ID()
	s.remove(t, "acme")
	s.parts(t, "initech")
	of(was)
	if _, err := a.publisher(t).Publish(t.Context(), s.tree, nil); !errors.Is(err, ErrBehind) || !errors.Is(err, ErrNewer) {
		t.Fatalf("it ends with %v", err)
	}
	now, _ := a.memory.look(replica.HeadKey)
	if a.memory.has(companies+"acme.json") || a.memory.has(old[0]) || !a.memory.has(old[1]) || !bytes.Equal(now.data, before.data) {
		t.Errorf("there are %q", a.memory.keys(t))
	}
	fresh := s.parts(t, "globex", "initech")
	of(s.tree.ID())
	a.publish(t, s)
	if now, _ := a.memory.look(replica.HeadKey); !a.memory.has(fresh[0]) || bytes.Equal(now.data, before.data) {
		t.Errorf("then there are %q", a.memory.keys(t))
	}
}

func TestWithoutARecordLeftoverFilesForServersAreDeleted(t *testing.T) {
	a := arrange(t, Options{ForServers: true})
	s := newShelf(t, t.TempDir())
	old := s.parts(t, "acme", "globex")
	a.publish(t, s)
	a.memory.set(replica.PrivatePrefix+"note.txt", thing{data: []byte("somebody's")})
	fresh := s.parts(t, "globex")
	a.options.State = t.TempDir()
	a.publish(t, s)
	if a.memory.has(old[0]) || !a.memory.has(fresh[0]) || !a.memory.has(replica.PrivatePrefix+"note.txt") {
		t.Errorf("there are %q", a.memory.keys(t))
	}
	a.options.ForServers = false
	a.publish(t, s)
	for _, key := range a.memory.keys(t) {
		if isPrivate(key) && key != replica.PrivatePrefix+"note.txt" {
			t.Errorf("%s is left where nothing is asked for servers", key)
		}
	}
}

func TestFilesForServersAreWrittenAgainAfterAnotherMachinesHead(t *testing.T) {
	a := arrange(t, Options{ForServers: true})
	s := newShelf(t, t.TempDir())
	part := s.parts(t, "words")[0]
	a.publish(t, s)
	a.memory.set(replica.HeadKey, thing{data: []byte("another's")})
	a.memory.set(part, thing{data: []byte("spoilt")})
	a.publish(t, s)
	if found, err := a.memory.look(part); err != nil || string(found.data) != "words" {
		t.Errorf("the part is %q, %v", found.data, err)
	}
}

func TestOneOfTwoPublishersLearnsThatTheHeadIsAnothers(t *testing.T) {
	a := arrangeS3(t, Options{ForServers: true})
	a.destination = strings.Replace(a.destination, "s3://market", "s3://market/public", 1)
	s := newShelf(t, t.TempDir())
	s.parts(t, "words")
	a.publish(t, s)
	var once sync.Once
	s.docs[companies+"acme.json"] = "changed"
	s.build(t)
	other := *a.arrangement
	other.options.State = t.TempDir()
	a.server.Meddle(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "public.release/head") {
			once.Do(func() {
				a.server.Meddle(nil)
				t := newShelf(t, t.TempDir())
				if _, err := other.publisher(t0{}).Publish(context.Background(), t.tree, nil); err != nil {
					panic(err)
				}
			})
		}
		return false
	})
	_, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
	if !errors.Is(err, errOvertaken) {
		t.Fatalf("it ends with %v", err)
	}
	a.publish(t, s) // and the next one replaces them all
	a.holds(t, s)
}

// t0 is a fatal for other goroutines.
type t0 struct{}

func (t0) Helper()                   {}
func (t0) Fatal(args ...any)         { panic(fmt.Sprint(args...)) }
func (t0) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }

func TestFilesForServersAreNeverUploadedToAPublicPlace(t *testing.T) {
	a := arrangeS3(t, Options{ForServers: true})
	a.destination = strings.Replace(a.destination, "s3://market", "s3://market/public", 1)
	s := newShelf(t, t.TempDir())
	s.parts(t, "words that no document has")
	a.server.Meddle(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") != "" {
			for name := range r.Header {
				if strings.HasPrefix(strings.ToLower(name), "x-amz-acl") || strings.HasPrefix(strings.ToLower(name), "x-amz-grant") {
					t.Errorf("%s %s has %s", r.Method, r.URL.Path, name)
				}
			}
			return false
		}
		// The bucket's policy allows anyone to read.
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		w.Header().Set("ETag", `"x"`)
		return r.Method == http.MethodGet
	})
	_, err := a.publisher(t).Publish(t.Context(), s.tree, nil)
	if !errors.Is(err, ErrExposed) || !strings.Contains(err.Error(), "without --for-servers") {
		t.Fatalf("it ends with %v", err)
	}
	for key := range a.server.Objects(t, "market", "public.release/") {
		if key != "private" {
			t.Errorf("%s was uploaded", key)
		}
	}
	a.server.Meddle(nil)
	a.publish(t, s)
	if n := len(a.server.Objects(t, "market", "public.release/files/")); n != 2 {
		t.Errorf("%d files are there", n)
	}
}

func TestPublishingForServersNeedsAPathInTheBucket(t *testing.T) {
	t.Setenv("AWS_REGION", "eu-central-1")
	for _, open := range map[string]func() error{
		"publish": func() error {
			_, err := Open("s3://market", Options{State: t.TempDir(), ForServers: true})
			return err
		},
		"read": func() error {
			_, err := OpenOrigin("s3://market/", Options{})
			return err
		},
	} {
		if err := open(); !errors.Is(err, ErrLayout) || !strings.Contains(err.Error(), "s3://market/public") {
			t.Errorf("it ends with %v", err)
		}
	}
}

func TestDeletedFilesForServersAreUploadedAgainAfterAListing(t *testing.T) {
	a := arrange(t, Options{ForServers: true, Adopt: true})
	s := newShelf(t, t.TempDir())
	parts := s.parts(t, "acme and globex", "initech")
	a.publish(t, s)
	if lines := a.steps(t, s); len(lines) > 0 {
		t.Errorf("where all is there the steps are %q", lines)
	}
	if err := a.memory.remove(t.Context(), parts[0]); err != nil {
		t.Fatal(err)
	}
	lines := a.steps(t, s)
	if !slices.Contains(lines, "put "+parts[0]) || slices.Contains(lines, "put "+parts[1]) {
		t.Errorf("the steps are %q", lines)
	}
}
