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
	// margin is how much earlier than in the database a lease ends here.
	margin = 100 * time.Millisecond
	// every is how often a lease is renewed.
	every = 250 * time.Millisecond
)

// A Session is the connection over which a lease is renewed; *ledger.Session is one.
type Session interface {
	Renew(ctx context.Context, id, name string, has ledger.Standing) (ledger.Grant, error)
	Await(ctx context.Context, longest time.Duration) (heard bool, err error)
	End(ctx context.Context, id string) error
	Close() error
}

// Options say whose lease a Keeper keeps. All fields are required, but Heard and
// Newer.
type Options struct {
	// ID tells this run of the server from all others, Name tells people.
	ID, Name string
	// Open opens a Session.
	Open func(ctx context.Context) (Session, error)
	// Has returns what the server has now.
	Has func() ledger.Standing
	// Learn reads who is removed, and withholds them from then on.
	Learn func(ctx context.Context) error
	// Heard gets a value, where there is room, when somebody announced a removal or a
	// release.
	Heard []chan<- struct{}
	// Newer tells that the server has something newer, so that the lease is renewed at
	// once.
	Newer <-chan struct{}
	// Now is the clocks of the machine.
	Now func() Instant
	Log *slog.Logger
}

// A Keeper keeps the lease of a server. Its methods are safe for concurrent use.
type Keeper struct {
	o Options
	// held is when the last renewal was sent that was granted; nil before the first.
	held atomic.Pointer[Instant]
	// last is what the last renewal came to.
	last atomic.Pointer[outcome]
	// session is open, or nil; only the goroutine that renews touches it.
	session Session
}

// An outcome is what a renewal came to.
type outcome struct {
	grant ledger.Grant
	err   error
}

// New returns a Keeper that holds no lease yet.
func New(o Options) *Keeper { return &Keeper{o: o} }

// Left returns how long the lease holds; 0 where there is none.
func (k *Keeper) Left() time.Duration {
	sent := k.held.Load()
	if sent == nil {
		return 0
	}
	return max(0, ledger.LeaseTime-margin-k.o.Now().since(*sent))
}

// Trouble says why there is no lease, in words for the public; "" where there is one.
func (k *Keeper) Trouble() string {
	if k.Left() > 0 {
		return ""
	}
	switch last := k.last.Load(); {
	case last == nil:
		return "there is none yet"
	case last.err != nil:
		return "it ran out: the ledger does not answer"
	case !last.grant.Held:
		return "it ran out: the release is older than what is settled"
	}
	return "it ran out"
}

// Start asks for the lease once, so that the server answers from the start.
func (k *Keeper) Start(ctx context.Context) { k.renew(ctx) }

// Run renews the lease until ctx ends, and ends it then.
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
			k.tell()
		}
	}
}

// renew renews the lease, and again as long as that tells of something newer that the
// server then learns. It reports whether the ledger answered.
func (k *Keeper) renew(ctx context.Context) bool {
	for {
		has := k.o.Has()
		g, err := k.ask(ctx, has)
		if err == nil && g.Revision > has.Withheld {
			if err = k.learn(ctx); err == nil && k.o.Has().Withheld > has.Withheld {
				k.tell()
				continue
			}
		}
		if err != nil {
			k.failed(ctx, err)
			return false
		}
		k.told(g)
		return true
	}
}

// learn has the server read who is removed. A network that is cut answers never.
func (k *Keeper) learn(ctx context.Context) error {
	const longest = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	return k.o.Learn(ctx)
}

// ask renews the lease once.
func (k *Keeper) ask(ctx context.Context, has ledger.Standing) (g ledger.Grant, err error) {
	// What comes later is of no use. At the end of the server it is waited for as well:
	// a connection that is let go of in the middle cannot end the lease.
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
	if g.Held {
		if was := k.held.Swap(&sent); was != nil {
			k.tellOfGap(*was, sent)
		}
	} else {
		k.held.Store(nil) // what it had when the last one was granted it has no more
	}
	return g, nil
}

// tellOfGap logs for how long the lease before had run out when the next one was granted,
// which was asked for at sent: requests were refused meanwhile.
func (k *Keeper) tellOfGap(before, sent Instant) {
	now := k.o.Now()
	if gap := now.since(before) - (ledger.LeaseTime - margin); gap > 0 {
		k.o.Log.Warn("the lease had run out for a moment, in which nothing was answered: this machine or the ledger was too slow",
			"for", gap.Round(time.Millisecond), "ledger", now.since(sent).Round(time.Millisecond))
	}
}

// told keeps what a renewal came to, and logs what is news.
func (k *Keeper) told(g ledger.Grant) {
	was := k.last.Swap(&outcome{grant: g})
	switch good := was == nil || was.err == nil && was.grant.Held; {
	case g.Held && !good:
		k.o.Log.Info("the lease holds again: requests are answered")
	case !g.Held && good:
		k.o.Log.Error("there is no lease, and nothing is answered: the release is older than what is settled; it is tried again",
			"has", k.o.Has().Made, "settled", g.Settled)
	}
}

// failed lets go of the session. What the end of the server interrupted has not failed.
func (k *Keeper) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	if k.session != nil {
		_ = k.session.Close() // it failed already
		k.session = nil
	}
	if was := k.last.Swap(&outcome{err: err}); was == nil || was.err == nil {
		k.o.Log.Error("the lease cannot be renewed, and nothing is answered once it ran out: it is tried again", "cause", err)
	}
}

// await waits until the lease is to be renewed, or something is announced.
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
		err = nil // there is something newer, or the end
	}
	return heard, err
}

// pause waits for a moment after a failure.
func (k *Keeper) pause(ctx context.Context) {
	const moment = 50 * time.Millisecond
	timer := time.NewTimer(moment)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// tell passes on that something was announced.
func (k *Keeper) tell() {
	for _, to := range k.o.Heard {
		select {
		case to <- struct{}{}:
		default:
		}
	}
}

// end ends the lease, so that no removal waits for this server.
func (k *Keeper) end(ctx context.Context) {
	k.held.Store(nil)
	if k.session == nil {
		return
	}
	const longest = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	// Otherwise it runs out.
	_ = errors.Join(k.session.End(ctx, k.o.ID), k.session.Close())
	k.session = nil
}
