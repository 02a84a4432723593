package release

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"
)

func TestAFailureAtAnyStepLeavesTheOldOrTheNewRelease(t *testing.T) {
	injected := errors.New("injected")
	for fail := 1; ; fail++ {
		s := newSite(t)
		s.mustPublish(s.open(), first)
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
		_, err := publish(tree, second)
		if failed == "" {
			if fail < 10 {
				t.Fatalf("only %d steps were seen", fail)
			}
			return
		}
		if !errors.Is(err, injected) {
			t.Fatalf("a failure of step %d, %s, is told as %v", fail, failed, err)
		}
		if unfinished := errors.As(err, new(*UnfinishedError)); unfinished {
			// Another process, as after a crash, finishes.
			next := s.open()
			if err := next.Lock(context.Background()); err != nil {
				t.Fatal(err)
			}
			s.expect("finished after "+failed, second)
			if err := next.Unlock(); err != nil {
				t.Fatal(err)
			}
		} else {
			s.expect("discarded after "+failed, first)
		}
		s.mustPublish(s.open(), second)
		s.expect("the next release after "+failed, second)
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

func TestTheSameProcessFinishesWhatFailedToApply(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	once := true
	tree.fault = func(step string) error {
		if step == "apply" && once {
			once = false
			return errors.New("no room for a folder")
		}
		return nil
	}
	s.now = s.now.Add(10 * time.Second)
	if _, err := publish(tree, second); !errors.As(err, new(*UnfinishedError)) {
		t.Fatalf("got %v", err)
	}
	s.mustPublish(tree, second)
	s.expect("the next release of the same process", second)
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
