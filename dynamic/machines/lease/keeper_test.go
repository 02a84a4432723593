package lease_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/machines/lease"
)

// A world has the clocks of a machine and a ledger that answers as a test specifies.
type world struct {
	mu  sync.Mutex
	now lease.Instant
	// takes is how long a renewal is in transit before it is carried out.
	takes          time.Duration
	settled        uint64
	revision       uint64
	has            ledger.ServerState
	down           error
	renewals       []ledger.ServerState
	learnt, closed int
	ended          bool
	announced      chan struct{}
	// learning returns the result of reading the removals; nil means success.
	learning func(context.Context) error
	// asked receives a value when a renewal is in transit, which then waits for answer.
	// Both may be nil.
	asked, answer chan struct{}
}

func newWorld() *world { return &world{announced: make(chan struct{}, 1)} }

func (w *world) pass(running, wall time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now.Running += running
	w.now.Wall += wall
}

func (w *world) Now() lease.Instant {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) standing() ledger.ServerState {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.has
}

func (w *world) learn(ctx context.Context) error {
	if w.learning != nil {
		return w.learning(ctx)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.learnt++
	w.has.Withheld = w.revision
	return w.down
}

func (w *world) open(context.Context) (lease.Session, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w, w.down
}

func (w *world) Renew(ctx context.Context, _, _ string, has ledger.ServerState) (ledger.Grant, error) {
	if w.asked != nil {
		w.asked <- struct{}{}
		<-w.answer
		if ctx.Err() != nil {
			return ledger.Grant{}, ctx.Err()
		}
	}
	w.pass(w.takes, w.takes)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.renewals = append(w.renewals, has)
	return ledger.Grant{Valid: has.Withheld >= w.settled && has.Built >= w.settled, Revision: w.revision, Settled: w.settled}, w.down
}

func (w *world) Await(ctx context.Context, _ time.Duration) (bool, error) {
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-w.announced:
		return true, nil
	}
}

func (w *world) End(context.Context, string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	return nil
}

func (w *world) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed++
	return nil
}

func (w *world) options() lease.Options {
	return lease.Options{ID: "one", Name: "a server", Open: w.open, Has: w.standing, Learn: w.learn, Now: w.Now, Log: slog.New(slog.DiscardHandler)}
}

func (w *world) keeper(heard chan<- struct{}, newer <-chan struct{}) *lease.Keeper {
	o := w.options()
	o.Heard, o.Newer = []chan<- struct{}{heard}, newer
	return lease.New(o)
}

func (w *world) logging(log *slog.Logger) *lease.Keeper {
	o := w.options()
	o.Log = log
	return lease.New(o)
}

func TestLeaseCountsFromTheRequestOnTheMonotonicClock(t *testing.T) {
	for name, c := range map[string]struct {
		takes, running, wall time.Duration
		left                 time.Duration
	}{
		"at once":                              {left: 900 * time.Millisecond},
		"a slow answer":                        {takes: 300 * time.Millisecond, left: 600 * time.Millisecond},
		"an answer that comes too late":        {takes: 900 * time.Millisecond},
		"while it is renewed":                  {running: 250 * time.Millisecond, wall: 250 * time.Millisecond, left: 650 * time.Millisecond},
		"to the last moment":                   {running: 899 * time.Millisecond, wall: 899 * time.Millisecond, left: time.Millisecond},
		"past it":                              {running: 900 * time.Millisecond, wall: 900 * time.Millisecond},
		"stopped for an hour":                  {running: time.Hour, wall: time.Hour},
		"put aside: the wall clock went on":    {running: time.Millisecond, wall: time.Hour},
		"the wall clock was set back an hour":  {running: time.Second, wall: -time.Hour},
		"the wall clock was set back, in time": {running: 500 * time.Millisecond, wall: -time.Hour, left: 400 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.takes = c.takes
			k := w.keeper(nil, nil)
			if k.Remaining() != 0 || k.Problem() == "" {
				t.Error("there is a lease before it was asked for")
			}
			k.Start(t.Context())
			w.pass(c.running, c.wall)
			if left := k.Remaining(); left != c.left || (k.Problem() == "") != (c.left > 0) {
				t.Errorf("it holds for %s, want %s; problem %q", left, c.left, k.Problem())
			}
		})
	}
}

func TestLeaseGapIsLogged(t *testing.T) {
	w := newWorld()
	var log strings.Builder
	k := w.logging(slog.New(slog.NewTextHandler(&log, nil)))
	k.Start(t.Context())
	w.pass(800*time.Millisecond, 800*time.Millisecond)
	k.Start(t.Context())
	if log.Len() > 0 {
		t.Errorf("in time it logged %s", log.String())
	}
	w.pass(750*time.Millisecond, 750*time.Millisecond)
	w.takes = 300 * time.Millisecond
	k.Start(t.Context())
	if got := log.String(); !strings.Contains(got, "level=WARN") || !strings.Contains(got, "for=150ms ledger=300ms") {
		t.Errorf("it logged %q", got)
	}
}

func TestServerBehindTheSettledRevisionGetsNoLease(t *testing.T) {
	w := newWorld()
	w.settled, w.revision, w.has = 5, 5, ledger.ServerState{Withheld: 5, Built: 4}
	k := w.keeper(nil, nil)
	k.Start(t.Context())
	if k.Remaining() != 0 || k.Problem() != "it expired: the release misses a removal that is already answered" {
		t.Errorf("it holds for %s: %q", k.Remaining(), k.Problem())
	}
	w.has.Built = 5
	k.Start(t.Context())
	if k.Remaining() == 0 || k.Problem() != "" {
		t.Errorf("with the release there is none: %q", k.Problem())
	}
}

// A folder restored from a backup, or a destination that somebody overwrites, has an
// earlier release.
func TestServerWhoseReleaseFallsBehindTheSettledRevisionStopsAnswering(t *testing.T) {
	w := newWorld()
	w.settled, w.revision, w.has = 5, 5, ledger.ServerState{Withheld: 5, Built: 5}
	k := w.keeper(nil, nil)
	k.Start(t.Context())
	if k.Remaining() == 0 {
		t.Fatal("there is no lease")
	}
	w.has.Built = 4
	k.Start(t.Context())
	if k.Remaining() != 0 {
		t.Errorf("the lease of the release before holds for %s", k.Remaining())
	}
}

func TestNewRevisionIsReportedOnlyOnceItWasRead(t *testing.T) {
	w := newWorld()
	w.settled, w.revision, w.has = 2, 3, ledger.ServerState{Withheld: 2, Built: 2}
	heard := make(chan struct{}, 1)
	k := w.keeper(heard, nil)
	k.Start(t.Context())
	if len(w.renewals) != 2 || w.renewals[0].Withheld != 2 || w.renewals[1].Withheld != 3 || w.learnt != 1 {
		t.Errorf("it was renewed with %+v, learnt %d times", w.renewals, w.learnt)
	}
	if len(heard) != 1 {
		t.Error("nobody was told")
	}
	if k.Remaining() == 0 {
		t.Error("there is no lease")
	}
}

func TestLeaseExpiresWithoutTheLedgerAndReturnsWithIt(t *testing.T) {
	w := newWorld()
	heard, newer := make(chan struct{}, 1), make(chan struct{}, 1)
	k := w.keeper(heard, newer)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		k.Run(ctx)
	}()
	await := func(what string, right func() bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !right(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("waited in vain until " + what)
			}
		}
	}
	await("there is a lease", func() bool { return k.Remaining() > 0 })
	w.mu.Lock()
	w.down = errors.New("the network is cut")
	w.mu.Unlock()
	newer <- struct{}{}
	w.pass(time.Second, time.Second)
	if k.Remaining() != 0 {
		t.Errorf("it holds for %s without the ledger", k.Remaining())
	}
	await("it says why", func() bool { return k.Problem() == "it expired: the ledger does not answer" })
	w.mu.Lock()
	w.down = nil
	w.mu.Unlock()
	await("it is back", func() bool { return k.Remaining() > 0 && k.Problem() == "" })
	w.announced <- struct{}{}
	<-heard
	cancel()
	<-ended
	if k.Remaining() != 0 || !w.ended || w.closed == 0 {
		t.Errorf("after the end it holds for %s; ended %t, closed %d times", k.Remaining(), w.ended, w.closed)
	}
}

func TestStoppingServerEndsItsLeaseDespitePendingRequests(t *testing.T) {
	for name, under := range map[string]func(w *world, end func()){
		"nothing": func(w *world, end func()) { end() },
		"a renewal": func(w *world, end func()) {
			w.asked, w.answer = make(chan struct{}), make(chan struct{})
			go func() {
				<-w.asked
				end()
				w.answer <- struct{}{}
			}()
		},
		"learning who is removed": func(w *world, end func()) {
			w.revision = 1
			w.learning = func(ctx context.Context) error {
				end()
				return ctx.Err()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			k := w.keeper(nil, nil)
			k.Start(t.Context())
			ctx, end := context.WithCancel(t.Context())
			under(w, end)
			k.Run(ctx)
			if !w.ended || w.closed != 1 {
				t.Errorf("ended %t, closed %d times", w.ended, w.closed)
			}
		})
	}
}
