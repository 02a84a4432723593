//go:build unix

package ledger_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/dynamic/ledger"
)

// raw opens the database of a ledger.
func raw(t *testing.T, target string) *sql.DB {
	t.Helper()
	driver := "sqlite"
	if strings.HasPrefix(target, "postgres") {
		driver = "pgx"
	}
	db, err := sql.Open(driver, target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func newerIsRefused(t *testing.T, fresh func() string) {
	target := fresh()
	open(t, target)
	if _, err := raw(t, target).Exec("UPDATE meta SET value = '99' WHERE name = 'schema'"); err != nil {
		t.Fatal(err)
	}
	_, err := ledger.Open(t.Context(), target)
	var newer *ledger.ErrNewer
	if !errors.As(err, &newer) || newer.Ledger != 99 || !strings.Contains(err.Error(), "use the program that wrote it") {
		t.Errorf("got %v", err)
	}
}

func missingIsRefused(t *testing.T, fresh func() string) {
	target := fresh()
	if _, err := ledger.OpenExisting(t.Context(), target); !errors.Is(err, ledger.ErrMissing) {
		t.Errorf("got %v", err)
	}
	open(t, target)
	l, err := ledger.OpenExisting(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

func TestErrorsForUnreadableLedgersSayWhatToDo(t *testing.T) {
	folder := t.TempDir()
	noLedger := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(noLedger, []byte(strings.Repeat("this is no database. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ target, want string }{
		{"", "give a path"},
		{"mysql://host/name", "is not a kind of database"},
		{folder, "this is a folder"},
		{noLedger, "restore it from a backup"},
		{"postgres://souk:secret@127.0.0.1:1/souk", "that PostgreSQL is running"},
		{"postgres://souk:se%zzcret@127.0.0.1:1/souk", "cannot be read"},
	} {
		_, err := ledger.Open(t.Context(), c.target)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want it to say %q", c.target, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "cret") {
			t.Errorf("%q: the error shows the password: %v", c.target, err)
		}
	}
}

func TestOnlyTheOwnerCanReadALedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "var", "ledger 100%?#.db")
	open(t, path)
	for name, want := range map[string]os.FileMode{path: 0o600, path + "-wal": 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s is %o, want %o", filepath.Base(name), got, want)
		}
	}
}

func TestLedgerBelowAFileIsMissingAndHasNoLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(file, "ledger.db")
	if _, err := ledger.OpenExisting(t.Context(), target); !errors.Is(err, ledger.ErrMissing) {
		t.Errorf("%v", err)
	}
	if _, err := ledger.Open(t.Context(), target); err == nil || strings.Contains(err.Error(), "log") {
		t.Errorf("%v", err)
	}
}
