package ledger

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// A heldFile is the file of a SQLite ledger as it was opened. If the file is
// deleted or replaced, SQLite carries on with the old one, and whatever it
// acknowledges is lost; so each transaction checks that the file is still the
// ledger.
type heldFile struct {
	path string
	// file stays open as long as any Ledger of this process uses it: closing it
	// would release the locks that the process has on it (POSIX, fcntl).
	file  *os.File
	info  os.FileInfo
	users int
}

// held are the open ledger files of this process.
var held struct {
	sync.Mutex
	files []*heldFile
}

// errReplaced means that the file is not the one that was opened.
var errReplaced = errors.New("its file was deleted or replaced")

func hold(path string) (*heldFile, error) {
	held.Lock()
	defer held.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	for _, h := range held.files {
		if os.SameFile(h.info, info) && h.path == path {
			h.users++
			return h, nil
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	h := &heldFile{path: path, file: file, users: 1}
	if h.info, err = file.Stat(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	held.files = append(held.files, h)
	return h, nil
}

// release must only be called once SQLite has closed the file.
func (h *heldFile) release() error {
	held.Lock()
	defer held.Unlock()
	if h.users--; h.users > 0 {
		return nil
	}
	held.files = slices.DeleteFunc(held.files, func(other *heldFile) bool { return other == h })
	return h.file.Close()
}

// sqliteMagic is at the start of every SQLite file (SQLite file format, section
// 1.3).
const sqliteMagic = "SQLite format 3\x00"

// check fails if the path no longer leads to the file that was opened.
func (h *heldFile) check() error {
	info, err := os.Stat(h.path)
	if err != nil {
		return fmt.Errorf("%w: %w", errReplaced, err)
	}
	if !os.SameFile(info, h.info) {
		return errReplaced
	}
	var begins [len(sqliteMagic)]byte
	if _, err := h.file.ReadAt(begins[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if string(begins[:]) != sqliteMagic {
		return fmt.Errorf("%w: it is no file of SQLite any more", errReplaced)
	}
	return nil
}
