//go:build unix

package ledger_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"modernc.org/sqlite"

	"souk/dynamic/ledger"
)

func steps(t *testing.T) []string {
	t.Helper()
	list, err := ledger.Steps()
	if err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	return list
}

// halved returns the first half of a step's statements, followed by statement.
func halved(step, statement string) string {
	all := strings.SplitAfter(step, ";")
	return strings.Join(all[:len(all)/2], "") + "\n" + statement + ";"
}

// dieBeginning starts to create a ledger in SQLite and kills this process halfway.
func dieBeginning(target string) int {
	kill := func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		return nil, syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	list, err := ledger.Steps()
	if err == nil {
		err = sqlite.RegisterScalarFunction("die", 0, kill)
	}
	if err == nil {
		_, err = ledger.OpenWith(context.Background(), target, []string{halved(list[0], "SELECT die()")})
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func TestLedgerIsCreatedAfterAProcessWasKilledCreatingIt(t *testing.T) {
	inBoth(t, func(t *testing.T, fresh func() string) {
		target := fresh()
		if strings.HasPrefix(target, "postgres") {
			broken := []string{halved(steps(t)[0], "SELECT pg_terminate_backend(pg_backend_pid())")}
			if _, err := ledger.OpenWith(t.Context(), target, broken); err == nil {
				t.Fatal("the session was not ended")
			}
		} else {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), dying+"="+target)
			var exit *exec.ExitError
			out, err := child.CombinedOutput()
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("the process was not killed: %v: %s", err, out)
			}
		}
		if _, err := ledger.OpenExisting(t.Context(), target); !errors.Is(err, ledger.ErrMissing) {
			t.Errorf("half a ledger is one: %v", err)
		}
		if err := openAndRead(t, target); err != nil {
			t.Error(err)
		}
	})
}

func TestMigrationStepsAreAtomicAndRunOnce(t *testing.T) {
	inBoth(t, func(t *testing.T, fresh func() string) {
		target := fresh()
		open(t, target)
		const add = "CREATE TABLE added (id TEXT PRIMARY KEY); INSERT INTO added (id) VALUES ('one');"
		wrong := append(steps(t), add+"INSERT INTO nothing (id) VALUES ('two');")
		taking := fmt.Sprintf("upgrade it from version %d to %d", len(wrong)-1, len(wrong))
		if _, err := ledger.OpenWith(t.Context(), target, wrong); err == nil || !strings.Contains(err.Error(), taking) {
			t.Errorf("got %v", err)
		}
		open(t, target) // still has the previous version
		// Several programs of the next version open it at once.
		right := append(steps(t), add)
		for _, err := range atOnce(4, func(int) error {
			l, err := ledger.OpenWith(t.Context(), target, right)
			if err != nil {
				return err
			}
			return l.Close()
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		var rows int
		if err := raw(t, target).QueryRow("SELECT COUNT(*) FROM added").Scan(&rows); err != nil || rows != 1 {
			t.Errorf("%d rows, %v", rows, err)
		}
		var newer *ledger.ErrNewer
		if _, err := ledger.Open(t.Context(), target); !errors.As(err, &newer) || newer.Ledger != len(right) || newer.Program != len(right)-1 {
			t.Errorf("the program before opens it: %v", err)
		}
	})
}

func TestTablesWithoutAVersionAreNotALedger(t *testing.T) {
	inBoth(t, func(t *testing.T, fresh func() string) {
		target := fresh()
		open(t, target)
		if _, err := raw(t, target).Exec("DELETE FROM meta WHERE name = 'schema'"); err != nil {
			t.Fatal(err)
		}
		if _, err := ledger.Open(t.Context(), target); err == nil || !strings.Contains(err.Error(), "it has no version") {
			t.Errorf("got %v", err)
		}
	})
}
