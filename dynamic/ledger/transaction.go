package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"souk/dynamic/verification"
)

// mostTries limits how often a transaction is tried after a conflict or a lost
// connection; a pool may hold as many lost connections as it has in all.
const mostTries = mostConnections + 2

// View implements verification.Ledger. An error that is not f's says what to
// do.
func (l *Ledger) View(ctx context.Context, f func(verification.Reader) error) error {
	return l.view(ctx, func(r *records) error { return f(r) })
}

// Update implements verification.Ledger. An error that is not f's says what to
// do. If the database is lost during the commit, nobody knows whether the
// change was made, and the error says so.
func (l *Ledger) Update(ctx context.Context, f func(verification.Tx) error) error {
	return l.update(ctx, func(r *records) error { return f(r) })
}

func (l *Ledger) view(ctx context.Context, f func(*records) error) error {
	return l.try(ctx, func() error {
		if err := l.checkFile(); err != nil {
			return err
		}
		return l.once(ctx, l.reader, l.dialect.reading(), "", f)
	})
}

func (l *Ledger) update(ctx context.Context, f func(*records) error) error {
	return l.try(ctx, func() error {
		if err := l.checkFile(); err != nil {
			return err
		}
		if err := l.once(ctx, l.writer, l.dialect.writing(), l.dialect.exclude(), f); err != nil {
			return err
		}
		// A commit counts only if it is in the file at the ledger's path.
		return l.checkFile()
	})
}

// checkFile fails if the file of the ledger is not the one that was opened.
func (l *Ledger) checkFile() error {
	if l.file == nil {
		return nil
	}
	return failed("look at it", l.file.check())
}

// try repeats what failed by a conflict with another transaction, or with its
// connection before the commit.
func (l *Ledger) try(ctx context.Context, once func() error) error {
	for n := 1; ; n++ {
		err := once()
		var broken *databaseError
		if err == nil || !errors.As(err, &broken) {
			return err
		}
		again := l.dialect.transient(broken.cause) || broken.doing != committing && l.dialect.lost(broken.cause)
		if n == mostTries || !again || ctx.Err() != nil {
			return l.explain(err)
		}
		if err := pause(ctx, n); err != nil {
			return err
		}
	}
}

// pause waits longer each time, for a random part of it, so that two that
// conflict do not meet again.
func pause(ctx context.Context, n int) error {
	step := time.Millisecond << n
	t := time.NewTimer(step/2 + rand.N(step))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// committing is the step that may have succeeded although it failed.
const committing = "commit"

// A databaseError comes from the database, not from the function that used it.
type databaseError struct {
	doing string
	cause error
}

func (e *databaseError) Error() string { return e.doing + ": " + e.cause.Error() }
func (e *databaseError) Unwrap() error { return e.cause }

func failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	return &databaseError{doing, err}
}

// once runs one transaction. It is rolled back if f fails or panics.
func (l *Ledger) once(ctx context.Context, db *sql.DB, options *sql.TxOptions, exclude string, f func(*records) error) error {
	tx, err := db.BeginTx(ctx, options)
	if err != nil {
		return failed("begin", err)
	}
	// If the rollback fails, the transaction is lost with its connection and
	// nothing of it remains. After Commit this does nothing.
	defer func() { _ = tx.Rollback() }()
	if exclude != "" {
		if _, err := tx.ExecContext(ctx, exclude); err != nil {
			return failed("wait for other writers", err)
		}
	}
	if err := f(&records{ctx: ctx, tx: tx, bind: l.dialect.bind, announce: l.dialect.announce()}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return failed(committing, err)
	}
	return nil
}

// records are the rows as one transaction sees them: the Reader and the Tx of
// package verification.
type records struct {
	ctx  context.Context
	tx   *sql.Tx
	bind func(string) string
	// announce tells all servers of a change, with its commit; "" where there is one.
	announce string
}

var _ verification.Tx = (*records)(nil)

// exec changes rows and returns how many.
func (r *records) exec(doing, query string, args ...any) (int64, error) {
	result, err := r.tx.ExecContext(r.ctx, r.bind(query), args...)
	if err != nil {
		return 0, failed(doing, err)
	}
	n, err := result.RowsAffected()
	return n, failed(doing, err)
}

// one changes exactly one row.
func (r *records) one(doing, query string, args ...any) error {
	n, err := r.exec(doing, query, args...)
	if err == nil && n != 1 {
		return fmt.Errorf("%s: %d records are concerned instead of one", doing, n)
	}
	return err
}

// text returns the first column of the only row.
func (r *records) text(query string, args ...any) (text string, err error) {
	err = r.tx.QueryRowContext(r.ctx, r.bind(query), args...).Scan(&text)
	return text, failed("read", err)
}

// each calls scan for each row.
func (r *records) each(doing string, scan func(row) error, query string, args ...any) error {
	rows, err := r.tx.QueryContext(r.ctx, r.bind(query), args...)
	if err != nil {
		return failed(doing, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return failed(doing, err)
		}
	}
	return failed(doing, rows.Err())
}

// A row is what values are scanned from.
type row interface{ Scan(...any) error }

// first returns the first row as a value, and whether there is one.
func first[T any](r *records, doing string, scan func(row) (T, error), query string, args ...any) (found T, ok bool, err error) {
	list, err := all(r, doing, scan, query, args...)
	if err != nil || len(list) == 0 {
		return found, false, err
	}
	return list[0], true, nil
}

// all returns the rows as values.
func all[T any](r *records, doing string, scan func(row) (T, error), query string, args ...any) (list []T, err error) {
	err = r.each(doing, func(one row) error {
		value, err := scan(one)
		list = append(list, value)
		return err
	}, query, args...)
	return list, err
}

// micros returns a moment as it is stored: 0 for none.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// A moment scans a column that micros wrote.
type moment struct{ time *time.Time }

// Scan implements sql.Scanner.
func (m moment) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("a time is kept as a number, not as %T", value)
	}
	*m.time = time.Time{}
	if n != 0 {
		*m.time = time.UnixMicro(n).UTC()
	}
	return nil
}
