package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// busyTime is how long SQLite itself waits for another process.
const busyTime = 5 * time.Second

func connectSQLite(path string, create bool) (*Ledger, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	if err := provide(path, create); err != nil {
		return nil, err
	}
	file, err := trackFile(path)
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	writer, err := sql.Open("sqlite", sqliteName(path, "_txlock", "immediate"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the ledger %s: %w", path, err), file.release())
	}
	// SQLite allows one writer; a second connection could only wait for it.
	writer.SetMaxOpenConns(1)
	reader, err := sql.Open("sqlite", sqliteName(path, "_pragma", "query_only(1)"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the ledger %s: %w", path, err), writer.Close(), file.release())
	}
	reader.SetMaxOpenConns(mostConnections)
	reader.SetMaxIdleConns(mostConnections)
	return &Ledger{name: path, writer: writer, reader: reader, file: file, dialect: inSQLite{}}, nil
}

// provide creates the file if it is missing. Only its owner can read it, since it contains
// people's mail addresses. It does not open an existing file: closing it would release
// locks that this process has on it.
func provide(path string, create bool) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("open the ledger %s: this is a folder: give the path of a file", path)
	case err == nil && info.Size() == 0:
		return fmt.Errorf("open the ledger %s: the file is empty: restore its backup, or delete it if no seller was ever removed", path)
	case err == nil:
		return nil
	case !missing(err):
		return fmt.Errorf("open the ledger: %w: let this user read the folder", err)
	case !create:
		return fmt.Errorf("open the ledger: %w at %s: check the path", ErrMissing, path)
	}
	// SQLite would replay the old file's log into a new one.
	if _, err := os.Lstat(path + "-wal"); !missing(err) {
		return fmt.Errorf("open the ledger %s: the file is missing, but its log, %s-wal, exists: restore the file or its backup, or delete the log if no seller was ever removed", path, filepath.Base(path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create the ledger: %w", err)
	}
	if err := begin(path); err != nil {
		return fmt.Errorf("create the ledger: %w", err)
	}
	return nil
}

// missing reports whether err, from looking at a file, means that the file does not exist.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// begin creates an empty ledger, unless another program does so meanwhile. The file gets
// its name only once it is a database, so an empty file is never one of ours.
func begin(path string) (err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".ledger-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	unnamed := filepath.Join(dir, "new")
	file, err := os.OpenFile(unnamed, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(unnamed), RawQuery: "mode=rw"}).String())
	if err != nil {
		return err
	}
	// Any value other than 0 makes SQLite write the file.
	_, err = db.Exec("PRAGMA application_id = 0x736f756b")
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	err = os.Link(unnamed, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// Not every file system has hard links.
		return os.Rename(unnamed, path)
	}
	return nil
}

// sqliteName returns the name of a data source. Every connection is durable, since each
// commit syncs the log, and none recreates a deleted file. Deleted data is overwritten,
// since it may be somebody's address.
func sqliteName(path string, more ...string) string {
	q := url.Values{"mode": {"rw"}, "_pragma": {
		"busy_timeout(" + strconv.FormatInt(busyTime.Milliseconds(), 10) + ")",
		"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "secure_delete(1)",
	}}
	q.Add(more[0], more[1])
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String()
}

type inSQLite struct{}

func (inSQLite) bind(query string) string { return query }
func (inSQLite) writing() *sql.TxOptions  { return nil }
func (inSQLite) reading() *sql.TxOptions  { return nil }
func (inSQLite) exclude() string          { return "" }
func (inSQLite) announce() string         { return "" }

// primary returns the primary SQLite result code of an error.
func primary(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return sqlite3.SQLITE_OK
	}
	return e.Code() & 0xff
}

func (inSQLite) transient(err error) bool {
	code := primary(err)
	return code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED
}

func (inSQLite) lost(error) bool { return false }

func (inSQLite) hint(err error) string {
	if errors.Is(err, errReplaced) {
		return "restore it or a backup, because it records which sellers were removed, and start the program again"
	}
	switch primary(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "another program has locked it: stop that program, or try again"
	case sqlite3.SQLITE_FULL:
		return "the disk is full: free some space"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH:
		return "let this user read and write the file and its folder"
	case sqlite3.SQLITE_IOERR:
		return "the disk failed or is full: check the system's log"
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return "it is not a ledger, or it is damaged: restore it from a backup, because it records which sellers were removed"
	default:
		return ""
	}
}
