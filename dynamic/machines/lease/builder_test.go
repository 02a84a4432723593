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

// A desk says who builds, as a test wants it.
type desk struct {
	mu    sync.Mutex
	by    []string // what it answers, one after the other; the last stays
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

func TestABuilderWaitsForTheOneThatHoldsTheLeaseAndSaysForWhomOnce(t *testing.T) {
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

func TestABuilderThatWasStoppedMayNotGoOn(t *testing.T) {
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
	// It ran out, and nobody else took it: it goes on once it is renewed.
	w.pass(time.Hour, 0)
	if err := may(); err != nil {
		t.Errorf("nobody else took it: %v", err)
	}
	// Another took it and has ended.
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
	// Another holds it.
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

// A slowDesk takes a second for each renewal, and carries out one that nobody waits for any
// more as well, as a database does.
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
		d.ended = false // it is held again
	}()
	select {
	case <-carriedOut:
		return 1, "", nil
	case <-ctx.Done():
		return 0, "", ctx.Err()
	}
}

func TestARenewalThatIsUnderWayDoesNotHoldTheLeaseAfterItsEnd(t *testing.T) {
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

// A build and a publish run at the same time, and a publish does many steps at once: each
// was prepared before another process held the lease, and none may pass because another
// one was told.
func TestWhatWasBegunBeforeAnotherHeldTheLeaseFailsWhoeverAskedBefore(t *testing.T) {
	d, w := &desk{by: []string{""}, since: 1}, newWorld()
	b, err := lease.Build(t.Context(), lease.Building{Ledger: d, Now: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	built, published := b.Begin(), b.Begin()
	d.mu.Lock()
	d.since = 2 // another had it, and has ended
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
