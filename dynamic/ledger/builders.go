package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// BuilderTime is how long the lease of a builder holds from its renewal on.
const BuilderTime = 3 * time.Second

// Build holds or renews the lease by which a process makes releases into a target, for
// BuilderTime from before the call. since tells that no other held it in between: it is
// the same then. Where another holds it, by is the name of that.
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
			break // else it has just ended
		}
	}
	if err != nil {
		return 0, "", l.explain(failed("ask who builds", err))
	}
	return since, by, nil
}

// EndBuild ends the lease of a builder, so that the next need not wait until it runs
// out.
func (l *Ledger) EndBuild(ctx context.Context, target, holder string) error {
	if _, err := l.writer.ExecContext(ctx, "DELETE FROM builders WHERE target = $1 AND holder = $2", target, holder); err != nil {
		return l.explain(failed("end the lease of a builder", err))
	}
	return nil
}
