package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheFolderOfAReleaseIsBesideThePublicOne(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for public, want := range map[string]string{
		"public": filepath.Join(here, "public.release"), "public/": filepath.Join(here, "public.release"), ".": here + ".release",
		"/srv/market/public/": "/srv/market/public.release", "/srv/../srv/site": "/srv/site.release",
	} {
		if got := Folder(public); got != want {
			t.Errorf("that of %q is %q, want %q", public, got, want)
		}
	}
}

// TestALogOfAFormerVersionIsTakenOver keeps whose the addresses are, which only the
// log tells.
func TestALogOfAFormerVersionIsTakenOver(t *testing.T) {
	s := newSite(t)
	open := func() *Tree {
		o := s.open().options
		o.State = filepath.Join(s.dir, "var")
		tree, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	owner := Owner{ID: "acme", Domains: []string{"acme.example"}}
	own(t, s.open(), "acme", owner)
	tree := open()
	if err := os.MkdirAll(filepath.Dir(tree.former), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(tree.own, tree.former); err != nil {
		t.Fatal(err)
	}
	s.mustPublish(tree, first)
	if got, _ := tree.Owner("acme"); got.ID != owner.ID {
		t.Errorf("the owner is %+v", got)
	}
	if _, err := os.Lstat(tree.former); !os.IsNotExist(err) {
		t.Errorf("it is left where it was: %v", err)
	}
}

// own makes a release that knows an owner.
func own(t *testing.T, tree *Tree, slug string, o Owner) {
	t.Helper()
	if err := tree.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	plan, err := tree.Begin()
	if err != nil {
		t.Fatal(err)
	}
	plan.Own(slug, o)
	if _, err := plan.Commit(t.Context(), clock, false); err != nil {
		t.Fatal(err)
	}
	if err := tree.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestWhereTheFolderOfAReleaseCannotBeTheErrorSaysWhatToMake(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	if err := os.WriteFile(tree.own, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	err := tree.Lock(t.Context())
	if err == nil || !strings.Contains(err.Error(), "make "+tree.own+", and let this user write there") {
		t.Errorf("got %v", err)
	}
}
