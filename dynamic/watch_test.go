package dynamic

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"souk/build"
)

// A watched folder is followed by a watch that runs until the test ends.
type watched struct {
	*testing.T
	*watch
}

func watchFolder(t *testing.T, folders ...string) watched {
	t.Helper()
	root := t.TempDir()
	for _, f := range folders {
		if err := os.MkdirAll(filepath.Join(root, f), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return watchContent(t, root)
}

// watchContent watches an existing folder.
func watchContent(t *testing.T, root string) watched {
	t.Helper()
	w := newWatch(Config{
		Build: build.Config{Content: root, Clock: time.Now},
		Log:   slog.New(slog.DiscardHandler),
	}, systemEvents)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		w.close()
	})
	return watched{t, w}
}

func (w watched) write(file string) {
	w.Helper()
	path := filepath.Join(w.root, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	w.put(path)
}

// put writes a file at a path in an existing folder.
func (w watched) put(path string) {
	w.Helper()
	if err := os.WriteFile(path, []byte(path), 0o644); err != nil {
		w.Fatal(err)
	}
}

// await waits until a path is reported, and fails if one is reported that contains any of
// the unwanted texts.
func (w watched) await(path string, unwanted ...string) {
	w.Helper()
	deadline := time.After(10 * time.Second)
	for {
		select {
		case batch := <-w.changes:
			for _, one := range batch {
				for _, bad := range unwanted {
					if strings.Contains(one, bad) {
						w.Errorf("told of %s", one)
					}
				}
			}
			if slices.Contains(batch, path) {
				return
			}
		case <-deadline:
			w.Fatalf("not told of %s", path)
		}
	}
}

func TestFilesInNewFoldersAreReported(t *testing.T) {
	w := watchFolder(t, "sellers")
	w.write("sellers/acme/products/deep/arm.yaml")
	w.await("sellers/acme")
	w.write("sellers/acme/products/deep/arm.yaml")
	w.await("sellers/acme/products/deep/arm.yaml")
}

func TestExternalThemeIsReportedAsContent(t *testing.T) {
	root, theme := t.TempDir(), t.TempDir()
	w := newWatch(Config{Build: build.Config{Content: root, Theme: theme, Clock: time.Now}, Log: slog.New(slog.DiscardHandler)}, systemEvents)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		w.close()
	})
	if err := os.WriteFile(filepath.Join(theme, "style.css"), []byte("a {}"), 0o644); err != nil {
		t.Fatal(err)
	}
	watched{t, w}.await("theme/style.css", "..")
	// This is how Kubernetes updates a volume.
	if err := errors.Join(os.Symlink("..2026", filepath.Join(theme, "..data_tmp")), os.Rename(filepath.Join(theme, "..data_tmp"), filepath.Join(theme, "..data"))); err != nil {
		t.Fatal(err)
	}
	watched{t, w}.await("theme/..data")
}

func TestMovedFoldersAreFollowedUnderTheirNewNames(t *testing.T) {
	w := watchFolder(t, "sellers/old/products/deep", "elsewhere")
	for range 3 { // back and forth, so that nothing stale remains
		for _, move := range [][2]string{{"sellers/old", "sellers/new"}, {"sellers/new", "elsewhere/old"}, {"elsewhere/old", "sellers/old"}} {
			if err := os.Rename(filepath.Join(w.root, move[0]), filepath.Join(w.root, move[1])); err != nil {
				t.Fatal(err)
			}
			w.await(move[1])
			w.write(move[1] + "/products/deep/arm.yaml")
			w.await(move[1] + "/products/deep/arm.yaml")
		}
	}
}

func TestDeletedFoldersMayReturn(t *testing.T) {
	w := watchFolder(t, "sellers/acme/products")
	if err := os.RemoveAll(filepath.Join(w.root, "sellers/acme")); err != nil {
		t.Fatal(err)
	}
	w.await("sellers/acme")
	w.write("sellers/acme/products/arm.yaml")
	w.await("sellers/acme")
	w.write("sellers/acme/products/arm.yaml")
	w.await("sellers/acme/products/arm.yaml")
}

func TestOtherFilesAreNotReported(t *testing.T) {
	w := watchFolder(t, ".git/objects", "sellers")
	for _, file := range []string{".git/objects/x", "sellers/.a.yaml.swp", "sellers/a.yaml~", ".new/x"} {
		w.write(file)
	}
	w.write("sellers/a.yaml")
	w.await("sellers/a.yaml", ".git", ".swp", "~", ".new")
}

// A system that cannot watch, with the test's clock.
func TestContentThatCannotBeWatchedIsPolled(t *testing.T) {
	faulty := map[string]func() (events, error){
		"no watch at all": func() (events, error) { return events{}, syscall.EMFILE },
		"too many folders": func() (events, error) {
			return events{add: func(string) error { return syscall.ENOSPC }, close: func() error { return nil }}, nil
		},
		"the end of events": func() (events, error) {
			ended := make(chan fsnotify.Event)
			close(ended)
			return events{add: func(string) error { return nil }, close: func() error { return nil }, changed: ended}, nil
		},
	}
	for name, system := range faulty {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				w := newWatch(Config{
					Build: build.Config{Content: root, Clock: time.Now}, Log: slog.New(slog.NewTextHandler(&log, nil)),
				}, system)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() { defer close(done); w.run(ctx) }()
				began := time.Now()
				look := func() time.Duration {
					if batch := <-w.changes; !slices.Equal(batch, []string{build.Whole}) {
						t.Errorf("got %q, want the whole folder", batch)
					}
					return time.Since(began)
				}
				looked := func() {
					if batch := <-w.changes; len(batch) > 0 {
						t.Errorf("got %q after the whole folder", batch)
					}
				}
				first := look()
				looked()
				second := look()
				time.Sleep(time.Minute)
				looked()
				if third := look(); second-first != pollTime || third-second != pollParts*time.Minute {
					t.Errorf("looked after %v, %v and %v", first, second, third)
				}
				cancel()
				<-done
				if text := log.String(); strings.Count(text, "\n") != 1 || name == "too many folders" && !strings.Contains(text, "fs.inotify.max_user_watches") {
					t.Errorf("the log says:\n%s", text)
				}
			})
		})
	}
}

func TestLinkedContentFolderIsFollowedToItsCurrentTarget(t *testing.T) {
	for name, swap := range map[string]func(link, old, to string) error{
		"replaced at once": func(link, old, to string) error {
			return errors.Join(os.Symlink(to, link+".new"), os.Rename(link+".new", link))
		},
		"replaced, and the folder before deleted": func(link, old, to string) error {
			return errors.Join(os.Symlink(to, link+".new"), os.Rename(link+".new", link), os.RemoveAll(old))
		},
		"deleted and made": func(link, old, to string) error { return errors.Join(os.Remove(link), os.Symlink(to, link)) },
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			link, folders := filepath.Join(home, "current"), [2]string{filepath.Join(home, "1"), filepath.Join(home, "2")}
			for _, folder := range folders {
				if err := os.MkdirAll(filepath.Join(folder, "content", "sellers"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(folders[0], link); err != nil {
				t.Fatal(err)
			}
			w := watchContent(t, filepath.Join(link, "content"))
			w.put(filepath.Join(folders[0], "content", "sellers", "a.yaml"))
			w.await("sellers/a.yaml")
			if err := swap(link, folders[0], folders[1]); err != nil {
				t.Fatal(err)
			}
			w.await(build.Whole, "..")
			w.put(filepath.Join(folders[1], "content", "sellers", "b.yaml"))
			w.await("sellers/b.yaml", "..")
		})
	}
}

func TestOverflowReportsEverything(t *testing.T) {
	root := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		faults := make(chan error)
		w := newWatch(Config{Build: build.Config{Content: root, Clock: time.Now}, Log: slog.New(slog.DiscardHandler)}, func() (events, error) {
			return events{add: func(string) error { return nil }, close: func() error { return nil }, faults: faults}, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); w.run(ctx) }()
		faults <- fsnotify.ErrEventOverflow
		if batch := <-w.changes; !slices.Equal(batch, []string{build.Whole}) {
			t.Errorf("got %q, want the whole folder", batch)
		}
		cancel()
		<-done
	})
}
