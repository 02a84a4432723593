package ledger

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// A ledgerFile is the file of a SQLite ledger as it was when it was opened. If the file is
// deleted or replaced, SQLite keeps writing to the old one, and everything it acknowledges
// is lost. So each transaction checks that the file is still the ledger.
type ledgerFile struct {
	path string
	// file stays open as long as any Ledger of this process uses it: closing it would
	// release the locks that the process has on it (POSIX, fcntl).
	file  *os.File
	info  os.FileInfo
	users int
}

// openFiles lists the ledger files that this process has open.
var openFiles struct {
	sync.Mutex
	files []*ledgerFile
}

// errReplaced means that the file is not the one that was opened.
var errReplaced = errors.New("its file was deleted or replaced")

func trackFile(path string) (*ledgerFile, error) {
	openFiles.Lock()
	defer openFiles.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	for _, h := range openFiles.files {
		if os.SameFile(h.info, info) && h.path == path {
			h.users++
			return h, nil
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	h := &ledgerFile{path: path, file: file, users: 1}
	if h.info, err = file.Stat(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	openFiles.files = append(openFiles.files, h)
	return h, nil
}

// release must only be called after SQLite has closed the file.
func (h *ledgerFile) release() error {
	openFiles.Lock()
	defer openFiles.Unlock()
	if h.users--; h.users > 0 {
		return nil
	}
	openFiles.files = slices.DeleteFunc(openFiles.files, func(other *ledgerFile) bool { return other == h })
	return h.file.Close()
}

// sqliteMagic starts every SQLite file (SQLite file format, section 1.3).
const sqliteMagic = "SQLite format 3\x00"

// check fails if the path no longer refers to the file that was opened.
func (h *ledgerFile) check() error {
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
		return fmt.Errorf("%w: it is no longer a SQLite file", errReplaced)
	}
	return nil
}
