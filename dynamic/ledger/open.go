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
	// file is the open file of SQLite; nil with PostgreSQL.
	file    *heldFile
	closed  sync.Once
	dialect dialect
	// session is how to open a Session; nil with SQLite.
	session *pgx.ConnConfig
}

var _ verification.Ledger = (*Ledger)(nil)

// A dialect holds what differs between the databases.
type dialect interface {
	// bind rewrites the ? placeholders of a query for the database.
	bind(query string) string
	// writing and reading are the options that transactions begin with.
	writing() *sql.TxOptions
	reading() *sql.TxOptions
	// exclude is the statement that makes a transaction the only writer, before
	// it reads anything; "" where beginning it is enough.
	exclude() string
	// announce is the statement that tells all servers that something changed, with
	// the commit; "" where there is only one.
	announce() string
	// transient reports failures that a retry may avoid, if it is certain that
	// nothing was committed.
	transient(error) bool
	// lost reports that an established connection has broken.
	lost(error) bool
	// hint returns what an operator can do about a failure; "" if unknown.
	hint(error) string
	migrator
}

// ErrMissing means that there is no ledger where one has to be.
var ErrMissing = errors.New("there is no ledger")

// Open opens the ledger at a SQLite path or a postgres:// URL, creates it if
// there is none, and brings it to the version of this program. It fails with an
// ErrNewer if a newer program wrote it. The error says what to do about it.
func Open(ctx context.Context, target string) (*Ledger, error) { return open(ctx, target, true) }

// OpenExisting opens a ledger as Open does, but fails with ErrMissing if there
// is none: a misspelled path must not make removed sellers public again.
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

// IsShared reports whether an argument of Open is a ledger that several machines can
// have.
func IsShared(target string) bool {
	return strings.HasPrefix(target, "postgres://") || strings.HasPrefix(target, "postgresql://")
}

// connectionText finds the forms in which other programs take a database of PostgreSQL. As a
// path each machine would have a ledger of its own by it, in a file whose name has a password.
var connectionText = regexp.MustCompile(`(?i)^postgres(ql)?:|(^|\s)(host|hostaddr|dbname|password|service)\s*=`)

// CheckTarget says what is wrong with an argument of Open as it is written, whatever
// is there. The error tells no password.
func CheckTarget(target string) error {
	scheme, _, isURL := strings.Cut(target, "://")
	switch {
	case IsShared(target):
		_, err := readURL(target)
		return err
	case isURL:
		return fmt.Errorf("%q is no kind of database: give a path for SQLite, or postgres://user@host/name", scheme)
	case connectionText.MatchString(target):
		return errors.New("this is no path for SQLite: write postgres://user:password@host:5432/name")
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

// Close closes the ledger; calling it again does nothing. Every Update that
// returned nil is already durable.
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

// explain adds the ledger's name and what to do to a failure.
func (l *Ledger) explain(err error) error {
	if hint := l.dialect.hint(err); hint != "" {
		return fmt.Errorf("the ledger %s: %w: %s", l.name, err, hint)
	}
	return fmt.Errorf("the ledger %s: %w", l.name, err)
}
