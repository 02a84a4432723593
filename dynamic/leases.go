package dynamic

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"strings"
	"time"

	"souk/build/document"
	"souk/dynamic/ledger"
	"souk/dynamic/machines/lease"
	"souk/dynamic/web"
)

// leases are what servers that share a ledger in PostgreSQL owe one another: this one
// answers while it holds a lease, and a removal is answered once no other shows the
// seller. Without such a ledger there is one machine, and all of it is a look at the
// ledger now and then.
type leases struct {
	ledger *ledger.Ledger
	from   learner
	// keeper is nil where there is one machine.
	keeper *lease.Keeper
}

func newLeases(c Config, from learner, at net.Addr) *leases {
	l := &leases{ledger: c.Verification.Ledger, from: from}
	if !l.ledger.Shared() {
		return l
	}
	heard, newer := from.signals()
	o := lease.Options{
		ID: rand.Text(), Name: lease.Host() + " " + at.String(), Has: l.standing, Learn: from.learn,
		Heard: []chan<- struct{}{heard}, Newer: newer, Now: c.Ticks, Log: c.Log,
		Open: func(ctx context.Context) (lease.Session, error) { return l.ledger.Listen(ctx) },
	}
	if c.Heard != nil {
		o.Heard = append(o.Heard, c.Heard)
	}
	l.keeper = lease.New(o)
	return l
}

// standing is what this server has now. Who is withheld is read before the release: a
// build learns of removals before it makes one. Search has no revision: whatever its
// parts are of, it finds nobody who is withheld.
func (l *leases) standing() ledger.Standing {
	from := l.from.shown()
	s := ledger.Standing{Release: from.ID()}
	if now := from.removals.Now(); now != nil {
		s.Withheld = now.Revision
	}
	if s.Release != "" {
		_, s.Made = from.Made()
	}
	return s
}

// begin asks for the lease, so that the server answers from the start.
func (l *leases) begin(ctx context.Context) {
	if l.keeper != nil {
		l.keeper.Start(ctx)
	}
}

// parts are what keeps the lease, and learns of removals by other processes.
func (l *leases) parts() []func(context.Context) {
	if l.keeper == nil {
		return []func(context.Context){l.follow}
	}
	return []func(context.Context){l.keeper.Run}
}

// recordTime is how often it is looked for removals by other processes, where no lease
// tells of them.
const recordTime = 200 * time.Millisecond

// follow learns who is removed until ctx ends. Whom the ledger withholds is withheld
// whatever becomes of the release: a build that goes on, or waits for one of another
// process, may take minutes.
func (l *leases) follow(ctx context.Context) {
	look := time.NewTicker(recordTime)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			_ = l.from.learn(ctx) // the origin keeps the trouble, or its next build meets it
		}
	}
}

// ready fails where this server may show nothing.
func (l *leases) ready() error {
	if l.keeper == nil || l.keeper.Left() > 0 {
		return nil
	}
	return &web.Error{Code: document.CodeUnavailable, Detail: document.UnavailableDetail, RetryAfter: 1}
}

// check is the state of the lease for health; "" where there is none to have.
func (l *leases) check() string {
	if l.keeper == nil {
		return ""
	}
	return cmp.Or(l.keeper.Trouble(), web.StatusOK)
}

// try settles a revision, where that is possible now. It outlasts who waits, to tell why
// it is not.
func (l *leases) try(ctx context.Context, revision uint64) (behind []string, err error) {
	const longest = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
	defer cancel()
	return l.ledger.Settle(ctx, revision)
}

// settleTime is between two looks whether all servers have a removal.
const settleTime = 20 * time.Millisecond

// settle waits until no server shows, or will show, whom the release here was made
// without, or ctx ends. Who is removed later has an answer of their own.
func (l *leases) settle(ctx context.Context) error {
	if l.keeper == nil {
		return nil
	}
	revision := l.standing().Made
	again := time.NewTicker(settleTime)
	defer again.Stop()
	for {
		behind, err := l.try(ctx, revision)
		if err == nil && len(behind) == 0 {
			return nil
		}
		if err == nil {
			err = fmt.Errorf("these servers do not have its release yet: %s", strings.Join(behind, ", "))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the removal is on record and withheld, and %w: %w", err, context.Cause(ctx))
		case <-again.C:
		}
	}
}
