package release

import (
	"errors"
	"testing"
)

func TestAStubThatIsToldTwiceCountsOnce(t *testing.T) {
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
