package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/dynamic/ledger"
)

func TestLedgerNameHidesPassword(t *testing.T) {
	for target, want := range map[string]string{
		"var/ledger.db":                                   "var/ledger.db",
		"postgres://souk:hunter2@db/souk":                 "postgres://souk:xxxxx@db/souk",
		"postgres://souk@db/souk?password=hunter2":        "postgres://souk@db/souk",
		"postgres://souk:hun%zzter2@db/souk":              "at PostgreSQL",
		"postgresql://souk:hunter2@db/souk?sslmode=x#y=z": "postgresql://souk:xxxxx@db/souk",
		"postgres://souk:hunter%2F2%40@db/souk":           "postgres://souk:xxxxx@db/souk",
		"postgres://souk:hun@ter2@db/souk":                "postgres://souk:xxxxx@db/souk",
		"postgres://souk:2024/hunter@db/souk":             "at PostgreSQL",
		"postgres://souk:2024?hunter@db/souk":             "at PostgreSQL",
		"postgres://souk:2024#hunter@db/souk":             "at PostgreSQL",
		"postgres://souk:hun@2024/ter@db/souk":            "at PostgreSQL",
		"postgres://souk@db/souk?password=hun@ter2":       "at PostgreSQL",
	} {
		if got := ledger.Redacted(target); got != want {
			t.Errorf("%s is named %s, want %s", target, got, want)
		}
	}
}

// Parsed as written, such a URL has parts of the password in its host, port and database
// name, and so would every connection error.
func TestURLWithUnencodedPasswordIsRefusedWithoutRevealingIt(t *testing.T) {
	for _, target := range []string{
		"postgres://souk:2024/hunter@127.0.0.1/souk", "postgres://souk:hunter/2024@127.0.0.1/souk",
		"postgres://souk:2024?a=b/hunter@127.0.0.1/souk", "postgres://souk:hunter@2024/2@127.0.0.1/souk",
	} {
		_, err := ledger.OpenExisting(t.Context(), target)
		if err == nil || !strings.Contains(err.Error(), "percent-encoded") || strings.Contains(err.Error(), "hunter") || strings.Contains(err.Error(), "2024") {
			t.Errorf("%s: %v", target, err)
		}
	}
}

func TestLedgerIsNotRecreatedIfItsFileIsLost(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(file string) error
		says  string
	}{
		"cut off":            {func(file string) error { return os.Truncate(file, 0) }, "the file is empty"},
		"deleted with a log": {func(file string) error { return os.Rename(file, file+"-wal") }, "the file is missing, but its log"},
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

func TestCreatingALedgerLeavesNoOtherFiles(t *testing.T) {
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
