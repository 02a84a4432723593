package release

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// touch changes one file of a site with a plan that only knows that file, and sets an
// owner.
func (s *site) touch(r *Reader, file, body string, o Owner) {
	s.t.Helper()
	tree := s.open()
	err := tree.LockTouching(s.t.Context(), r, []string{file})
	if err != nil {
		s.t.Fatal(err)
	}
	plan, err := tree.Begin()
	if err != nil {
		s.t.Fatal(err)
	}
	w := plan.Writer()
	plan.Own(file, o)
	if body == "" {
		w.Withdraw(file, false)
	} else {
		err = w.Copy(file, Entry{Digest: DigestOf([]byte(body)), ModTime: s.now.UnixNano(), Gzip: 1}, []byte(body))
	}
	if err == nil {
		_, err = plan.Commit(s.t.Context(), clock, true)
	}
	if err := errors.Join(err, tree.Unlock()); err != nil {
		s.t.Fatal(err)
	}
	if err := r.Refresh(); err != nil {
		s.t.Fatal(err)
	}
}

func TestAPlanOfOnlyTheTouchedFilesLeavesTheRestUnchanged(t *testing.T) {
	s := newSite(t)
	s.mustPublish(s.open(), first)
	r, err := Follow(filepath.Join(s.dir, "public"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := maps.Clone(first)
	large := Owner{ID: strings.Repeat("x", 2<<20)}
	for i, step := range []struct {
		file, body string
		owner      Owner
	}{
		{"new.json", long("new"), Owner{ID: "new"}},
		{"new.json", long("newer"), large}, // the log is long by now
		{"other.json", long("other"), Owner{ID: "other"}},
		{"new.json", "", Owner{ID: "old"}},
		{"last.json", long("last"), Owner{ID: "last"}},
	} {
		s.touch(r, step.file, step.body, step.owner)
		want[step.file] = step.body
		if step.body == "" {
			delete(want, step.file)
		}
		whole := s.open()
		if err := errors.Join(whole.Lock(t.Context()), whole.Unlock()); err != nil {
			t.Fatal(err)
		}
		if whole.ID() != r.ID() {
			t.Errorf("step %d: the release is %s to readers, %s to builds", i, r.ID(), whole.ID())
		}
		s.expect("after a step", want)
		if o, _ := r.Owner(step.file); o.ID != step.owner.ID {
			t.Errorf("step %d: the owner is %.20q", i, o.ID)
		}
	}
	if result := s.mustPublish(s.open(), want); result.Written != 0 || result.Removed != 0 {
		t.Errorf("a build finds %+v to do", result)
	}
}

func TestReadersLearnOfDamageOnceTheTreeIsSettled(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	r, err := Follow(filepath.Join(s.dir, "public"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	again := s.open()
	damaged := ""
	for damaged = range first {
		break
	}
	if err := errors.Join(os.WriteFile(again.Path(damaged), []byte("ours: damaged"), 0o644), again.Lock(t.Context()), again.Settle()); err != nil {
		t.Fatal(err)
	}
	if err := r.Refresh(); err != nil {
		t.Fatal(err)
	}
	if e, _ := r.Lookup(damaged); e.Digest != DigestOf([]byte("ours: damaged")) {
		t.Errorf("%s is told as it was", damaged)
	}
}
