package release

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

func TestAFailureAtAnyStepLeavesTheOldOrTheNewRelease(t *testing.T) {
	file := map[string]string{"a/x.json": long("x"), "d.json": long("file")}
	folder := map[string]string{"a/x.json": long("x"), "d.json/deep/er.json": long("folder"), "d.json/y.json": "ours"}
	for name, change := range map[string][2]map[string]string{
		"of documents":                       {first, second},
		"of a file that becomes a folder":    {file, folder},
		"of a folder that becomes a file":    {folder, file},
		"of a file whose twin was a folder":  {{"d.json.gz/y.json": "ours", "z.json": "ours"}, {"d.json": long("file"), "z.json": "ours"}},
		"of a folder where there was a twin": {{"d.json": long("file"), "z.json": "ours"}, {"d.json": "ours", "d.json.gz/y.json": "ours", "z.json": "ours"}},
	} {
		t.Run(name, func(t *testing.T) { failAtAnyStep(t, change[0], change[1]) })
	}
}

func failAtAnyStep(t *testing.T, before, after map[string]string) {
	injected := errors.New("injected")
	for fail := 1; ; fail++ {
		s := newSite(t)
		s.mustPublish(s.open(), before)
		tree := s.open()
		steps, failed := 0, ""
		tree.fault = func(step string) error {
			if steps++; steps == fail {
				failed = step
				return injected
			}
			return nil
		}
		s.now = s.now.Add(10 * time.Second)
		_, err := publish(tree, after)
		if failed == "" {
			if err != nil || fail < 8 {
				t.Fatalf("%v, and only %d steps were seen", err, fail)
			}
			s.expect("without a failure", after)
			return
		}
		if !errors.Is(err, injected) {
			t.Fatalf("a failure of step %d, %s, is told as %v", fail, failed, err)
		}
		if unfinished := errors.As(err, new(*UnfinishedError)); unfinished {
			// Another process completes it, as after a crash.
			next := s.open()
			if err := next.Lock(context.Background()); err != nil {
				t.Fatal(err)
			}
			s.expect("finished after "+failed, after)
			if err := next.Unlock(); err != nil {
				t.Fatal(err)
			}
		} else {
			s.expect("discarded after "+failed, before)
		}
		s.mustPublish(s.open(), after)
		s.expect("the next release after "+failed, after)
		s.noStages(failed)
	}
}

func (s *site) noStages(after string) {
	s.t.Helper()
	for _, pattern := range []string{"public.release/stage-*", "public/.souk-*"} {
		if left, _ := filepath.Glob(filepath.Join(s.dir, pattern)); left != nil {
			s.t.Errorf("after %s: %v is left over", after, left)
		}
	}
}

func TestTheSameProcessCompletesAFailedApply(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	reader, err := Follow(tree.options.Public)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	full := true
	tree.fault = func(step string) error {
		if step == "apply" && full {
			return errors.New("no room for a folder")
		}
		return nil
	}
	s.now = s.now.Add(10 * time.Second)
	if _, err := publish(tree, second); !errors.As(err, new(*UnfinishedError)) {
		t.Fatalf("got %v", err)
	}
	for range 3 {
		if err := tree.Lock(t.Context()); err == nil {
			t.Fatal("the folder is locked, and what is committed is not in place")
		}
	}
	full = false
	if err := errors.Join(tree.Lock(t.Context()), tree.Unlock()); err != nil {
		t.Fatal(err)
	}
	s.expect("finished by the same process", second)
	refreshed(t, reader)
	sameAsTree(t, "finished", reader, tree)
	s.mustPublish(tree, first)
	s.expect("the next release of the same process", first)
}

func TestAnotherProcessesReleaseIsSeen(t *testing.T) {
	s := newSite(t)
	one, two := s.open(), s.open()
	s.mustPublish(one, first)
	s.mustPublish(two, second)
	s.mustPublish(one, first)
	s.expect("three releases of two processes", first)
	if one.ID() == two.ID() {
		t.Error("the second process's release has the id of the third")
	}
}

// TestAnotherProcessesReleaseIsSeenIfItsLogHasTheSameSize has another process replace a
// damaged log by one of the same size.
func TestAnotherProcessesReleaseIsSeenIfItsLogHasTheSameSize(t *testing.T) {
	s := newSite(t)
	one := s.open()
	s.mustPublish(one, first)
	size := one.log.size
	s.write("a/y.json", "ours: damaged")
	two := s.open()
	s.mustPublish(two, map[string]string{"a/x.json": long("y"), "a/y.json": "ours: z", "b/z.json": vast("a"), "deep/er/w.json": "ours"})
	if two.log.size != size {
		t.Fatalf("the log has %d bytes, and had %d", two.log.size, size)
	}
	if !one.Overtaken() {
		t.Error("it is not seen")
	}
	if err := errors.Join(one.Lock(t.Context()), one.Unlock()); err != nil {
		t.Fatal(err)
	}
	if one.ID() != two.ID() {
		t.Errorf("the release is %s, want %s", one.ID(), two.ID())
	}
	if one.Overtaken() {
		t.Error("its own log is taken for another's")
	}
}
