package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/dynamic/ledger"
)

func TestNameOfALedgerTellsNoPassword(t *testing.T) {
	for target, want := range map[string]string{
		"var/ledger.db":                                   "var/ledger.db",
		"postgres://souk:hunter2@db/souk":                 "postgres://souk:xxxxx@db/souk",
		"postgres://souk@db/souk?password=hunter2":        "postgres://souk@db/souk",
		"postgres://souk:hun%zzter2@db/souk":              "at PostgreSQL",
		"postgresql://souk:hunter2@db/souk?sslmode=x#y=z": "postgresql://souk:xxxxx@db/souk",
	} {
		if got := ledger.Redacted(target); got != want {
			t.Errorf("%s is named %s, want %s", target, got, want)
		}
	}
}

func TestLedgerThatLostItsFileIsNotBegunAnew(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(file string) error
		says  string
	}{
		"cut off":            {func(file string) error { return os.Truncate(file, 0) }, "the file is empty"},
		"deleted with a log": {func(file string) error { return os.Rename(file, file+"-wal") }, "the file is missing and its log"},
	} {
		file := filepath.Join(t.TempDir(), "ledger.db")
		l, err := ledger.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if err := test.spoil(file); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if l, err = ledger.Open(t.Context(), file); err == nil {
				t.Errorf("%s: it is opened", name)
				l.Close()
			} else if !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestNothingButTheLedgerIsLeftOfItsBeginning(t *testing.T) {
	dir := t.TempDir()
	l, err := ledger.Open(t.Context(), filepath.Join(dir, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
}
