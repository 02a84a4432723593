package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"souk/build/delivery/publish"
	"souk/build/delivery/replica"
	"souk/dynamic/ledger"
)

// A copied is a release that is copied from an object store or a shared folder and kept up to
// date. Everything else treats it as a release in a folder.
type copied struct {
	*replica.Copy
	origin *publish.Origin
	// heard receives a value when a release is announced.
	heard chan struct{}
}

// isCopied reports whether --from is a URL to copy from, rather than a folder to serve
// directly.
func isCopied(from string) bool { return strings.Contains(from, "://") }

// checkCopied checks a --from URL and that --database goes with it.
func checkCopied(from, database string) error {
	if isCopied(from) && !ledger.IsShared(database) {
		return usagef("--from %s needs --database postgres://…: servers on several machines copy a release, and only through a shared ledger "+
			"do all of them hide a removed seller at once. On one machine, pass the folder of the release to --from", shown(from))
	}
	return nil
}

// shown returns a URL without its parameters.
func shown(from string) string {
	from, _, _ = strings.Cut(from, "?")
	if u, err := url.Parse(from); err == nil && u.User != nil {
		return u.Redacted()
	}
	return from
}

// openCopied opens the copy of --from below --state and returns once its folder contains a
// complete release: at once if it already does, otherwise when the first one is copied. Follow
// keeps the copy up to date until its context ends; Status reports its state. A wrong --from
// is a usage error.
func openCopied(ctx context.Context, w environment, from, state string) (_ *copied, err error) {
	origin, err := publish.OpenOrigin(from, publish.Options{Now: w.now})
	if errors.Is(err, publish.ErrDestination) || errors.Is(err, publish.ErrLayout) {
		return nil, usageError{fmt.Errorf("--from: %w", err)}
	}
	if err != nil {
		return nil, err
	}
	c := &copied{origin: origin, heard: make(chan struct{}, 1)}
	c.Copy, err = replica.Open(ctx, replica.Options{
		Origin: origin, State: state, Now: w.now, Heard: c.heard,
		Notice: func(text string) { fmt.Fprintf(w.stderr, "souk: %s\n", text) },
	})
	if err != nil {
		return nil, errors.Join(err, origin.Close())
	}
	if err := c.Start(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close closes the copy; Follow must have returned.
func (c *copied) Close() error { return errors.Join(c.Copy.Close(), c.origin.Close()) }

// behind returns what is wrong with following the release, for the health check, or "". The
// cause may name something that is not public, so only the log contains it.
func (c *copied) behind() string {
	s := c.Status()
	switch {
	case s.Problem == "":
		return ""
	case s.Seen.IsZero():
		return "new releases are not being copied: the source has not answered since the start"
	}
	return "new releases are not being copied: the source last answered at " + s.Seen.UTC().Format("2006-01-02T15:04:05Z")
}

// run follows in the background until stop is called.
func (c *copied) run(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Follow(ctx)
	}()
	return func() {
		cancel()
		<-ended
	}
}
