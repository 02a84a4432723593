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

// mostTries limits how often a transaction is tried after a conflict or a lost connection.
// Every connection in the pool may have been lost.
const mostTries = mostConnections + 2

// View implements verification.Ledger. Errors that do not come from f say what to do.
func (l *Ledger) View(ctx context.Context, f func(verification.Reader) error) error {
	return l.view(ctx, func(r *records) error { return f(r) })
}

// Update implements verification.Ledger. Errors that do not come from f say what to do. If
// the connection is lost during the commit, it is unknown whether the change was made, and
// the error says so.
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

// checkFile fails if the ledger's file is no longer the one that was opened.
func (l *Ledger) checkFile() error {
	if l.file == nil {
		return nil
	}
	return failed("check it", l.file.check())
}

// try retries a transaction that conflicted with another one or lost its connection before
// the commit.
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

// pause waits longer each time, for a partly random time, so that two conflicting
// transactions do not collide again.
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

// committing is the step that may have succeeded even if it reported an error.
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
	// If the rollback fails, the connection is lost and the transaction with it. After
	// Commit, Rollback does nothing.
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

// records accesses the rows within one transaction. It implements verification's Reader and
// Tx.
type records struct {
	ctx  context.Context
	tx   *sql.Tx
	bind func(string) string
	// announce is the statement that notifies all servers of a change when it is committed;
	// "" if there is only one server.
	announce string
}

var _ verification.Tx = (*records)(nil)

// exec changes rows and returns their number.
func (r *records) exec(doing, query string, args ...any) (int64, error) {
	result, err := r.tx.ExecContext(r.ctx, r.bind(query), args...)
	if err != nil {
		return 0, failed(doing, err)
	}
	n, err := result.RowsAffected()
	return n, failed(doing, err)
}

// one changes exactly one row, or fails.
func (r *records) one(doing, query string, args ...any) error {
	n, err := r.exec(doing, query, args...)
	if err == nil && n != 1 {
		return fmt.Errorf("%s: it affects %d records instead of one", doing, n)
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

// A row is scanned into values.
type row interface{ Scan(...any) error }

// first returns the first row, and reports whether there is one.
func first[T any](r *records, doing string, scan func(row) (T, error), query string, args ...any) (found T, ok bool, err error) {
	list, err := all(r, doing, scan, query, args...)
	if err != nil || len(list) == 0 {
		return found, false, err
	}
	return list[0], true, nil
}

// all returns all rows.
func all[T any](r *records, doing string, scan func(row) (T, error), query string, args ...any) (list []T, err error) {
	err = r.each(doing, func(one row) error {
		value, err := scan(one)
		list = append(list, value)
		return err
	}, query, args...)
	return list, err
}

// micros returns t as it is stored; 0 for the zero time.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// A moment scans a column written by micros.
type moment struct{ time *time.Time }

// Scan implements sql.Scanner.
func (m moment) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("a time is stored as a number, not as %T", value)
	}
	*m.time = time.Time{}
	if n != 0 {
		*m.time = time.UnixMicro(n).UTC()
	}
	return nil
}
