package lease

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"souk/dynamic/ledger"
)

// Building describes a process that builds releases into a target.
type Building struct {
	// Ledger is shared by all builders; *ledger.Ledger implements it.
	Ledger interface {
		Build(ctx context.Context, b ledger.Builder, holder string) (since int64, by string, err error)
		EndBuild(ctx context.Context, target, holder string) error
	}
	// Holder is unique to this process.
	Holder string
	ledger.Builder
	// Waiting is called with another process's name when that process holds the lease.
	Waiting func(name string)
	// Now returns the time on the machine's clocks.
	Now func() Instant
}

// A Builder is the lease of a process that builds releases into a target. Only one process
// holds it at a time.
type Builder struct {
	o Building
	// renewed is when the last granted renewal was sent; nil if another process holds the
	// lease.
	renewed atomic.Pointer[Instant]
	// since identifies the current period of holding the lease. It changes once another
	// process has held it.
	since atomic.Int64
	stop  context.CancelFunc
	done  sync.WaitGroup
}

const (
	// renewBuild is how often a builder renews the lease or asks for it.
	renewBuild = 500 * time.Millisecond
	// buildMargin is how much earlier the lease ends here than in the database.
	buildMargin = 500 * time.Millisecond
)

// Build waits until this process holds the lease or ctx ends, and then keeps the lease
// until Close. It fails if the first request to the ledger fails; later failures are
// retried.
func Build(ctx context.Context, o Building) (*Builder, error) {
	b := &Builder{o: o}
	for waitingFor := ""; ; {
		by, err := b.ask(ctx)
		if err != nil && waitingFor == "" {
			return nil, err
		}
		if err == nil && by == "" {
			break
		}
		if err == nil && by != waitingFor {
			waitingFor = by
			o.Waiting(by)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(renewBuild / 2):
		}
	}
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	b.stop = stop
	b.done.Go(func() { b.keep(work) })
	return b, nil
}

// BuildOn calls Build with the name and clocks of this process. It returns nil if several
// machines cannot share the ledger. target identifies what releases are built into; place
// describes it to people.
func BuildOn(ctx context.Context, l *ledger.Ledger, target, place string, waiting func(name string)) (*Builder, error) {
	if !l.Shared() {
		return nil, nil
	}
	return Build(ctx, Building{
		Ledger: l, Holder: rand.Text(), Waiting: waiting, Now: Now,
		Builder: ledger.Builder{Target: target, Place: place, Name: Host() + ", process " + strconv.Itoa(os.Getpid())},
	})
}

// Host returns the name of this machine.
func Host() string {
	host, err := os.Hostname()
	if err != nil {
		return "an unnamed host"
	}
	return host
}

// ask requests or renews the lease once.
func (b *Builder) ask(ctx context.Context) (by string, err error) {
	ctx, cancel := context.WithTimeout(ctx, ledger.BuilderTime)
	defer cancel()
	sent := b.o.Now()
	since, by, err := b.o.Ledger.Build(ctx, b.o.Builder, b.o.Holder)
	if err != nil {
		return "", err
	}
	if by == "" {
		b.since.Store(since)
		b.renewed.Store(&sent)
	} else {
		b.renewed.Store(nil)
	}
	return by, nil
}

// keep renews the lease until ctx ends, and requests it again if it was lost.
func (b *Builder) keep(ctx context.Context) {
	again := time.NewTicker(renewBuild)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
			if ctx.Err() != nil {
				return // the last renewal took so long that the next is due
			}
			// The renewal is not canceled when ctx ends: a canceled renewal may still run
			// after the lease was ended, and acquire it again.
			_, _ = b.ask(context.WithoutCancel(ctx)) // the next check notices a failure
		}
	}
}

// checkTime is how long a step waits for a slow ledger.
const checkTime = 10 * time.Second

// Begin is called when some work begins. The function it returns must be called right
// before each step that others can see. It fails unless this process may publish a release
// now. Once another process may have published one since the work began, it always fails,
// no matter what was called meanwhile: the work has to be prepared again. A nil Builder
// permits everything.
func (b *Builder) Begin() (may func() error) {
	if b == nil {
		return func() error { return nil }
	}
	began := b.since.Load()
	return func() error { return b.check(began) }
}

// check fails unless the lease is valid and has been held without interruption since the
// work began.
func (b *Builder) check(began int64) error {
	for waited := time.Duration(0); ; waited += renewBuild / 10 {
		sent := b.renewed.Load()
		if sent != nil && b.o.Now().since(*sent) < ledger.BuilderTime-buildMargin {
			break
		}
		if sent == nil || waited > checkTime {
			return fmt.Errorf("another process now makes the releases at %s, or the ledger does not answer: nothing was written; trying again", b.o.Place)
		}
		time.Sleep(renewBuild / 10)
	}
	if b.since.Load() != began {
		return fmt.Errorf("another process may have made a release at %s in the meantime: nothing was written; trying again", b.o.Place)
	}
	return nil
}

// Close ends the lease. It does nothing on a nil Builder.
func (b *Builder) Close() error {
	if b == nil {
		return nil
	}
	b.stop()
	b.done.Wait()
	b.renewed.Store(nil)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return b.o.Ledger.EndBuild(ctx, b.o.Target, b.o.Holder)
}
