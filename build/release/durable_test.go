package release

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/build/kit/durable"
)

// names returns what each folder below root contains.
func names(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			all[path] += ""
			return nil
		}
		all[filepath.Dir(path)] += e.Name() + info.ModTime().String() + "\n"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFoldersAreSyncedBeforeStepsThatRelyOnThem records the syncs of a release. Before the
// commit, each staged folder must be synced. Before the stage is deleted, each public
// folder whose entries changed must be synced.
func TestFoldersAreSyncedBeforeStepsThatRelyOnThem(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	public := filepath.Join(s.dir, "public")
	before := names(t, public)
	var steps []string
	synced := map[string]bool{}
	tree.syncFolders = func(paths []string) error {
		for _, path := range paths {
			if synced[path] {
				t.Errorf("%s is synced twice", path)
			}
			synced[path] = true
		}
		steps = append(steps, "folders")
		return durable.SyncFolders(paths)
	}
	expect := func(at string, changed []string) {
		for _, folder := range changed {
			if !synced[folder] {
				t.Errorf("at %s, %s is not synced", at, strings.TrimPrefix(folder, s.dir))
			}
		}
		if len(changed) < 2 {
			t.Errorf("at %s only %v changed", at, changed)
		}
	}
	tree.fault = func(step string) error {
		switch step {
		case "commit":
			staged, err := filepath.Glob(filepath.Join(s.dir, "public.release/stage-*"))
			if err != nil || len(staged) != 1 {
				t.Fatal(staged, err)
			}
			expect(step, append(slices.Collect(maps.Keys(names(t, staged[0]))), filepath.Dir(staged[0])))
			clear(synced)
		case "clean":
			var changed []string
			after := names(t, public)
			for folder, files := range after {
				if files != before[folder] {
					changed = append(changed, folder)
				}
			}
			for folder := range before {
				if _, still := after[folder]; !still {
					changed = append(changed, filepath.Dir(folder))
				}
			}
			expect(step, changed)
		}
		steps = append(steps, step)
		return nil
	}
	s.mustPublish(tree, second)
	want := []string{"stage", "sync", "folders", "commit", "record", "apply", "delete", "sync folders", "folders", "clean"}
	order := slices.Compact(slices.Clone(steps))
	// Stubs are written, and the files that they replace are deleted, before everything
	// else.
	if at := slices.Index(order, "apply"); at > 0 {
		order = slices.Concat(order[:at], []string{"apply", "delete"}, order[slices.Index(order, "sync folders"):])
	}
	if !slices.Equal(order, want) {
		t.Errorf("the steps are %q, want %q", order, want)
	}
}

func TestFoldersOfFilesAppliedByAKilledProcessAreSynced(t *testing.T) {
	s := newSite(t)
	s.mustPublish(s.open(), first)
	killed := s.open()
	killed.fault = func(step string) error {
		if step == "sync folders" {
			return os.ErrDeadlineExceeded
		}
		return nil
	}
	if _, err := publish(killed, second); err == nil {
		t.Fatal("it went on")
	}
	next := s.open()
	var all []string
	next.syncFolders = func(paths []string) error {
		all = append(all, paths...)
		return durable.SyncFolders(paths)
	}
	if err := next.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := next.Unlock(); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"", "a", "c"} {
		if !slices.Contains(all, filepath.Join(s.dir, "public", folder)) {
			t.Errorf("public/%s is not among %v", folder, all)
		}
	}
}

func TestTemporaryFilesOfAKilledProcessAreDeleted(t *testing.T) {
	s := newSite(t)
	tree := s.open()
	s.mustPublish(tree, first)
	aside := filepath.Join(tree.own, durable.Aside+"log-x")
	if err := os.WriteFile(aside, []byte("half a"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.mustPublish(s.open(), second)
	if _, err := os.Lstat(aside); !os.IsNotExist(err) {
		t.Errorf("it is left over: %v", err)
	}
}

func TestFoldersUpToTheOutputFolderAreAdded(t *testing.T) {
	for top, want := range map[string][]string{
		"p": {"p", "p/a", "p/a/b"}, ".": {".", "a", "a/b"}, "/srv/public": {"/srv/public", "/srv/public/a", "/srv/public/a/b"}, "/": {"/", "/a", "/a/b"},
	} {
		all := folders{}
		all.add(filepath.FromSlash(top), filepath.Join(filepath.FromSlash(top), "a", "b", "c.json"))
		var got []string
		for _, dir := range slices.Sorted(maps.Keys(all)) {
			got = append(got, filepath.ToSlash(dir))
		}
		if !slices.Equal(got, want) {
			t.Errorf("below %s: %v, want %v", top, got, want)
		}
	}
}
