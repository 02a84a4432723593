//go:build unix

package ledger_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"souk/dynamic/ledger"
	"souk/internal/testing/postgrestest"
)

// committing, if set, names the ledger to which this process, the child of a test, commits
// until it is killed.
const committing = "SOUK_TEST_COMMITTING"

// dying, if set, names the ledger that this process is creating when it is killed.
const dying = "SOUK_TEST_DYING"

// shared is the server of all tests, started by the first test that needs it.
var shared struct {
	once   sync.Once
	server *postgrestest.Server
	err    error
}

func TestMain(m *testing.M) {
	if target := os.Getenv(committing); target != "" {
		os.Exit(commitUntilKilled(target))
	}
	if target := os.Getenv(dying); target != "" {
		os.Exit(dieBeginning(target))
	}
	code := m.Run()
	if shared.server != nil {
		shared.server.Close()
	}
	os.Exit(code)
}

// postgres returns the server, or skips the test.
func postgres(t testing.TB) *postgrestest.Server {
	t.Helper()
	shared.once.Do(func() { shared.server, shared.err = postgrestest.New() })
	if shared.err != nil {
		t.Skip(shared.err)
	}
	return shared.server
}

// open opens a ledger that is closed when the test ends.
func open(t testing.TB, target string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// inBoth runs a test with each database; fresh returns a new empty one.
func inBoth(t *testing.T, test func(t *testing.T, fresh func() string)) {
	t.Run("SQLite", func(t *testing.T) {
		test(t, func() string { return filepath.Join(t.TempDir(), "state", "ledger.db") })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		s := postgres(t)
		test(t, func() string { return s.Database(t) })
	})
}
