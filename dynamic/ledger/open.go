package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"

	"souk/dynamic/verification"
)

// A Ledger is an open one. Its methods are safe for concurrent use.
type Ledger struct {
	// name is the path, or the URL without its password.
	name string
	// writer does one Update at a time; reader may be the same pool.
	writer, reader *sql.DB
	// file is that of SQLite, else nil.
	file    *heldFile
	closed  sync.Once
	dialect dialect
}

var _ verification.Ledger = (*Ledger)(nil)

// A dialect is what differs between the databases.
type dialect interface {
	// bind returns a query with the placeholders of the database, from ?.
	bind(query string) string
	// writing and reading are how transactions begin.
	writing() *sql.TxOptions
	reading() *sql.TxOptions
	// exclude makes a transaction the only writer, before it reads anything; ""
	// where beginning does.
	exclude() string
	// transient tells failures that another try may not meet, where it is sure
	// that nothing was committed.
	transient(error) bool
	// lost tells that a connection, which once was, is no more.
	lost(error) bool
	// hint says what an operator can do about a failure; "" where unknown.
	hint(error) string
	migrator
}

// ErrMissing says that there is no ledger where one has to be.
var ErrMissing = errors.New("there is no ledger")

// Open opens the ledger at a path of SQLite or a postgres:// URL, makes it
// where there is none, and brings it to the form that this program knows. It
// fails with an ErrNewer where a newer program wrote it. The error says what to
// do about it.
func Open(ctx context.Context, target string) (*Ledger, error) { return open(ctx, target, true) }

// OpenExisting opens a ledger as Open does, but fails with ErrMissing where
// there is none: a path that is misspelled must not bring removed sellers back.
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

// Redacted returns what Open is given, without what may be secret.
func Redacted(target string) string {
	if strings.Contains(target, "://") {
		return postgresName(target)
	}
	return target
}

func connect(target string, create bool) (*Ledger, error) {
	scheme, _, isURL := strings.Cut(target, "://")
	switch {
	case scheme == "postgres" && isURL, scheme == "postgresql" && isURL:
		return connectPostgres(target)
	case isURL:
		return nil, fmt.Errorf("open the ledger: %q is no kind of database: give a path for SQLite, or postgres://user@host/name", scheme)
	case target == "":
		return nil, errors.New("open the ledger: no database is given: give a path for SQLite, or postgres://user@host/name")
	default:
		return connectSQLite(target, create)
	}
}

// Close closes the ledger; again, it does nothing. Every Update that returned nil is durable already.
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

// Ping reports whether the ledger can be read now.
func (l *Ledger) Ping(ctx context.Context) error {
	return l.view(ctx, func(r *records) error {
		_, err := r.text("SELECT value FROM meta WHERE name = 'release'")
		return err
	})
}

// explain adds to a failure which ledger it is, and what to do.
func (l *Ledger) explain(err error) error {
	if hint := l.dialect.hint(err); hint != "" {
		return fmt.Errorf("the ledger %s: %w: %s", l.name, err, hint)
	}
	return fmt.Errorf("the ledger %s: %w", l.name, err)
}
