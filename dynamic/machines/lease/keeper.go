package lease

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"souk/dynamic/ledger"
)

const (
	// margin is how much earlier a lease ends here than in the database.
	margin = 100 * time.Millisecond
	// every is how often a lease is renewed.
	every = 250 * time.Millisecond
)

// A Session is the connection that renews a lease; *ledger.Session implements it.
type Session interface {
	Renew(ctx context.Context, id, name string, has ledger.ServerState) (ledger.Grant, error)
	Await(ctx context.Context, longest time.Duration) (heard bool, err error)
	End(ctx context.Context, id string) error
	Close() error
}

// Options configure a Keeper. All fields except Heard and Newer are required.
type Options struct {
	// ID is unique to this run of the server; Name is for people.
	ID, Name string
	// Open opens a Session.
	Open func(ctx context.Context) (Session, error)
	// Has returns the server's current state.
	Has func() ledger.ServerState
	// Learn reads the current removals. The server withholds them from then on.
	Learn func(ctx context.Context) error
	// Heard channels receive a value, unless they are full, when a removal or a release was
	// announced.
	Heard []chan<- struct{}
	// Newer signals that the server has something newer, so that the lease is renewed at
	// once.
	Newer <-chan struct{}
	// Now returns the time on the machine's clocks.
	Now func() Instant
	Log *slog.Logger
}

// A Keeper keeps the lease of a server. Its methods are safe for concurrent use.
type Keeper struct {
	o Options
	// renewed is when the last granted renewal was sent; nil before the first one.
	renewed atomic.Pointer[Instant]
	// last is the result of the last renewal.
	last atomic.Pointer[outcome]
	// session is nil unless it is open. Only the renewing goroutine uses it.
	session Session
}

// An outcome is the result of a renewal.
type outcome struct {
	grant ledger.Grant
	err   error
}

// New returns a Keeper that holds no lease yet.
func New(o Options) *Keeper { return &Keeper{o: o} }

// Remaining returns how long the lease is still valid; 0 if there is none.
func (k *Keeper) Remaining() time.Duration {
	sent := k.renewed.Load()
	if sent == nil {
		return 0
	}
	return max(0, ledger.LeaseTime-margin-k.o.Now().since(*sent))
}

// Problem explains to the public why there is no lease; "" if there is one.
func (k *Keeper) Problem() string {
	if k.Remaining() > 0 {
		return ""
	}
	switch last := k.last.Load(); {
	case last == nil:
		return "there is none yet"
	case last.err != nil:
		return "it expired: the ledger does not answer"
	case !last.grant.Valid:
		return "it expired: the release misses a removal that is already answered"
	}
	return "it expired"
}

// Start requests the lease once, so that the server can answer from the start.
func (k *Keeper) Start(ctx context.Context) { k.renew(ctx) }

// Run renews the lease until ctx ends, then ends the lease.
func (k *Keeper) Run(ctx context.Context) {
	defer k.end(context.WithoutCancel(ctx))
	for ctx.Err() == nil {
		if !k.renew(ctx) {
			k.pause(ctx)
			continue
		}
		heard, err := k.await(ctx)
		if err != nil {
			k.failed(ctx, err)
			k.pause(ctx)
		}
		if heard {
			k.notify()
		}
	}
}

// renew renews the lease. If the answer names newer removals, the server reads them and the
// lease is renewed again. It reports whether the ledger answered.
func (k *Keeper) renew(ctx context.Context) bool {
	for {
		has := k.o.Has()
		g, err := k.ask(ctx, has)
		if err == nil && g.Revision > has.Withheld {
			if err = k.learn(ctx); err == nil && k.o.Has().Withheld > has.Withheld {
				k.notify()
				continue
			}
		}
		if err != nil {
			k.failed(ctx, err)
			return false
		}
		k.recordGrant(g)
		return true
	}
}

// learn makes the server read the removals. It limits the time, since a cut network never
// answers.
func (k *Keeper) learn(ctx context.Context) error {
	const longest = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	return k.o.Learn(ctx)
}

// ask renews the lease once.
func (k *Keeper) ask(ctx context.Context, has ledger.ServerState) (g ledger.Grant, err error) {
	// A later answer is useless. The renewal is not canceled when the server ends, because
	// a connection closed halfway could not end the lease.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ledger.LeaseTime)
	defer cancel()
	if k.session == nil {
		if k.session, err = k.o.Open(ctx); err != nil {
			k.session = nil
			return g, err
		}
	}
	sent := k.o.Now()
	if g, err = k.session.Renew(ctx, k.o.ID, k.o.Name, has); err != nil {
		return g, err
	}
	if g.Valid {
		if was := k.renewed.Swap(&sent); was != nil {
			k.logGap(*was, sent)
		}
	} else {
		k.renewed.Store(nil) // the server no longer has what the last lease was granted for
	}
	return g, nil
}

// logGap logs how long the previous lease had expired before the next one, requested at
// sent, was granted. Requests were refused meanwhile.
func (k *Keeper) logGap(before, sent Instant) {
	now := k.o.Now()
	if gap := now.since(before) - (ledger.LeaseTime - margin); gap > 0 {
		k.o.Log.Warn("the lease expired for a moment, and requests were refused: this machine or the ledger was too slow",
			"for", gap.Round(time.Millisecond), "ledger", now.since(sent).Round(time.Millisecond))
	}
}

// recordGrant stores the result of a renewal and logs changes.
func (k *Keeper) recordGrant(g ledger.Grant) {
	was := k.last.Swap(&outcome{grant: g})
	switch good := was == nil || was.err == nil && was.grant.Valid; {
	case g.Valid && !good:
		k.o.Log.Info("the lease is valid again: answering requests")
	case !g.Valid && good:
		k.o.Log.Error("no lease, refusing requests: the release misses a removal that is already answered; trying again",
			"has", k.o.Has().Built, "settled", g.Settled)
	}
}

// failed closes the session. An error caused by the server's shutdown is not a failure.
func (k *Keeper) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	if k.session != nil {
		_ = k.session.Close() // it has failed already
		k.session = nil
	}
	if was := k.last.Swap(&outcome{err: err}); was == nil || was.err == nil {
		k.o.Log.Error("the lease cannot be renewed, and requests are refused once it expires; trying again", "cause", err)
	}
}

// await waits until the lease needs renewal or something is announced.
func (k *Keeper) await(ctx context.Context) (heard bool, err error) {
	waiting, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	defer func() { stop(); <-done }()
	go func() {
		defer close(done)
		select {
		case <-k.o.Newer:
			stop()
		case <-waiting.Done():
		}
	}()
	heard, err = k.session.Await(waiting, every)
	if errors.Is(err, context.Canceled) {
		err = nil // something is newer, or the server ends
	}
	return heard, err
}

// pause waits a moment after a failure.
func (k *Keeper) pause(ctx context.Context) {
	const moment = 50 * time.Millisecond
	timer := time.NewTimer(moment)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// notify passes on an announcement.
func (k *Keeper) notify() {
	for _, to := range k.o.Heard {
		select {
		case to <- struct{}{}:
		default:
		}
	}
}

// end ends the lease, so that no removal waits for this server.
func (k *Keeper) end(ctx context.Context) {
	k.renewed.Store(nil)
	if k.session == nil {
		return
	}
	const longest = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	// If ending fails, the lease expires.
	_ = errors.Join(k.session.End(ctx, k.o.ID), k.session.Close())
	k.session = nil
}
