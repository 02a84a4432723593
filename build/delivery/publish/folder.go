package publish

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"souk/build/delivery/replica"
	"souk/build/kit/durable"
	"souk/build/kit/twin"
)

// A folderStore is a folder for a static server. It contains twins, and files keep their
// modification times, from which such servers derive ETags.
type folderStore struct {
	root  string
	count atomic.Int64
}

func (s *folderStore) path(key string) string {
	if isPrivate(key) {
		return s.root + filepath.FromSlash(key)
	}
	return filepath.Join(s.root, filepath.FromSlash(key))
}

func (s *folderStore) put(_ context.Context, o object, b body) error {
	s.count.Add(1)
	// A twin without its document is never served, so the document is renamed last.
	for _, one := range []struct {
		suffix string
		data   []byte
	}{{twin.Gzip, b.gzip}, {twin.Brotli, b.brotli}, {"", b.plain}} {
		path := s.path(o.key + one.suffix)
		if one.data == nil && one.suffix != "" {
			dir, name := filepath.Split(path)
			for _, left := range []string{path, dir + durable.Aside + name} {
				if err := durable.Remove(left); err != nil {
					return err
				}
			}
			continue
		}
		if err := s.place(path, one.data, time.Unix(0, o.entry.ModTime), modesOf(o.key)); err != nil {
			return err
		}
	}
	return nil
}

// modes are the permissions of a file and of its parent folders.
type modes struct{ file, folder fs.FileMode }

// modesOf returns the modes for a key. Data for servers must not be readable by every user
// of the machine.
func modesOf(key string) modes {
	if isPrivate(key) {
		return modes{0o640, 0o750}
	}
	return modes{0o644, 0o755}
}

// place writes a temporary file and renames it. The temporary name is derived from the
// file's own, so that a later attempt replaces what a killed one left behind.
func (s *folderStore) place(path string, data []byte, at time.Time, m modes) error {
	dir, name := filepath.Split(path)
	swap := func() error {
		return durable.Swap(path, durable.Aside+name, m.file, func(f *os.File) error {
			_, err := f.Write(data)
			return errors.Join(err, os.Chtimes(f.Name(), at, at))
		})
	}
	err := swap()
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, m.folder); err != nil {
			return err
		}
		err = swap()
	}
	return err
}

func absentOK(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// remove deletes a file, its twins, temporary files of killed attempts, and the folders
// that become empty. The document is deleted first: without it no twin is served.
func (s *folderStore) remove(_ context.Context, key string) error {
	s.count.Add(1)
	dir, name := filepath.Split(s.path(key))
	for _, suffix := range []string{"", twin.Gzip, twin.Brotli} {
		for _, prefix := range []string{"", durable.Aside} {
			if err := durable.Remove(dir + prefix + name + suffix); err != nil {
				return err
			}
		}
	}
	durable.Prune(filepath.Clean(dir), s.root)
	return nil
}

func (s *folderStore) read(_ context.Context, key string) (version, error) {
	s.count.Add(1)
	data, err := os.ReadFile(s.path(key))
	switch {
	case durable.Absent(err):
		return version{}, errAbsent
	case err != nil:
		return version{}, err
	}
	return versionOf(data), nil
}

func (s *folderStore) swap(ctx context.Context, o object, b body, tag string) (string, error) {
	return swapAfterLook(ctx, s, o, b, tag)
}

// at returns the key of the file at a path, or if a folder is in its place, the keys below
// it.
func (s *folderStore) at(key string) (keys []string, err error) {
	info, err := os.Lstat(s.path(key))
	switch {
	case durable.Absent(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return []string{key}, nil
	}
	err = s.listBelow(s.path(key), key+"/", func(key string) error {
		keys = append(keys, key)
		return nil
	})
	return keys, err
}

func (s *folderStore) list(_ context.Context, yield func(key string) error) error {
	return s.listBelow(s.root, "", yield)
}

func (s *folderStore) listPrivate(_ context.Context, yield func(key string) error) error {
	return s.listBelow(s.path(replica.PrivatePrefix), replica.PrivatePrefix, yield)
}

// listBelow lists what is below a folder, which is replaced by as in the keys.
func (s *folderStore) listBelow(folder, as string, yield func(key string) error) error {
	s.count.Add(1)
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return absentOK(err)
		}
		key, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		dir, name := filepath.Split(as + filepath.ToSlash(key))
		return yield(dir + strings.TrimPrefix(name, durable.Aside))
	})
}

func (s *folderStore) id() string { return s.root }

func (s *folderStore) requests() int64 { return s.count.Load() }

// permanent reports whether retrying is useless. Waiting some seconds does not fix a full
// disk or missing permissions; it only helps if a folder was deleted at the same moment.
func (s *folderStore) permanent(err error) bool { return !errors.Is(err, fs.ErrNotExist) }

func (s *folderStore) close() error { return nil }
