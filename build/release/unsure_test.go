package release

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestARecordThatCouldNotBeUndoneIsCompleted leaves a record in the log that was reported
// as failed. This happens if neither the sync nor its undoing succeeds, or if the name of a
// new log cannot be synced. Readers of the log consider it committed, so the files that it
// lists must appear.
func TestARecordThatCouldNotBeUndoneIsCompleted(t *testing.T) {
	for name, spoil := range map[string]func(s *site){
		"appended":      func(*site) {},
		"the log anew":  func(s *site) { s.write("a/y.json", "ours: damaged") },
		"the same size": func(s *site) { s.write("deep/er/w.json", "ours: damaged") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.mustPublish(s.open(), first)
			next := second
			if name == "the same size" {
				next = map[string]string{"a/x.json": long("y"), "a/y.json": "ours: z", "b/z.json": vast("a"), "deep/er/w.json": "ours"}
			}
			reader, err := Follow(filepath.Join(s.dir, "public"))
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			spoil(s)
			tree := s.open()
			tree.fault = func(step string) error {
				if step == "record" {
					return os.ErrDeadlineExceeded
				}
				return nil
			}
			s.now = s.now.Add(10 * time.Second)
			if _, err := publish(tree, next); !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, new(*UnfinishedError)) {
				t.Fatalf("it is told as %v", err)
			}
			refreshed(t, reader)
			for file, body := range next {
				if body == "" {
					file, body = StubOf(file), "ours: gone"
				}
				f, err := reader.OpenFile(file)
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(f.Name())
				if err := errors.Join(err, f.Close()); err != nil || string(got) != body {
					t.Errorf("a reader has the manifest of the release, and of %s the bytes %.20q, %v", file, got, err)
				}
			}
			tree.fault = func(string) error { return nil }
			if err := errors.Join(tree.Lock(t.Context()), tree.Unlock()); err != nil {
				t.Fatal(err)
			}
			s.expect("finished by the next command", next)
			s.noStages(name)
			sameAsTree(t, "in the end", reader, tree)
		})
	}
}

// write changes a file of the public folder, as another program might.
func (s *site) write(file, body string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, "public", file), []byte(body), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// TestAReleaseOfOnlyDeletionsIsCompletedAfterAKill has nothing to rename into place except
// the release's description.
func TestAReleaseOfOnlyDeletionsIsCompletedAfterAKill(t *testing.T) {
	s := newSite(t)
	s.mustPublish(s.open(), first)
	fewer := map[string]string{"a/x.json": long("x"), "a/y.json": "ours: y", "deep/er/w.json": "ours"}
	killed := s.open()
	killed.fault = func(step string) error {
		if step == "apply" || step == "delete" {
			return os.ErrDeadlineExceeded
		}
		return nil
	}
	s.now = s.now.Add(10 * time.Second)
	if _, err := publish(killed, fewer); !errors.As(err, new(*UnfinishedError)) {
		t.Fatalf("it is told as %v", err)
	}
	next := s.open()
	if err := errors.Join(next.Lock(t.Context()), next.Unlock()); err != nil {
		t.Fatal(err)
	}
	s.expect("finished", fewer)
}

// TestARevisionIsReportedOnceItsFilesAreInPlace checks the reported revision at each step of
// a release. Another host may serve the same folder, and it serves the old file until the
// rename.
func TestARevisionIsReportedOnceItsFilesAreInPlace(t *testing.T) {
	s := newSite(t)
	make := func(tree *Tree, revision uint64, documents map[string]string) error {
		s.now = s.now.Add(10 * time.Second)
		if err := tree.Lock(t.Context()); err != nil {
			return err
		}
		plan, err := tree.Begin()
		if err != nil {
			return errors.Join(err, tree.Unlock())
		}
		plan.SetRevision(revision)
		w := plan.Writer()
		for file, body := range documents {
			if body == "" {
				err = errors.Join(err, w.Gone(file, []byte("ours: gone")))
			} else {
				err = errors.Join(err, w.Put(file, []byte(body)))
			}
		}
		if err == nil {
			_, err = plan.Commit(t.Context(), clock, false)
		}
		return errors.Join(err, tree.Unlock())
	}
	tree := s.open()
	if err := make(tree, 1, first); err != nil {
		t.Fatal(err)
	}
	reader, err := Follow(filepath.Join(s.dir, "public"))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	made := func(when string, want uint64) {
		t.Helper()
		refreshed(t, reader)
		if _, got := reader.BuiltFrom(); got != want {
			t.Errorf("%s, a reader says that revision %d is there, want %d", when, got, want)
		}
		if _, got := tree.BuiltFrom(); got != want {
			t.Errorf("%s, the tree says that revision %d is there, want %d", when, got, want)
		}
	}
	made("at first", 1)
	broken := errors.New("no room for a folder")
	steps := 0
	tree.fault = func(step string) error {
		made("before "+step, 1)
		if steps++; step == "clean" {
			return broken
		}
		return nil
	}
	if err := make(tree, 2, second); !errors.Is(err, broken) || steps < 10 {
		t.Fatalf("%d steps, %v", steps, err)
	}
	made("while it is not finished", 1)
	tree.fault = func(string) error { return nil }
	if err := errors.Join(tree.Lock(t.Context()), tree.Unlock()); err != nil {
		t.Fatal(err)
	}
	made("once it is", 2)
	// A record that a reader saw and that was then undone has no effect.
	size := tree.log.size
	tree.fault = func(step string) error {
		if step != "apply" {
			return nil
		}
		refreshed(t, reader)
		return errors.Join(os.Truncate(tree.log.path, size), os.RemoveAll(tree.moving.Load().stage), broken)
	}
	if err := make(tree, 3, first); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	refreshed(t, reader)
	if _, got := reader.BuiltFrom(); got != 2 {
		t.Errorf("of a record that was taken back, a reader says that revision %d is there, want 2", got)
	}
	if err := make(s.open(), 4, first); err != nil {
		t.Fatal(err)
	}
	refreshed(t, reader)
	if _, got := reader.BuiltFrom(); got != 4 {
		t.Errorf("of the next, a reader says that revision %d is there, want 4", got)
	}
}
