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

// A ServerState describes a server's state: the revision of the removals that it withholds,
// the release that it serves, and the revision with which that release was built.
type ServerState struct {
	Withheld, Built uint64
	Release         string
}

// A Server is the lease of a server, as recorded.
type Server struct {
	ID, Name string
	// Remaining is how long the lease is still valid by the database's clock; negative if it has
	// expired.
	Remaining time.Duration
	ServerState
}

// A Builder is a process that builds releases into a target.
type Builder struct {
	Target, Name string
	// Place describes the target to people.
	Place     string
	Remaining time.Duration
}

// Servers lists all servers and builders on record.
type Servers struct {
	// Revision is the current revision of the removals. No server with a revision before
	// Settled answers requests.
	Revision, Settled uint64
	Servers           []Server
	Builders          []Builder
}

// LeaseTime is how long a lease is valid after it was renewed.
const LeaseTime = time.Second

// forgetAfter is how long an expired lease stays on record.
const forgetAfter = time.Hour

// channel is the PostgreSQL channel that announces removals and releases.
const channel = "souk"

// Shared reports whether servers on several machines may share the ledger, so that each
// needs a lease.
func (l *Ledger) Shared() bool { return l != nil && l.session != nil }

// Announce notifies all servers of a new removal or release. It does nothing in SQLite.
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

// now is the database's clock, in microseconds.
const now = "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint"

// Settle keeps every server that has less than a revision from answering requests from now
// on. If a server with less holds a lease, Settle changes nothing and returns the names of
// such servers.
//
// All statements are sent as one message, so that a process that is stopped halfway holds
// no lock. Each statement sees what was committed before it began, and the first one waits
// for renewals in progress: a renewal either comes before it and is seen, or comes after it
// and finds the new revision.
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
		behind = []string{"a server whose lease has just expired"}
	}
	return behind, nil
}

// raw calls use with a pooled connection. The connection returns to the pool only if it is
// still in its original state.
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

// Servers returns all servers and builders on record.
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
			err := one.Scan(&s.ID, &s.Name, &left, &s.Withheld, &s.Built, &s.Release)
			s.Remaining = time.Duration(left) * time.Microsecond
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
			b.Remaining = time.Duration(left) * time.Microsecond
			all.Builders = append(all.Builders, b)
			return err
		}, "SELECT target, name, place, until - "+now+" FROM builders ORDER BY place, target")
	})
	return all, err
}
