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

// A building holds the leases by which a process makes releases, one for each target.
// It has none on a ledger of one machine, where the locks of folders are enough.
type building struct{ held []*lease.Builder }

// folder waits until no other process on the ledger makes releases into a public
// folder, by whatever path, and says for whom.
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

// destination is folder for the bucket that is published to; a folder has its lock.
func (b *building) destination(ctx context.Context, w environment, l *ledger.Ledger, p *publish.Publisher) error {
	if p == nil || p.Target() == "" {
		return nil
	}
	return b.hold(ctx, w, l, p.Target(), p.Name())
}

func (b *building) hold(ctx context.Context, w environment, l *ledger.Ledger, target, place string) error {
	held, err := lease.BuildOn(ctx, l, target, place, func(name string) {
		fmt.Fprintf(w.stderr, "souk: %s makes the releases at %s: waiting until it ends\n", name, place)
	})
	if held != nil {
		b.held = append(b.held, held)
	}
	return err
}

// begin begins a build or a publish, and returns what fails where another process may
// have made releases since, or makes them: this one was stopped, or did not reach the
// ledger, for seconds. A build and a publish that run at the same time each have their
// own.
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

// close lets the next one build. Where that fails the leases run out.
func (b *building) close() {
	for _, held := range b.held {
		_ = held.Close()
	}
}
