package ledger

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// A Standing is what a server has: the revision of the removals that it withholds,
// and the release that it answers from, with the revision that this was made with.
type Standing struct {
	Withheld, Made uint64
	Release        string
}

// A Server is a lease on record.
type Server struct {
	ID, Name string
	// Left is how long the lease holds, by the clock of the database; negative where
	// it ran out.
	Left time.Duration
	Standing
}

// A Builder is who makes releases into a target.
type Builder struct {
	Target, Name string
	// Place is the target in words.
	Place string
	Left  time.Duration
}

// Servers is everything on record about who answers and who builds.
type Servers struct {
	// Revision is that of the removals on record; no server answers with less than
	// Settled.
	Revision, Settled uint64
	Servers           []Server
	Builders          []Builder
}

// LeaseTime is how long a lease holds from its renewal on.
const LeaseTime = time.Second

// forgetAfter is how long a lease that ran out stays on record.
const forgetAfter = time.Hour

// channel is where everybody hears of removals and releases.
const channel = "souk"

// Shared reports whether servers on several machines may share the ledger, so that
// each needs a lease.
func (l *Ledger) Shared() bool { return l != nil && l.session != nil }

// Announce tells all servers that there is something to look at: a removal or a
// release. It does nothing in SQLite.
func (l *Ledger) Announce(ctx context.Context) error {
	if !l.Shared() {
		return nil
	}
	const longest = time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	_, err := l.writer.ExecContext(ctx, "SELECT pg_notify('"+channel+"', '')")
	if err != nil {
		return l.explain(failed("tell other servers", err))
	}
	return nil
}

// now is the clock of the database, in microseconds.
const now = "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint"

// Settle has no server answer with less than a revision from now on, unless one that
// holds a lease has less: then it returns the names of those.
//
// All statements are one message, so that a process that is stopped in the middle
// holds no lock. Each sees what was committed before it began, and the first waits
// for renewals under way: a renewal comes before it, and is seen, or after it, and
// finds the new revision.
func (l *Ledger) Settle(ctx context.Context, revision uint64) (behind []string, err error) {
	r := strconv.FormatUint(revision, 10)
	query := "BEGIN ISOLATION LEVEL READ COMMITTED;" +
		"SELECT revision FROM settled FOR UPDATE;" +
		"UPDATE settled SET revision = " + r + " WHERE revision < " + r + " AND NOT EXISTS (SELECT 1 FROM leases WHERE until > " + now +
		" AND (withheld < " + r + " OR made < " + r + "));" +
		"SELECT name FROM leases, settled WHERE settled.revision < " + r + " AND (withheld < " + r + " OR made < " + r + ") AND until > " + now + " ORDER BY name;" +
		"SELECT revision FROM settled;" +
		"COMMIT"
	settled := false
	err = l.raw(ctx, func(c *stdlib.Conn) error {
		results, err := c.Conn().PgConn().Exec(ctx, query).ReadAll()
		if err != nil {
			return err
		}
		if len(results) != 6 || len(results[4].Rows) != 1 {
			return errors.New("it does not say what is settled")
		}
		for _, row := range results[3].Rows {
			behind = append(behind, string(row[0]))
		}
		has, err := strconv.ParseUint(string(results[4].Rows[0][0]), 10, 64)
		settled = has >= revision
		return err
	})
	if err != nil {
		return nil, l.explain(failed("settle a removal", err))
	}
	if settled {
		return nil, nil
	}
	if len(behind) == 0 {
		behind = []string{"a server whose lease has just run out"}
	}
	return behind, nil
}

// raw calls use with a connection of the pool, which gets it back only if it is as it
// was.
func (l *Ledger) raw(ctx context.Context, use func(*stdlib.Conn) error) error {
	conn, err := l.writer.Conn(ctx)
	if err != nil {
		return err
	}
	_ = conn.Raw(func(connection any) error {
		c, ok := connection.(*stdlib.Conn)
		if !ok {
			err = fmt.Errorf("the connection is a %T", connection)
			return nil
		}
		if err = use(c); err != nil {
			return driver.ErrBadConn
		}
		return nil
	})
	_ = conn.Close() // nothing depends on it
	return err
}

// Servers returns who answers and who builds.
func (l *Ledger) Servers(ctx context.Context) (all Servers, err error) {
	err = l.view(ctx, func(r *records) error {
		all = Servers{}
		if all.Revision, err = r.revision(); err != nil {
			return err
		}
		settled, err := r.text("SELECT revision FROM settled")
		if err == nil {
			all.Settled, err = strconv.ParseUint(settled, 10, 64)
		}
		if err != nil {
			return err
		}
		err = r.each("read leases", func(one row) error {
			var s Server
			var left int64
			err := one.Scan(&s.ID, &s.Name, &left, &s.Withheld, &s.Made, &s.Release)
			s.Left = time.Duration(left) * time.Microsecond
			all.Servers = append(all.Servers, s)
			return err
		}, "SELECT id, name, until - "+now+", withheld, made, release_id FROM leases ORDER BY name, id")
		if err != nil {
			return err
		}
		return r.each("read builders", func(one row) error {
			var b Builder
			var left int64
			err := one.Scan(&b.Target, &b.Name, &b.Place, &left)
			b.Left = time.Duration(left) * time.Microsecond
			all.Builders = append(all.Builders, b)
			return err
		}, "SELECT target, name, place, until - "+now+" FROM builders ORDER BY place, target")
	})
	return all, err
}
