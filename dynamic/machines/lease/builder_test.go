package lease_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/machines/lease"
)

// A desk answers requests for the builder's lease as a test specifies.
type desk struct {
	mu    sync.Mutex
	by    []string // the answers, in order; the last one repeats
	err   error
	asked int
	since int64
	ended bool
}

func (d *desk) Build(context.Context, ledger.Builder, string) (since int64, by string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	by = d.by[0]
	if len(d.by) > 1 {
		d.by = d.by[1:]
	}
	return d.since, by, d.err
}

func (d *desk) EndBuild(context.Context, string, string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
	return nil
}

func TestBuilderWaitsForTheLeaseAndNamesItsHolderOnce(t *testing.T) {
	d := &desk{by: []string{"one", "one", "two", ""}}
	var told []string
	w := newWorld()
	b, err := lease.Build(t.Context(), lease.Building{Ledger: d, Waiting: func(name string) { told = append(told, name) }, Now: w.Now})
	if err != nil || !slices.Equal(told, []string{"one", "two"}) {
		t.Errorf("it waited for %q, %v", told, err)
	}
	may := b.Begin()
	if err := may(); err != nil {
		t.Error(err)
	}
	if err := b.Close(); err != nil || !d.ended || may() == nil {
		t.Errorf("after the end: %v, ended %t, %v", err, d.ended, may())
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lease.Build(gone, lease.Building{Ledger: &desk{by: []string{"one"}}, Waiting: func(string) {}, Now: w.Now}); !errors.Is(err, context.Canceled) {
		t.Errorf("who is interrupted gets %v", err)
	}
	away := errors.New("the ledger is away")
	if _, err := lease.Build(t.Context(), lease.Building{Ledger: &desk{by: []string{""}, err: away}, Now: w.Now}); !errors.Is(err, away) {
		t.Errorf("without the ledger it is %v", err)
	}
}

func TestStoppedBuilderMustNotContinue(t *testing.T) {
	d, w := &desk{by: []string{""}, since: 1}, newWorld()
	b, err := lease.Build(t.Context(), lease.Building{Ledger: d, Now: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	may := b.Begin()
	w.pass(2400*time.Millisecond, 0)
	if err := may(); err != nil {
		t.Errorf("while the lease holds: %v", err)
	}
	// The lease expired and nobody else took it, so work continues once it is renewed.
	w.pass(time.Hour, 0)
	if err := may(); err != nil {
		t.Errorf("nobody else took it: %v", err)
	}
	// Another process took the lease and ended it.
	d.mu.Lock()
	d.since = 2
	d.mu.Unlock()
	w.pass(time.Hour, 0)
	if may() == nil {
		t.Error("another may have built, and it goes on")
	}
	may = b.Begin()
	if err := may(); err != nil {
		t.Errorf("what is begun then: %v", err)
	}
	// Another process holds the lease.
	d.mu.Lock()
	d.by = []string{"another"}
	d.mu.Unlock()
	w.pass(time.Hour, 0)
	if may() == nil {
		t.Error("another builds, and it may too")
	}
	if (*lease.Builder)(nil).Begin()() != nil || (*lease.Builder)(nil).Close() != nil {
		t.Error("on one machine it may not build")
	}
}

// A slowDesk takes a second for each renewal and, as a database does, carries it out even
// if the caller has stopped waiting.
type slowDesk struct{ desk }

func (d *slowDesk) Build(ctx context.Context, b ledger.Builder, holder string) (int64, string, error) {
	d.mu.Lock()
	first := d.asked == 0
	d.mu.Unlock()
	if first {
		return d.desk.Build(ctx, b, holder)
	}
	carriedOut := make(chan struct{})
	go func() {
		defer close(carriedOut)
		time.Sleep(time.Second)
		_, _, _ = d.desk.Build(ctx, b, holder)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.ended = false // the lease is held again
	}()
	select {
	case <-carriedOut:
		return 1, "", nil
	case <-ctx.Done():
		return 0, "", ctx.Err()
	}
}

func TestPendingRenewalDoesNotExtendAnEndedLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &slowDesk{desk{by: []string{""}, since: 1}}
		b, err := lease.Build(t.Context(), lease.Building{Ledger: d, Now: newWorld().Now})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(600 * time.Millisecond)
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if d.asked != 2 || !d.ended {
			t.Errorf("asked %d times, and ended: %t; want the renewal and the end behind it", d.asked, d.ended)
		}
	})
}

// A build and a publish run at the same time, and a publish runs many steps at once. Each
// was prepared before another process held the lease. None may pass just because another
// one has been told that the lease was lost.
func TestWorkFromBeforeALostLeaseFails(t *testing.T) {
	d, w := &desk{by: []string{""}, since: 1}, newWorld()
	b, err := lease.Build(t.Context(), lease.Building{Ledger: d, Now: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	built, published := b.Begin(), b.Begin()
	d.mu.Lock()
	d.since = 2 // another process held it and has ended it
	d.mu.Unlock()
	w.pass(time.Hour, 0)
	for step := range 3 {
		if published() == nil {
			t.Errorf("step %d of a publish passes", step)
		}
	}
	if built() == nil {
		t.Error("the build passes after the publish was told")
	}
	if err := b.Begin()(); err != nil {
		t.Errorf("what begins now: %v", err)
	}
}
