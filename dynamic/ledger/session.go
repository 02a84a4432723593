package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Session is a separate connection, over which a server renews its lease and receives
// announcements, so that neither waits for the server's other queries. Only one goroutine
// may use it at a time.
type Session struct {
	ledger *Ledger
	conn   *pgx.Conn
}

// Listen opens a Session.
func (l *Ledger) Listen(ctx context.Context) (*Session, error) {
	if !l.Shared() {
		return nil, errors.New("servers that share a ledger need postgres://")
	}
	conn, err := pgx.ConnectConfig(ctx, l.session)
	if err != nil {
		return nil, l.explain(failed("connect", err))
	}
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		_ = conn.Close(ctx) // it is no longer usable
		return nil, l.explain(failed("listen", err))
	}
	return &Session{l, conn}, nil
}

// A Grant is the answer to a renewal.
type Grant struct {
	// Valid means that the lease is valid for LeaseTime, counted from before the renewal was
	// requested. Otherwise the server's revision is before Settled.
	Valid bool
	// Revision is the current revision of the removals.
	Revision, Settled uint64
}

// renewal is one statement, so that a process that is stopped halfway holds no lock. It
// takes a shared lock on the settled row, so changes of that row wait for it and see its
// result: a lease is never granted to a server with less. It also deletes leases that
// expired long ago.
const renewal = `WITH floor AS (SELECT revision FROM settled FOR SHARE),
 moment AS (SELECT ` + now + ` AS now),
 old AS (DELETE FROM leases USING moment WHERE until < now - $7 AND id <> $1),
 renewed AS (
  INSERT INTO leases AS l (id, name, until, withheld, made, release_id)
  SELECT $1, $2, CASE WHEN $4 >= revision AND $5 >= revision THEN now + $3 ELSE now END, $4, $5, $6 FROM floor, moment
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, until = GREATEST(l.until, excluded.until),
   withheld = excluded.withheld, made = excluded.made, release_id = excluded.release_id
  RETURNING 1)
SELECT $4 >= floor.revision AND $5 >= floor.revision, floor.revision, meta.value::bigint
FROM floor, meta, renewed WHERE meta.name = 'revision'`

// Renew begins or renews a server's lease.
func (s *Session) Renew(ctx context.Context, id, name string, has ServerState) (g Grant, err error) {
	err = s.conn.QueryRow(ctx, renewal, id, name, LeaseTime.Microseconds(), int64(has.Withheld), int64(has.Built), has.Release, forgetAfter.Microseconds()).
		Scan(&g.Valid, &g.Settled, &g.Revision)
	if err != nil {
		return Grant{}, s.ledger.explain(failed("renew the lease", err))
	}
	return g, nil
}

// End ends the lease of a server. The server must not answer requests from then on.
func (s *Session) End(ctx context.Context, id string) error {
	if _, err := s.conn.Exec(ctx, "DELETE FROM leases WHERE id = $1", id); err != nil {
		return s.ledger.explain(failed("end the lease", err))
	}
	return nil
}

// Await waits for an announcement, for at most longest.
func (s *Session) Await(ctx context.Context, longest time.Duration) (heard bool, err error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	waiting, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	_, err = s.conn.WaitForNotification(waiting)
	switch {
	case err == nil:
		s.drain()
		return true, nil
	case waiting.Err() != nil && !s.conn.IsClosed():
		return false, ctx.Err()
	}
	return false, s.ledger.explain(failed("listen", err))
}

// drain discards the other pending announcements: one look covers them all.
func (s *Session) drain() {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for {
		if _, err := s.conn.WaitForNotification(done); err != nil {
			return
		}
	}
}

// Close closes the connection.
func (s *Session) Close() error {
	const longest = time.Second
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	if err := s.conn.Close(ctx); err != nil {
		return fmt.Errorf("close the ledger %s: %w", s.ledger.name, err)
	}
	return nil
}
