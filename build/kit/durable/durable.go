// Package durable puts a file in the place of another, so that a reader meets
// the old one or the new one, whole, whenever the process is killed; and, where
// that is asked for, whenever the machine fails. It refuses to know what is in
// a file, and who else may write it: of two that replace a file at once, the
// later wins. Remove and Prune take a file away where a folder may have its name by now.
//
// Replace makes these system calls, in this order (Linux; open(2) to fsync(2)):
//
//	openat   the file aside, in the same folder, O_CREAT|O_EXCL
//	write    the bytes
//	fsync    the file aside, so that the name never leads to bytes that are not there
//	close    its error counts: some file systems tell of a full disk only here
//	renameat over the file
//	fsync    the folder, so that the new name is there after a power loss
//
// Known holes: where the last fsync fails, the new file is in place and the
// error is told, but a power loss may bring back the old one. A process killed
// before the rename leaves the file aside, whose name begins with Aside. Windows
// syncs no folders: there a power loss may bring back the old file. A disk that
// says that bytes are written before they are is beyond what can be done here.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// Aside begins the names of files that are not whole yet.
const Aside = ".souk-new-"

// Absent reports whether an error says that a file is not there: nothing has its name, or
// a file has that of a folder that would lead to it.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Remove deletes a file, if it is there: a folder of its name is not that file.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !Absent(err) && !IsFolder(path) {
		return err
	}
	return nil
}

// Prune deletes a folder and those above it, below top, as far as they are empty. A
// symbolic link to a folder is not empty by being one.
func Prune(folder, top string) {
	for ; len(folder) > len(top) && IsFolder(folder); folder = filepath.Dir(folder) {
		if os.Remove(folder) != nil {
			return
		}
	}
}

// IsFolder reports whether a path is that of a folder, and of no link to one.
func IsFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// Replace writes data to a file, which is created with mode (before umask). Once
// it returns nil, the new file is there after a power loss too.
func Replace(path string, mode fs.FileMode, data []byte) error {
	return replace(path, unique(path), mode, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	}, true, do)
}

// Output is Replace for a file that a user names: a symbolic link to a file stays, and leads
// to the new one; into what is no regular file, as a device or a pipe, data is written.
func Output(path string, mode fs.FileMode, data []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return Replace(path, mode, data)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Swap is Replace for a file that a power loss may take, since it is made anew
// or checked when it is read: it waits for no disk. An aside that is not empty
// is the name that is written to, in the folder of path, instead of one of its
// own: for a caller that is alone there, and whose next try is to replace what a
// killed one left.
func Swap(path, aside string, mode fs.FileMode, write func(*os.File) error) error {
	if aside == "" {
		aside = unique(path)
	} else {
		aside = filepath.Join(filepath.Dir(path), aside)
		if err := os.Remove(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return replace(path, aside, mode, write, false, do)
}

func unique(path string) string {
	dir, name := filepath.Split(path)
	return dir + Aside + name + "-" + strconv.FormatUint(rand.Uint64(), 36)
}

// do does a step.
func do(_ string, step func() error) error { return step() }

// replace hands each of its steps to step, which is do; a test records them, or
// lets one fail.
func replace(path, aside string, mode fs.FileMode, write func(*os.File) error, durably bool, step func(name string, do func() error) error) error {
	var f *os.File
	err := step("create", func() (err error) {
		f, err = os.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		return err
	})
	if err != nil {
		return err
	}
	err = step("write", func() error { return write(f) })
	if err == nil && durably {
		err = step("sync", f.Sync)
	}
	err = errors.Join(err, step("close", f.Close))
	if err == nil {
		err = step("rename", func() error { return os.Rename(aside, path) })
	}
	if err != nil {
		return errors.Join(err, os.Remove(aside))
	}
	if durably {
		return step("sync folder", func() error { return SyncFolder(filepath.Dir(path)) })
	}
	return nil
}

// SyncFolder makes the names in a folder durable.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil // FlushFileBuffers refuses a folder
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("sync the folder %s: %w", path, err)
	}
	return nil
}

// SyncFolders makes the names in many folders durable, side by side.
func SyncFolders(paths []string) error { return abreast(paths, SyncFolder) }

// SyncFiles makes the bytes of many files durable, side by side.
func SyncFiles(paths []string) error {
	return abreast(paths, func(path string) error {
		f, err := os.OpenFile(path, os.O_RDWR, 0) // Windows syncs only what may be written
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// abreast calls sync for each path, some at a time, since file systems join those
// that meet into one commit of their journal; it returns the first error.
func abreast(paths []string, sync func(path string) error) error {
	var group errgroup.Group
	group.SetLimit(8)
	for _, path := range paths {
		group.Go(func() error { return sync(path) })
	}
	return group.Wait()
}
