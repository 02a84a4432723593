//go:build unix

package ledger_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/dynamic/ledger"
)

// moves matches the commands in the operator's guide that move a ledger.
var moves = regexp.MustCompile("(?s)\n## From SQLite to PostgreSQL\n.*?\n```sh\n(.*?)```\n")

// ofRunningServers lists the tables whose content is meaningless when no server runs.
var ofRunningServers = []string{"builders", "leases", "settled"}

// rows returns the rows of a table, each as text.
func rows(t *testing.T, target, table string) (all []string) {
	t.Helper()
	found, err := raw(t, target).Query("SELECT * FROM " + table)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for found.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		if err := found.Scan(values...); err != nil {
			t.Fatal(err)
		}
		var row strings.Builder
		for i, name := range names {
			fmt.Fprintf(&row, "%s %q ", name, fmt.Sprint(*values[i].(*any)))
		}
		all = append(all, row.String())
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// TestLedgerMovesFromSQLiteToPostgreSQLAsTheGuideSays runs the guide's own commands on a
// ledger with something in every table. The souk command that they start with is replaced
// by the ledger itself.
func TestLedgerMovesFromSQLiteToPostgreSQLAsTheGuideSays(t *testing.T) {
	for _, program := range []string{"sh", "sed", "sqlite3", "psql"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	guide, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	found := moves.FindSubmatch(guide)
	if found == nil {
		t.Fatal("the guide has no commands that move a ledger")
	}
	there := postgres(t).Database(t)
	home := t.TempDir()
	here := filepath.Join(home, "var", "ledger.db")
	m := newMarket(t, here, true)
	record(t, m.ledger, whole("r1", 0, published("acme", "/products/arm"), published("zinc")))
	id, token := m.claim("acme")
	if _, err := m.VerifyClaim(t.Context(), id, token, "ws-1"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.MoveClaim(t.Context(), "acme", "ws-2", "two \"teams\",\nand one, 'it's said"); err != nil {
		t.Fatal(err)
	}
	again := start("zinc")
	again.IdempotencyKey = "key"
	if _, err := m.StartClaim(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	id, token = m.removal("zinc")
	if _, err := m.VerifyRemoval(t.Context(), id, token); err != nil {
		t.Fatal(err)
	}
	m.pass(time.Minute)
	if _, err := m.Restore(t.Context(), "zinc", `\N`); err != nil {
		t.Fatal(err)
	}
	zinc, _, err := m.ByID(t.Context(), "zinc")
	if err == nil {
		_, err = m.Remove(t.Context(), m, zinc, "Müller’s letter")
	}
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := m.NewAPIToken(t.Context(), "ws-1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.ledger.TryNotice(t.Context(), "https://hooks.example", ledger.Notice{ID: "removed-1"}, m.now()); err != nil {
		t.Fatal(err)
	}
	begun := newMarket(t, there, false)
	if _, _, err := begun.NewAPIToken(t.Context(), "moving"); err != nil {
		t.Fatal(err)
	}

	cmd := exec.Command("sh", "-c", "souk() { :; }\n"+string(found[1]))
	cmd.Dir, cmd.Env = home, append(os.Environ(), "DATABASE="+there)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	tables, err := raw(t, here).Query("SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	for tables.Next() {
		var table string
		if err := tables.Scan(&table); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(ofRunningServers, table) {
			continue
		}
		want := rows(t, here, table)
		if len(want) == 0 {
			t.Errorf("%s is empty: what becomes of its rows is not tried", table)
		}
		if got := rows(t, there, table); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", table, got, want)
		}
	}
	if err := tables.Err(); err != nil {
		t.Fatal(err)
	}
	moved := newMarket(t, there, true)
	if workspace, err := moved.Authenticate(t.Context(), secret.Reveal()); err != nil || workspace != "ws-1" {
		t.Errorf("the token is of %q: %v", workspace, err)
	}
	if list, err := moved.ListRemovals(t.Context(), false); err != nil || len(list) != 1 || list[0].Slug != "zinc" {
		t.Errorf("removed are %v: %v", list, err)
	}
}
