// Package journal changes several files of a content folder in one step: readers that
// look at it see the old content or the new. It knows nothing of what is in the files.
package journal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"souk/build/kit/durable"
)

// Folder is where imports keep what belongs to them, below a content folder.
const Folder = "imports"

const (
	name      = ".journal"
	temporary = durable.Aside + name // while it is written
)

// ErrPending means that an import or a rename has not finished.
var ErrPending = errors.New("an import or a rename of this content was interrupted or is running")

// A Change writes a file of a content folder, or deletes it.
type Change struct {
	// Path is relative to the content folder, with slashes.
	Path string
	Data []byte
	// Delete says that the file is deleted.
	Delete bool
}

func path(content string) string { return filepath.Join(content, Folder, name) }

// Commit makes all changes. Once the journal is written they are made, if not by this
// process, then by the next Finish.
func Commit(content string, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(content, Folder), 0o777); err != nil {
		return fmt.Errorf("create the folder of imports: %w", err)
	}
	write := func(f *os.File) (err error) {
		b := bufio.NewWriter(f)
		for e, i := gob.NewEncoder(b), 0; i < len(changes) && err == nil; i++ {
			err = e.Encode(changes[i])
		}
		return errors.Join(err, b.Flush(), f.Sync())
	}
	err := durable.Swap(path(content), temporary, 0o666, write)
	if err == nil {
		err = durable.SyncFolder(filepath.Join(content, Folder))
	}
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return apply(content, changes)
}

// Finish makes the changes of a journal that a killed process left, if there is one.
func Finish(content string) (finished bool, err error) {
	data, err := os.ReadFile(path(content))
	if durable.Absent(err) {
		return false, durable.Remove(filepath.Join(content, Folder, temporary))
	}
	if err != nil {
		return false, fmt.Errorf("read the journal: %w", err)
	}
	changes, err := decode(data)
	if err != nil {
		return false, err
	}
	return true, apply(content, changes)
}

func decode(data []byte) (changes []Change, err error) {
	for d := gob.NewDecoder(bytes.NewReader(data)); ; {
		var c Change
		switch err := d.Decode(&c); {
		case errors.Is(err, io.EOF):
			return changes, nil
		case err != nil:
			return nil, fmt.Errorf("the journal of an import is corrupt (%w): restore the content with Git, and delete %s/%s", err, Folder, name)
		case !filepath.IsLocal(filepath.FromSlash(c.Path)):
			return nil, fmt.Errorf("the journal of an import names a file outside the content: %q", c.Path)
		}
		changes = append(changes, c)
	}
}

// apply makes the changes. Nobody reads the content while the journal is there, so that
// files are written in their places.
func apply(content string, changes []Change) error {
	made := ""
	for _, c := range changes {
		file := filepath.Join(content, filepath.FromSlash(c.Path))
		folder := filepath.Dir(file)
		if c.Delete {
			if err := durable.Remove(file); err != nil {
				return err
			}
			durable.Prune(folder, content)
			continue
		}
		if folder != made {
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return err
			}
			made = folder
		}
		if err := os.WriteFile(file, c.Data, 0o666); err != nil {
			return err
		}
	}
	if err := settle(content, changes); err != nil {
		return err
	}
	return durable.Remove(path(content))
}

// Interrupted reports whether the import or rename that has not finished was killed: the
// process that makes the changes holds the folder's lock.
func Interrupted(content string) bool {
	once, cancel := context.WithCancel(context.Background())
	cancel()
	unlock, err := durable.LockFolder(once, content, func() {})
	if err != nil {
		return false
	}
	_, err = Look(content) // it may have finished before the lock was free
	return errors.Join(err, unlock()) != nil
}

// A State is what a reader compares before and after it reads a content folder.
type State struct{ changed time.Time }

// Look returns the state of a content folder: two that are equal have the same content,
// as far as imports and renames go. It returns ErrPending while one is under way.
func Look(content string) (State, error) {
	info, err := os.Stat(filepath.Join(content, Folder))
	if err != nil {
		return State{}, nil // nobody has imported anything
	}
	if _, err := os.Lstat(path(content)); err == nil || !durable.Absent(err) {
		return State{}, ErrPending
	}
	return State{info.ModTime()}, nil
}
