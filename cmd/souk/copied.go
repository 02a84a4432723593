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

// A copied is a release that is copied from an object store, or from a shared folder,
// and followed: for the rest it is a release in a folder.
type copied struct {
	*replica.Copy
	origin *publish.Origin
	// heard has a value when somebody announced a release.
	heard chan struct{}
}

// isCopied reports whether --from names what is copied, by a URL, and not a folder
// that is served as it is.
func isCopied(from string) bool { return strings.Contains(from, "://") }

// checkCopied returns what is wrong with --from, where it names what is copied, by
// itself and with --database.
func checkCopied(from, database string) error {
	if isCopied(from) && !ledger.IsShared(database) {
		return usagef("--from %s needs --database postgres://…: servers that copy a release are several machines, and only a ledger that they share "+
			"has each of them withhold a seller from the commit of the removal on. On one machine, give --from the folder of the release itself", shown(from))
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

// openCopied opens the copy that --from names below --state, and returns once a whole
// release is in its folder: at once where there is one, and otherwise when the first
// is copied. Follow keeps it up to date until its context ends; Status tells how it
// stands. A wrong --from is a wrong command line.
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

// Close ends the copy; Follow must have returned.
func (c *copied) Close() error { return errors.Join(c.Copy.Close(), c.origin.Close()) }

// behind tells health what is wrong with following, or nothing. The cause may name what
// is not public, so that the log has it alone.
func (c *copied) behind() string {
	s := c.Status()
	switch {
	case s.Trouble == "":
		return ""
	case s.Seen.IsZero():
		return "the release is not followed: it was not seen since the start"
	}
	return "the release is not followed: it was last seen at " + s.Seen.UTC().Format("2006-01-02T15:04:05Z")
}

// run follows until it is stopped.
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
