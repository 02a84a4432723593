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

// leases coordinates servers that share a ledger in PostgreSQL. This server answers while
// it holds a lease, and a removal is answered once no other server shows the seller.
// Without such a ledger there is only one machine, and leases only reads the removals at
// intervals.
type leases struct {
	ledger *ledger.Ledger
	from   learner
	// keeper is nil if there is only one machine.
	keeper *lease.Keeper
}

func newLeases(c Config, from learner, at net.Addr) *leases {
	l := &leases{ledger: c.Verification.Ledger, from: from}
	if !l.ledger.Shared() {
		return l
	}
	heard, newer := from.signals()
	o := lease.Options{
		ID: rand.Text(), Name: lease.Host() + " " + at.String(), Has: l.state, Learn: from.learn,
		Heard: []chan<- struct{}{heard}, Newer: newer, Now: c.Ticks, Log: c.Log,
		Open: func(ctx context.Context) (lease.Session, error) { return l.ledger.Listen(ctx) },
	}
	if c.Heard != nil {
		o.Heard = append(o.Heard, c.Heard)
	}
	l.keeper = lease.New(o)
	return l
}

// state returns the server's current state. It reads the removals before the release,
// since a build reads them before it makes a release. Search has no revision: whatever
// release its parts belong to, it never finds withheld sellers.
func (l *leases) state() ledger.ServerState {
	from := l.from.sources()
	s := ledger.ServerState{Release: from.ID()}
	if now := from.removals.Now(); now != nil {
		s.Withheld = now.Revision
	}
	if s.Release != "" {
		_, s.Built = from.BuiltFrom()
	}
	return s
}

// begin requests the lease, so that the server answers from the start.
func (l *leases) begin(ctx context.Context) {
	if l.keeper != nil {
		l.keeper.Start(ctx)
	}
}

// parts returns the goroutines that keep the lease and read the removals of other
// processes.
func (l *leases) parts() []func(context.Context) {
	if l.keeper == nil {
		return []func(context.Context){l.follow}
	}
	return []func(context.Context){l.keeper.Run}
}

// recordTime is how often the removals of other processes are read if there is no lease.
const recordTime = 200 * time.Millisecond

// follow reads the removals until ctx ends. Sellers are withheld as soon as the ledger says
// so: a build that is running, or waits for another process, may take minutes.
func (l *leases) follow(ctx context.Context) {
	look := time.NewTicker(recordTime)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			_ = l.from.learn(ctx) // the origin keeps the error, or its next build reports it
		}
	}
}

// ready fails if this server must not answer.
func (l *leases) ready() error {
	if l.keeper == nil || l.keeper.Remaining() > 0 {
		return nil
	}
	return &web.Error{Code: document.CodeUnavailable, Detail: document.UnavailableDetail, RetryAfter: 1}
}

// check returns the state of the lease for the health check; "" if none is needed.
func (l *leases) check() string {
	if l.keeper == nil {
		return ""
	}
	return cmp.Or(l.keeper.Problem(), web.StatusOK)
}

// try settles a revision if that is possible now. It may take longer than the caller's
// context, so that it can name the servers that are behind.
func (l *leases) try(ctx context.Context, revision uint64) (behind []string, err error) {
	const longest = 2 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longest)
	defer cancel()
	return l.ledger.Settle(ctx, revision)
}

// settleTime is the interval at which to check whether all servers have a removal.
const settleTime = 20 * time.Millisecond

// settle waits until no server shows, or will show, the sellers that this release
// withholds, or ctx ends. Sellers removed later have their own call.
func (l *leases) settle(ctx context.Context) error {
	if l.keeper == nil {
		return nil
	}
	revision := l.state().Built
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
			return fmt.Errorf("the removal is recorded and in effect here, but %w: %w", err, context.Cause(ctx))
		case <-again.C:
		}
	}
}
