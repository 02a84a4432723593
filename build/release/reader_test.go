package release

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// toldBy returns everything that a release reports about itself.
func toldBy(r interface {
	Each(func(string, Entry))
	EachOwner(func(string, Owner))
	ID() string
	Summary() (int, int64)
}) (files map[string]Entry, owners map[string]Owner, rest string) {
	files, owners = map[string]Entry{}, map[string]Owner{}
	r.Each(func(file string, e Entry) { files[file] = e })
	r.EachOwner(func(key string, o Owner) { owners[key] = o })
	documents, bytes := r.Summary()
	return files, owners, fmt.Sprint(r.ID(), documents, bytes)
}

// sameAsTree fails if a Reader differs from the Tree that wrote the release.
func sameAsTree(t interface {
	Helper()
	Errorf(string, ...any)
}, when string, r *Reader, tree *Tree) {
	t.Helper()
	files, owners, rest := toldBy(r)
	wantFiles, wantOwners, wantRest := toldBy(tree)
	if !maps.Equal(files, wantFiles) || !reflect.DeepEqual(owners, wantOwners) || rest != wantRest {
		t.Errorf("%s: the reader has\n%v\n%v\n%s, the tree\n%v\n%v\n%s", when, files, owners, rest, wantFiles, wantOwners, wantRest)
	}
	for file, want := range wantFiles {
		if got, there := r.Lookup(file); !there || got != want || !r.Has(file) {
			t.Errorf("%s: %s is %v, %v", when, file, got, there)
		}
	}
	for key, want := range wantOwners {
		if got, known := r.Owner(key); !known || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the owner of %s is %v, %v", when, key, got, known)
		}
	}
	for _, none := range []string{"", "a", "zzz", "a/x.json.gz", "../log"} {
		if r.Has(none) {
			t.Errorf("%s: the reader has %q", when, none)
		}
	}
}

// drawRelease publishes a random release and returns the revision of its removals.
func drawRelease(t *testing.T, r *rapid.T, s *site, tree *Tree) uint64 {
	t.Helper()
	names := []string{"a/x.json", "a/y.json", "a/y-z.json", "b.json", "b/c.json", "b/c/d.html", "ü.json"}
	revision := rapid.Uint64Range(0, 3).Draw(r, "revision")
	s.now = s.now.Add(10 * time.Second)
	if err := tree.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	plan, err := tree.Begin()
	if err != nil {
		t.Fatal(err)
	}
	plan.SetRevision(revision)
	w := plan.Writer()
	for _, name := range names {
		switch rapid.IntRange(0, 4).Draw(r, name) {
		case 0, 1:
			err = w.Put(name, []byte(long(fmt.Sprint(name, rapid.IntRange(0, 2).Draw(r, "version")))))
		case 2:
			w.Remove(name)
		case 3:
			if tree.Has(name) {
				err = w.Gone(name, []byte("ours: gone"))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if rapid.Bool().Draw(r, "owner") {
		plan.Own(rapid.SampledFrom([]string{"acme", "bolt", "acme/products/x"}).Draw(r, "key"), Owner{
			ID: rapid.SampledFrom([]string{"acme", "ü", ""}).Draw(r, "id"), Domains: rapid.SliceOfN(rapid.SampledFrom([]string{"a.example", "b.example"}), 1, 3).Draw(r, "domains"),
			Replaces: rapid.Bool().Draw(r, "replaces"),
		})
	}
	if _, err := plan.Commit(t.Context(), clock, rapid.Bool().Draw(r, "restate")); err != nil {
		t.Fatal(err)
	}
	if rapid.IntRange(0, 3).Draw(r, "log is long") == 0 {
		if err := tree.log.replace(tree.manifest.fullRecord()); err != nil {
			t.Fatal(err)
		}
	}
	if err := tree.Unlock(); err != nil {
		t.Fatal(err)
	}
	return revision
}

func TestAReaderEqualsTheTreeAfterAnyReleases(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := &site{t: t, dir: t.TempDir(), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), pre: 100}
		tree := s.open()
		var reader *Reader
		for step := range rapid.IntRange(1, 5).Draw(r, "releases") {
			if rapid.IntRange(0, 3).Draw(r, "another process") == 0 {
				tree = s.open()
			}
			revision := drawRelease(t, r, s, tree)
			var err error
			if reader == nil {
				if reader, err = Follow(tree.options.Public); err != nil {
					t.Fatal(err)
				}
				defer reader.Close()
			} else if rapid.IntRange(0, 3).Draw(r, "looks away") > 0 {
				if err := reader.Refresh(); err != nil {
					t.Fatal(err)
				}
			} else {
				continue
			}
			sameAsTree(r, fmt.Sprint("release ", step), reader, tree)
			if _, made := reader.BuiltFrom(); made != revision {
				r.Errorf("release %d was made with revision %d, the reader says %d", step, revision, made)
			}
			if err := reader.Refresh(); err != nil {
				r.Errorf("nothing is new, and the reader says %v", err)
			}
			again, err := Follow(tree.options.Public)
			if err != nil {
				t.Fatal(err)
			}
			sameAsTree(r, "opened anew", again, tree)
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestAReaderOpensEveryFileOfACommittedReleaseBeforeItIsApplied(t *testing.T) {
	for _, within := range []bool{false, true} {
		s := newSite(t)
		tree := s.open()
		s.mustPublish(tree, first)
		reader, err := Follow(tree.options.Public)
		if err != nil {
			t.Fatal(err)
		}
		tree.stages = tree.stagesAt(within)
		steps := 0
		tree.fault = func(step string) error {
			if step != "apply" && step != "delete" && step != "clean" {
				return nil
			}
			steps++
			if err := reader.Refresh(); err != nil {
				t.Fatal(err)
			}
			reader.Each(func(file string, e Entry) {
				if !tree.Has(file) {
					t.Errorf("%s is in the reader's release, and not in the tree's", file)
				}
			})
			tree.Each(func(file string, e Entry) {
				for name, wanted := range map[string]bool{file: true, file + ".gz": e.Gzip > 0, file + ".br": e.Brotli > 0} {
					if !wanted {
						continue
					}
					for who, open := range map[string]func(string) (*os.File, error){"the reader": reader.OpenFile, "the tree": tree.OpenFile} {
						f, err := open(name)
						if err != nil {
							t.Errorf("before %s number %d: %v", step, steps, err)
							continue
						}
						body, err := io.ReadAll(f)
						f.Close()
						if name == file && (err != nil || DigestOf(body) != e.Digest) {
							t.Errorf("before %s number %d %s opens another %s than that of the release, %v", step, steps, who, file, err)
						}
					}
				}
			})
			return nil
		}
		s.mustPublish(tree, second)
		if steps < 10 {
			t.Errorf("there were only %d steps", steps)
		}
		sameAsTree(t, "in the end", reader, tree)
		if err := reader.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAReaderFollowsChangesOfTheLog(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	reader, err := Follow(tree.options.Public)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	one := reader.ID()
	size := tree.log.size
	s.mustPublish(tree, second)
	two := refreshed(t, reader)
	more, err := os.ReadFile(tree.log.path)
	if err != nil {
		t.Fatal(err)
	}
	// A record that could not be synced is undone.
	if err := os.Truncate(tree.log.path, size); err != nil {
		t.Fatal(err)
	}
	if got := refreshed(t, reader); got != one || two == one {
		t.Errorf("a record that was taken back: %s, before %s and %s", got, one, two)
	}
	// A partial record is ignored until it is complete.
	for _, part := range []int{3, 20, len(more) - int(size) - 1, len(more) - int(size)} {
		f, err := os.OpenFile(tree.log.path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteAt(more[size:int(size)+part], size)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		want := one
		if int(size)+part == len(more) {
			want = two
		}
		if got := refreshed(t, reader); got != want {
			t.Errorf("with %d of %d bytes more the release is %s, want %s", part, len(more)-int(size), got, want)
		}
	}
}

func TestAReaderKeepsItsReleaseIfTheLogIsDamagedOrLost(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	one := tree.ID()
	s.mustPublish(tree, second)
	reader, err := Follow(tree.options.Public)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	two := reader.ID()
	damaged, err := os.ReadFile(tree.log.path)
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := reader.Lookup("deep/er/w.json")
	damaged[len(logMagic)+chunkHead+flatHeader+40] ^= 1
	aside := filepath.Join(s.dir, "aside")
	if err := errors.Join(os.WriteFile(aside, damaged, 0o644), os.Rename(aside, tree.log.path)); err != nil {
		t.Fatal(err)
	}
	if err := reader.Refresh(); !errors.Is(err, ErrNoRelease) {
		t.Errorf("a damaged log is told as %v", err)
	}
	if got, there := reader.Lookup("deep/er/w.json"); !there || got != entry || reader.ID() != two {
		t.Error("it took the release with it")
	}
	s.mustPublish(s.open(), first)
	if got := refreshed(t, reader); got != one {
		t.Errorf("after it was made anew: %s, want %s", got, one)
	}
	if err := os.Remove(tree.log.path); err != nil {
		t.Fatal(err)
	}
	if err := reader.Refresh(); !errors.Is(err, ErrNoRelease) || reader.ID() != one {
		t.Errorf("a lost log is told as %v", err)
	}
}

func TestAReaderNoticesADeletedFileOnceItIsRequested(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	reader, err := Follow(tree.options.Public)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	s.mustPublish(tree, second)
	if _, err := reader.OpenFile("b/z.json"); !errors.Is(err, os.ErrNotExist) || reader.Has("b/z.json") {
		t.Errorf("it is in the release still: %v", err)
	}
}

func refreshed(t *testing.T, r *Reader) string {
	t.Helper()
	if err := r.Refresh(); err != nil {
		t.Fatal(err)
	}
	return r.ID()
}

// TestTheFirstRecordIsNeverChangedInPlace checks what memory mappings rely on: reading
// beyond the end of a truncated file would crash the program.
func TestTheFirstRecordIsNeverChangedInPlace(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	reader, err := Follow(tree.options.Public)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	held, err := os.Open(tree.log.path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	before := make([]byte, len(reader.now.log.mapped))
	copy(before, reader.now.log.mapped)
	same := func(when string) {
		t.Helper()
		got := make([]byte, len(before))
		if _, err := held.ReadAt(got, 0); err != nil || string(got) != string(before) {
			t.Errorf("%s, the first record is changed: %v", when, err)
		}
	}
	s.mustPublish(s.open(), second)
	same("after a release")
	for _, part := range []string{"a/x.json", "c/new.json"} {
		if err := os.Remove(filepath.Join(s.dir, "public", part)); err != nil {
			t.Fatal(err)
		}
	}
	s.mustPublish(s.open(), second)
	same("after damage")
	f, err := os.OpenFile(tree.log.path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{1}, int64(len(logMagic)+8)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	held.Close()
	if held, err = os.Open(tree.log.path); err != nil {
		t.Fatal(err)
	}
	if _, err := held.ReadAt(before, 0); err != nil {
		t.Fatal(err)
	}
	s.mustPublish(s.open(), first)
	same("after a log that cannot be read")
}
