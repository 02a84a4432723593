package ledger

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"strconv"
)

// migrations contains the migration steps, applied in the order of their names. A ledger's
// version is the number of steps it has seen.
//
//go:embed migrations/*.sql
var migrations embed.FS

// ErrNewer is the error for a ledger that was written by a newer program.
type ErrNewer struct{ Ledger, Program int }

func (e *ErrNewer) Error() string {
	return fmt.Sprintf("it has version %d, and this program knows version %d: use the program that wrote it, or a newer one", e.Ledger, e.Program)
}

// errNoVersion means that this program did not create the database.
var errNoVersion = errors.New("it has no version: it is not a ledger, or a program before 1.0 wrote it: create a new one under another name")

// A migrator provides what differs between the databases during migration.
type migrator interface {
	// exists returns the query that counts the tables of a ledger of any version.
	exists() string
	// lock returns the statements that keep all other migrations out before the
	// transaction reads anything; empty if beginning the transaction is enough.
	lock() []string
}

func (inSQLite) exists() string {
	return "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'meta'"
}

func (inSQLite) lock() []string { return nil }

func (inPostgres) exists() string {
	return "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'meta'"
}

// lock takes an advisory lock, since there may be no table to lock yet. The lock ends with
// the transaction (PostgreSQL manual, Advisory Locks). The number spells "souk".
func (inPostgres) lock() []string {
	return []string{"SET LOCAL lock_timeout = '60s'", "SELECT pg_advisory_xact_lock(x'736f756b'::bigint)"}
}

// prepare migrates a ledger to the schema that the steps define.
func (l *Ledger) prepare(ctx context.Context, steps []string, create bool) error {
	err := l.try(ctx, func() error { return l.migrate(ctx, steps, create) })
	if err == nil || errors.Is(err, ErrMissing) {
		return err
	}
	return fmt.Errorf("open %w", err)
}

// readSteps returns the SQL statements of each step.
func readSteps() ([]string, error) {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	var steps []string
	for _, f := range files {
		text, err := migrations.ReadFile("migrations/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("read the migrations: %w", err)
		}
		steps = append(steps, string(text))
	}
	return steps, nil
}

// migrate applies the steps that the ledger has not seen yet. If it has seen them all,
// migrate takes no lock.
func (l *Ledger) migrate(ctx context.Context, steps []string, create bool) error {
	version, err := l.version(ctx, l.writer)
	switch {
	case err != nil:
		return l.own(err)
	case version == 0 && !create:
		return fmt.Errorf("open the ledger: %w in %s: check the name", ErrMissing, l.name)
	}
	for err == nil && version < len(steps) {
		version, err = l.step(ctx, steps)
	}
	if err == nil && version > len(steps) {
		err = &ErrNewer{Ledger: version, Program: len(steps)}
	}
	return l.own(err)
}

// own adds the ledger's name to an error that does not come from the database; try does so
// for those that do.
func (l *Ledger) own(err error) error {
	if err == nil || errors.As(err, new(*databaseError)) {
		return err
	}
	return l.explain(err)
}

// step applies the next step, unless another program has done so meanwhile, and returns the
// version after it. A step and its number are committed together, so a ledger is never
// between two versions.
func (l *Ledger) step(ctx context.Context, steps []string) (int, error) {
	tx, err := l.writer.BeginTx(ctx, nil)
	if err != nil {
		return 0, failed("begin", err)
	}
	defer func() { _ = tx.Rollback() }() // see once
	for _, statement := range l.dialect.lock() {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return 0, failed("wait for another program that migrates it", err)
		}
	}
	version, err := l.version(ctx, tx)
	if err != nil || version >= len(steps) {
		return version, err
	}
	// Without arguments, both drivers accept several statements at once.
	if _, err := tx.ExecContext(ctx, steps[version]); err != nil {
		return 0, failed(fmt.Sprintf("upgrade it from version %d to %d", version, version+1), err)
	}
	const set = "INSERT INTO meta (name, value) VALUES ('schema', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
	if _, err := tx.ExecContext(ctx, l.dialect.bind(set), strconv.Itoa(version+1)); err != nil {
		return 0, failed("record its version", err)
	}
	return version + 1, failed(committing, tx.Commit())
}

// version returns the ledger's version, or 0 if there is no ledger.
func (l *Ledger) version(ctx context.Context, in interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (int, error) {
	var tables int
	if err := in.QueryRowContext(ctx, l.dialect.exists()).Scan(&tables); err != nil || tables == 0 {
		return 0, failed("read its version", err)
	}
	var text string
	err := in.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'schema'").Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, errNoVersion
	}
	if err != nil {
		return 0, failed("read its version", err)
	}
	version, err := strconv.Atoi(text)
	if err != nil || version < 1 {
		return 0, errNoVersion
	}
	return version, nil
}
