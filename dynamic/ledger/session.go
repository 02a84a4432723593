package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Session is a connection of one server's own, over which it renews its lease and
// hears what others announce: neither waits for anything else that the server asks
// the ledger. One goroutine may use it.
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
		_ = conn.Close(ctx) // it is of no use any more
		return nil, l.explain(failed("listen", err))
	}
	return &Session{l, conn}, nil
}

// A Grant is the answer to a renewal.
type Grant struct {
	// Held: the lease holds for LeaseTime from before the renewal was asked for.
	// Otherwise the server has less than what is Settled.
	Held bool
	// Revision is that of the removals on record now.
	Revision, Settled uint64
}

// renewal is one statement, so that a process that is stopped holds no lock. It
// shares the row of settled, whose changes wait for it and are seen by it: a lease is
// never granted to who has less. What ran out long ago is deleted by the way.
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

// Renew renews the lease of a server, or begins it.
func (s *Session) Renew(ctx context.Context, id, name string, has Standing) (g Grant, err error) {
	err = s.conn.QueryRow(ctx, renewal, id, name, LeaseTime.Microseconds(), int64(has.Withheld), int64(has.Made), has.Release, forgetAfter.Microseconds()).
		Scan(&g.Held, &g.Settled, &g.Revision)
	if err != nil {
		return Grant{}, s.ledger.explain(failed("renew the lease", err))
	}
	return g, nil
}

// End ends the lease of a server, which answers nothing from now on.
func (s *Session) End(ctx context.Context, id string) error {
	if _, err := s.conn.Exec(ctx, "DELETE FROM leases WHERE id = $1", id); err != nil {
		return s.ledger.explain(failed("end the lease", err))
	}
	return nil
}

// Await waits until somebody announces something, or for some time.
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

// drain takes what else was announced: one look is enough for all.
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
