package release

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAStubAddedTwiceCountsOnce(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, map[string]string{"a.json": long("a"), "b.json": long("b")})
	if err := tree.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	plan, err := tree.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*Writer{plan.Writer(), plan.Writer()} {
		if err := w.Gone("a.json", []byte("ours: gone")); err != nil {
			t.Fatal(err)
		}
	}
	result, err := plan.Commit(t.Context(), clock, false)
	if err := errors.Join(err, tree.Unlock()); err != nil {
		t.Fatal(err)
	}
	if result.Written != 1 || result.ID != tree.ID() {
		t.Errorf("%d written, the id is %s and %s", result.Written, result.ID, tree.ID())
	}
}

func TestFilesStagedByAKilledProcessAreNotReleased(t *testing.T) {
	s := newSite(t)
	for name, within := range map[string]bool{"beside the public folder": false, "within the public folder": true} {
		s.dir = t.TempDir()
		tree := s.open()
		s.mustPublish(tree, map[string]string{"a.json": long("a")})
		tree.stages = tree.stagesAt(within)
		killed := s.open()
		if err := killed.Lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		killed.stages = killed.stagesAt(within)
		plan, err := killed.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"a.json", "new.json"} {
			if err := plan.Writer().Put(file, []byte(long("killed"))); err != nil {
				t.Fatal(err)
			}
		}
		// Its lock is released, and nothing else happens.
		if err := killed.Unlock(); err != nil {
			t.Fatal(err)
		}
		documents := map[string]string{"a.json": long("a"), "b.json": long("b")}
		s.mustPublish(tree, documents)
		s.expect("staged "+name, documents)
	}
}

func TestAPictureWhoseBytesDoNotMatchItsNameIsNotKept(t *testing.T) {
	s := newSite(t)
	name := DigestOf([]byte("ours: a picture")).String() + ".svg"
	s.mustPublish(s.open(), map[string]string{name: "ours: a picture"})
	for body, kept := range map[string]bool{"ours: a picture": true, "ours: a pic": false} {
		if err := os.WriteFile(filepath.Join(s.dir, "public", name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		tree := s.open()
		if err := tree.Lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		plan, err := tree.Begin()
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Writer().Keep(name); got != kept {
			t.Errorf("%q is kept: %t", body, got)
		}
		if err := errors.Join(plan.Discard(), tree.Unlock()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryFileOfACommittedReleaseCanBeOpenedWhileItIsApplied(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	steps := 0
	tree.fault = func(step string) error {
		if step != "apply" && step != "delete" && step != "clean" {
			return nil
		}
		tree.Each(func(file string, e Entry) {
			names := []string{file}
			if e.Gzip > 0 {
				names = append(names, file+".gz")
			}
			if e.Brotli > 0 {
				names = append(names, file+".br")
			}
			for _, name := range names {
				f, err := tree.OpenFile(name)
				if err != nil {
					t.Errorf("before %s number %d: %v", step, steps, err)
					continue
				}
				f.Close()
			}
		})
		steps++
		return nil
	}
	s.mustPublish(tree, second)
	if steps < 10 {
		t.Errorf("there were only %d steps", steps)
	}
}

// The public folder still has the previous release, which may show a removed seller.
func TestAnUnreadableStagedFileIsNotReadFromThePreviousRelease(t *testing.T) {
	public, stage := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(public, "list.json"), []byte("before"), 0o644); err != nil {
		t.Fatal(err)
	}
	// Not even root can open it.
	if err := os.Symlink("list.json", filepath.Join(stage, "list.json")); err != nil {
		t.Skip(err)
	}
	if f, err := openFile(public, stage, "list.json"); err == nil {
		f.Close()
		t.Error("the file of the release before is opened")
	}
}

func TestFileNamesStayUnchangedHoweverManyFollow(t *testing.T) {
	var all fileNames
	var kept, want []string
	for i := range 5000 {
		name := strings.Repeat(fmt.Sprint(i, "/"), i%70)
		if i == 2500 {
			name = strings.Repeat("long", mostNames)
		}
		kept, want = append(kept, all.keep(name)), append(want, name)
	}
	if !slices.Equal(kept, want) {
		t.Error("a name is another")
	}
}
