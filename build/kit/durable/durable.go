// Package durable replaces a file atomically: whenever the process is killed, a reader
// finds either the complete old file or the complete new one. If requested, this also holds
// for power failures. The package does not know what is in a file or who else may write it:
// if two replace a file at once, the later one wins. Remove and Prune delete a file even if
// a folder may have its name by now.
//
// Replace makes these system calls, in this order (Linux; open(2) to fsync(2)):
//
//	openat   a temporary file in the same folder, O_CREAT|O_EXCL
//	write    the bytes
//	fsync    the temporary file, so that the name never refers to missing bytes
//	close    its error counts: some file systems report a full disk only here
//	renameat over the file
//	fsync    the folder, so that the new name survives a power loss
//
// Known limitations: if the last fsync fails, the new file is in place and the error is
// returned, but a power loss may restore the old file. A process killed before the rename
// leaves the temporary file, whose name begins with Aside. Windows does not sync folders,
// so a power loss there may restore the old file. Nothing here helps against a disk that
// reports bytes as written before they are.
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

// Aside is the prefix of the names of incomplete files.
const Aside = ".souk-new-"

// Absent reports whether an error means that a file does not exist, also because something
// in its path is not a folder.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// Remove deletes a file if it exists. It does not delete a folder with that name.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !Absent(err) && !IsFolder(path) {
		return err
	}
	return nil
}

// Prune deletes a folder and its parents below top, as long as they are empty. It does not
// delete symbolic links.
func Prune(folder, top string) {
	for ; len(folder) > len(top) && IsFolder(folder); folder = filepath.Dir(folder) {
		if os.Remove(folder) != nil {
			return
		}
	}
}

// IsFolder reports whether a path is a folder and not a link to one.
func IsFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// Replace writes data to a file, which it creates with mode (before umask). Once it returns
// nil, the new file survives a power loss.
func Replace(path string, mode fs.FileMode, data []byte) error {
	return replace(path, unique(path), mode, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	}, true, do)
}

// Output is like Replace for a file that a user names. It writes through a symbolic link to
// the file, and directly into anything that is not a regular file, such as a device or a
// pipe.
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

// Swap is like Replace for a file that may be lost in a power failure, since it can be
// recreated or is checked when it is read: it does not wait for the disk. If aside is not
// empty, it is used as the name of the temporary file, in the folder of path. This is for a
// caller that is the only writer and whose next attempt should replace the file that a
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

// do executes a step.
func do(_ string, step func() error) error { return step() }

// replace passes each of its steps to step, which is do except in tests, where it records
// steps or makes one fail.
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
		return nil // FlushFileBuffers rejects folders
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

// SyncFolders makes the names in many folders durable, concurrently.
func SyncFolders(paths []string) error { return abreast(paths, SyncFolder) }

// SyncFiles makes the bytes of many files durable, concurrently.
func SyncFiles(paths []string) error {
	return abreast(paths, func(path string) error {
		f, err := os.OpenFile(path, os.O_RDWR, 0) // Windows only syncs writable files
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// abreast calls sync for several paths at a time, since file systems combine concurrent
// syncs into one commit of their journal. It returns the first error.
func abreast(paths []string, sync func(path string) error) error {
	var group errgroup.Group
	group.SetLimit(8)
	for _, path := range paths {
		group.Go(func() error { return sync(path) })
	}
	return group.Wait()
}
