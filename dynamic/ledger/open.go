package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"souk/dynamic/verification"
)

// A Ledger is an open ledger. Its methods are safe for concurrent use.
type Ledger struct {
	// name is the path, or the URL without its password.
	name string
	// writer runs one Update at a time; reader may be the same pool.
	writer, reader *sql.DB
	// file is the open SQLite file; nil with PostgreSQL.
	file    *ledgerFile
	closed  sync.Once
	dialect dialect
	// session configures the connection of a Session; nil with SQLite.
	session *pgx.ConnConfig
}

var _ verification.Ledger = (*Ledger)(nil)

// A dialect provides what differs between the databases.
type dialect interface {
	// bind rewrites the ? placeholders of a query for the database.
	bind(query string) string
	// writing and reading return the options for beginning a transaction.
	writing() *sql.TxOptions
	reading() *sql.TxOptions
	// exclude returns the statement that makes a transaction the only writer, before it
	// reads anything; "" if beginning the transaction is enough.
	exclude() string
	// announce returns the statement that notifies all servers of a change when it is
	// committed; "" if there is only one server.
	announce() string
	// transient reports whether a retry may avoid the failure, provided that nothing was
	// committed.
	transient(error) bool
	// lost reports whether an established connection has broken.
	lost(error) bool
	// hint returns what an operator can do about a failure; "" if unknown.
	hint(error) string
	migrator
}

// ErrMissing means that there is no ledger where one is required.
var ErrMissing = errors.New("there is no ledger")

// Open opens the ledger at a SQLite path or a postgres:// URL. It creates the ledger if
// there is none, and migrates it to the version of this program. If a newer program wrote
// the ledger, it fails with an ErrNewer. Errors say what to do.
func Open(ctx context.Context, target string) (*Ledger, error) { return open(ctx, target, true) }

// OpenExisting is like Open, but fails with ErrMissing if there is no ledger: a misspelled
// path must not make removed sellers public again.
func OpenExisting(ctx context.Context, target string) (*Ledger, error) {
	return open(ctx, target, false)
}

func open(ctx context.Context, target string, create bool) (*Ledger, error) {
	steps, err := readSteps()
	if err != nil {
		return nil, err
	}
	return openWith(ctx, target, steps, create)
}

func openWith(ctx context.Context, target string, steps []string, create bool) (*Ledger, error) {
	l, err := connect(target, create)
	if err != nil {
		return nil, err
	}
	if err := l.prepare(ctx, steps, create); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Redacted returns an argument of Open without anything that may be secret.
func Redacted(target string) string {
	if strings.Contains(target, "://") {
		return postgresName(target)
	}
	return target
}

// IsShared reports whether an argument of Open names a ledger that several machines can
// use.
func IsShared(target string) bool {
	return strings.HasPrefix(target, "postgres://") || strings.HasPrefix(target, "postgresql://")
}

// connectionText matches the other ways to write a PostgreSQL connection, as other programs
// accept them. Taken as a path, such a text would give each machine a ledger of its own, in
// a file whose name contains a password.
var connectionText = regexp.MustCompile(`(?i)^postgres(ql)?:|(^|\s)(host|hostaddr|dbname|password|service)\s*=`)

// CheckTarget checks how an argument of Open is written, without looking at what is there.
// Its errors contain no password.
func CheckTarget(target string) error {
	scheme, _, isURL := strings.Cut(target, "://")
	switch {
	case IsShared(target):
		_, err := readURL(target)
		return err
	case isURL:
		return fmt.Errorf("%q is not a kind of database: give a path for SQLite, or postgres://user@host/name", scheme)
	case connectionText.MatchString(target):
		return errors.New("this is not a path for SQLite: write postgres://user:password@host:5432/name")
	case target == "":
		return errors.New("no database is given: give a path for SQLite, or postgres://user@host/name")
	default:
		return nil
	}
}

func connect(target string, create bool) (*Ledger, error) {
	if err := CheckTarget(target); err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	if IsShared(target) {
		return connectPostgres(target)
	}
	return connectSQLite(target, create)
}

// Close closes the ledger; calling it again does nothing. Every Update that returned nil is
// already durable.
func (l *Ledger) Close() error {
	err := l.writer.Close()
	if l.reader != l.writer {
		err = errors.Join(err, l.reader.Close())
	}
	if l.file != nil {
		l.closed.Do(func() { err = errors.Join(err, l.file.release()) })
	}
	if err != nil {
		return fmt.Errorf("close the ledger %s: %w", l.name, err)
	}
	return nil
}

// explain adds the ledger's name and the hint to an error.
func (l *Ledger) explain(err error) error {
	if hint := l.dialect.hint(err); hint != "" {
		return fmt.Errorf("the ledger %s: %w: %s", l.name, err, hint)
	}
	return fmt.Errorf("the ledger %s: %w", l.name, err)
}
