package main

import (
	"context"
	"fmt"
	"path/filepath"

	"souk/build/delivery/publish"
	"souk/build/release"
	"souk/dynamic/ledger"
	"souk/dynamic/machines/lease"
)

// A building holds the leases under which a process makes releases, one for each target. It is
// empty if the ledger is SQLite: on one machine, the locks of folders are enough.
type building struct{ held []*lease.Builder }

// folder waits until no other process on the ledger makes releases into the public folder,
// under whatever path, and prints which process it waits for.
func (b *building) folder(ctx context.Context, w environment, l *ledger.Ledger, public string) error {
	if !l.Shared() {
		return nil
	}
	target, err := release.Target(public)
	if err != nil {
		return err
	}
	if absolute, err := filepath.Abs(public); err == nil {
		public = absolute
	}
	return b.hold(ctx, w, l, target, lease.Host()+":"+public)
}

// destination does the same for the bucket that is published to. A destination folder has a
// lock of its own.
func (b *building) destination(ctx context.Context, w environment, l *ledger.Ledger, p *publish.Publisher) error {
	if p == nil || p.Target() == "" {
		return nil
	}
	return b.hold(ctx, w, l, p.Target(), p.Name())
}

func (b *building) hold(ctx context.Context, w environment, l *ledger.Ledger, target, place string) error {
	held, err := lease.BuildOn(ctx, l, target, place, func(name string) {
		fmt.Fprintf(w.stderr, "souk: waiting for %s, which makes the releases at %s\n", name, place)
	})
	if held != nil {
		b.held = append(b.held, held)
	}
	return err
}

// begin marks the start of a build or a publish. The function it returns fails if another
// process may have made releases since then, because this process was stopped or did not reach
// the ledger for seconds. A build and a publish may run at the same time; each calls begin.
func (b *building) begin() (may func() error) {
	var all []func() error
	for _, held := range b.held {
		all = append(all, held.Begin())
	}
	return func() error {
		for _, may := range all {
			if err := may(); err != nil {
				return err
			}
		}
		return nil
	}
}

// close releases the leases. If that fails, they expire.
func (b *building) close() {
	for _, held := range b.held {
		_ = held.Close()
	}
}
