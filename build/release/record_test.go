package release

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestAStubRequestedTwiceCountsOnce(t *testing.T) {
	release := func(times int) (Result, *Tree) {
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
		for range times {
			if err := plan.Writer().Gone("a.json", []byte("ours: gone")); err != nil {
				t.Fatal(err)
			}
		}
		result, err := plan.Commit(t.Context(), clock, false)
		if err = errors.Join(err, tree.Unlock()); err != nil {
			t.Fatal(err)
		}
		return result, tree
	}
	once, _ := release(1)
	twice, tree := release(2)
	if twice.ID != once.ID || twice.ID != tree.ID() || twice.Written != once.Written || len(twice.Changed) != len(once.Changed) {
		t.Errorf("asked for twice: %+v, once: %+v; the tree is of %s", twice, once, tree.ID())
	}
}

func TestATornRecordIsIgnored(t *testing.T) {
	s := newSite(t)
	s.mustPublish(s.open(), first)
	logs, _ := filepath.Glob(filepath.Join(s.dir, "public.release/log"))
	before, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	s.mustPublish(s.open(), second)
	after, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{len(before) + 1, len(before) + 9, len(after) - 1} {
		if err := os.WriteFile(logs[0], after[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		s.mustPublish(s.open(), second)
		s.expect("after a torn record", second)
	}
}

func TestATornRecordIsNotMistakenForAnotherRelease(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, map[string]string{"a.json": long("a")})
	f, err := os.OpenFile(tree.log.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("torn"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if !tree.Overtaken() {
		t.Fatal("what another process writes is not seen")
	}
	if err := errors.Join(tree.Lock(t.Context()), tree.Unlock()); err != nil {
		t.Fatal(err)
	}
	if tree.Overtaken() {
		t.Error("a record that did not happen is taken for another release for good")
	}
}
