package release

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"souk/build/kit/durable"
)

// folders are folders in which names may have come or gone.
type folders map[string]bool

// add adds the folder of a path and its parents, up to and including top.
func (f folders) add(top, path string) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		f[dir] = true
		if dir == top || dir == filepath.Dir(dir) {
			return
		}
	}
}

// remaining returns the folders that still exist, sorted.
func (f folders) remaining() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f)), func(dir string) bool {
		info, err := os.Stat(dir)
		return durable.Absent(err) || err == nil && !info.IsDir()
	})
}

// finish moves a committed record into place. It may be repeated after a crash at any point.
func (t *Tree) finish(r *record, stage string) error {
	for _, document := range r.Gone {
		stub := StubOf(document)
		if err := t.place(r, filepath.Join(stage, filepath.FromSlash(stub)), t.Path(stub)); err != nil {
			return err
		}
		if err := t.delete(document); err != nil {
			return err
		}
	}
	if err := t.placeFolder(r, stage, t.options.Public); err != nil {
		return err
	}
	for _, file := range slices.Concat(r.Deleted, r.Twins) {
		if err := t.delete(file); err != nil {
			return err
		}
	}
	if err := t.settle(r); err != nil {
		return err
	}
	if err := t.fault("clean"); err != nil {
		return err
	}
	return os.RemoveAll(stage)
}

// settle syncs the folders of everything that a record changed, including what an earlier
// attempt moved: once the stage is deleted, no later step does. Files that were not synced
// before the commit are read again after a power loss.
func (t *Tree) settle(r *record) error {
	if r.Boot != "" {
		return nil
	}
	if err := t.fault("sync folders"); err != nil {
		return err
	}
	public, all := filepath.Clean(t.options.Public), folders{}
	for _, file := range slices.Concat(r.Files, r.Deleted, r.Twins) {
		all.add(public, t.Path(file))
	}
	return t.syncFolders(all.remaining())
}

// place renames staged entries into place: files, and folders that do not exist yet. Entries
// that are no longer staged are already in place.
func (t *Tree) place(r *record, from, to string) error {
	if err := t.fault("apply"); err != nil {
		return err
	}
	err := os.Rename(from, to)
	if err == nil {
		return nil
	}
	if _, gone := os.Lstat(from); errors.Is(gone, fs.ErrNotExist) {
		return nil
	}
	if err := t.makeRoom(r, to); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// makeRoom deletes files of the previous release that are in the way of the next: a file in
// the place of a folder, or everything in a folder in the place of a file.
func (t *Tree) makeRoom(r *record, path string) error {
	for _, file := range slices.Concat(r.Deleted, r.Twins) {
		if at := t.Path(file); at == path || strings.HasPrefix(at, path+string(filepath.Separator)) {
			if err := t.delete(file); err != nil {
				return err
			}
		}
	}
	// A folder without files belongs to no one.
	if durable.IsFolder(path) {
		return os.Remove(path)
	}
	return nil
}

// placeFolder renames the content of a staged folder into place. A folder that does not exist
// yet is renamed as a whole.
func (t *Tree) placeFolder(r *record, from, to string) error {
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// The content of a folder is listed by a file beside it, such as the snapshot's manifest.
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
		switch {
		case a.IsDir() == b.IsDir():
			return 0
		case a.IsDir():
			return -1
		}
		return 1
	})
	for _, e := range entries {
		source, target := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		place := t.place
		if info, err := os.Stat(target); e.IsDir() && err == nil && info.IsDir() {
			place = t.placeFolder
		}
		if err := place(r, source, target); err != nil {
			return err
		}
	}
	return nil
}

// delete deletes a file and the folders that become empty. If a folder now has the file's
// name, or a file has the name of one of its folders, it has already made room.
func (t *Tree) delete(file string) error {
	if err := t.fault("delete"); err != nil {
		return err
	}
	path := t.Path(file)
	if err := durable.Remove(path); err != nil {
		return err
	}
	durable.Prune(filepath.Dir(path), filepath.Clean(t.options.Public))
	return nil
}
