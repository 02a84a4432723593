package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// BuilderTime is how long a builder's lease is valid after it was renewed.
const BuilderTime = 3 * time.Second

// Build acquires or renews the lease that lets a process build releases into a target. The
// lease is valid for BuilderTime, counted from before the call. since stays the same as
// long as no other process has held the lease in between. If another process holds it, by
// is that process's name.
func (l *Ledger) Build(ctx context.Context, b Builder, holder string) (since int64, by string, err error) {
	const query = `INSERT INTO builders AS b (target, holder, name, place, since, until) VALUES ($1, $2, $3, $4, ` + now + `, ` + now + ` + $5)
ON CONFLICT (target) DO UPDATE SET holder = excluded.holder, name = excluded.name, place = excluded.place, until = ` + now + ` + $5,
 since = CASE WHEN b.holder = excluded.holder THEN b.since ELSE excluded.since END
WHERE b.holder = excluded.holder OR b.until <= ` + now + ` RETURNING since`
	for range 2 {
		err = l.writer.QueryRowContext(ctx, query, b.Target, holder, b.Name, b.Place, BuilderTime.Microseconds()).Scan(&since)
		if !errors.Is(err, sql.ErrNoRows) {
			break
		}
		err = l.writer.QueryRowContext(ctx, "SELECT name FROM builders WHERE target = $1", b.Target).Scan(&by)
		if !errors.Is(err, sql.ErrNoRows) {
			break // the lease has just ended: try again
		}
	}
	if err != nil {
		return 0, "", l.explain(failed("ask who builds", err))
	}
	return since, by, nil
}

// EndBuild ends a builder's lease, so that the next builder need not wait for it to expire.
func (l *Ledger) EndBuild(ctx context.Context, target, holder string) error {
	if _, err := l.writer.ExecContext(ctx, "DELETE FROM builders WHERE target = $1 AND holder = $2", target, holder); err != nil {
		return l.explain(failed("end the lease of a builder", err))
	}
	return nil
}
