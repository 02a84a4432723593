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

// Building says who makes releases, into what.
type Building struct {
	// Ledger is the one that all builders share; *ledger.Ledger is one.
	Ledger interface {
		Build(ctx context.Context, b ledger.Builder, holder string) (since int64, by string, err error)
		EndBuild(ctx context.Context, target, holder string) error
	}
	// Holder tells this process from all others.
	Holder string
	ledger.Builder
	// Waiting is called when another holds the lease, with its name.
	Waiting func(name string)
	// Now is the clocks of the machine.
	Now func() Instant
}

// A Builder is the lease of a process that makes releases into a target, one at a time.
type Builder struct {
	o Building
	// held is when the last renewal was sent that was granted; nil where another has it.
	held atomic.Pointer[Instant]
	// since tells of which holding that is, without another process in between.
	since atomic.Int64
	stop  context.CancelFunc
	done  sync.WaitGroup
}

const (
	// renewBuild is how often the lease of a builder is renewed, or asked for.
	renewBuild = 500 * time.Millisecond
	// buildMargin is how much earlier than in the database it ends here.
	buildMargin = 500 * time.Millisecond
)

// Build waits until this process holds the lease, or ctx ends, and keeps it until Close.
// It fails where the ledger cannot be asked at first; later it is asked again.
func Build(ctx context.Context, o Building) (*Builder, error) {
	b := &Builder{o: o}
	for told := ""; ; {
		by, err := b.ask(ctx)
		if err != nil && told == "" {
			return nil, err
		}
		if err == nil && by == "" {
			break
		}
		if err == nil && by != told {
			told = by
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

// BuildOn is Build with the names and clocks of this process, or nil on a ledger that
// several machines cannot share. Target identifies what releases are made into, place
// tells people.
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
		return "a host without a name"
	}
	return host
}

// ask holds or renews the lease once.
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
		b.held.Store(&sent)
	} else {
		b.held.Store(nil)
	}
	return by, nil
}

// keep renews the lease until ctx ends, and takes it up again where it was lost.
func (b *Builder) keep(ctx context.Context) {
	again := time.NewTicker(renewBuild)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
			if ctx.Err() != nil {
				return // the last one took so long that the next is due
			}
			// At the end it is waited for: a renewal that is let go of in the middle
			// may be carried out after the lease was ended, and hold it again.
			_, _ = b.ask(context.WithoutCancel(ctx)) // who is about to do a step finds out
		}
	}
}

// checkTime is how long a step waits for a ledger that is slow.
const checkTime = 10 * time.Second

// Begin begins some work, and returns what to ask right before each step of it that
// others see. That fails unless this process may make a release now, and from then on
// always once another process may have made one since the work began: what was prepared
// has to be prepared again, whoever else asked meanwhile. A nil Builder may always.
func (b *Builder) Begin() (may func() error) {
	if b == nil {
		return func() error { return nil }
	}
	began := b.since.Load()
	return func() error { return b.check(began) }
}

// check fails unless the lease holds, and is the one that was held at the beginning.
func (b *Builder) check(began int64) error {
	for waited := time.Duration(0); ; waited += renewBuild / 10 {
		sent := b.held.Load()
		if sent != nil && b.o.Now().since(*sent) < ledger.BuilderTime-buildMargin {
			break
		}
		if sent == nil || waited > checkTime {
			return fmt.Errorf("%s is another process's to make releases into now, or the ledger does not tell: nothing was written; it is tried again", b.o.Place)
		}
		time.Sleep(renewBuild / 10)
	}
	if b.since.Load() != began {
		return fmt.Errorf("another process may have made a release at %s meanwhile: nothing was written; it is tried again", b.o.Place)
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
	b.held.Store(nil)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return b.o.Ledger.EndBuild(ctx, b.o.Target, b.o.Holder)
}
