package replica

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// Start returns when a complete release is in place: an existing one, or the first one
// copied, however long that takes. It fails if ctx ends or the folder of the copy cannot be
// used.
func (c *Copy) Start(ctx context.Context) error {
	if err := c.load(ctx); err != nil {
		return err
	}
	if err := c.resume(ctx); err != nil {
		return err
	}
	if id := c.id(); id != "" {
		c.set(func(s *Status) { s.Release = id })
		return nil
	}
	c.o.Notice("copying the release of " + c.o.Origin.Name() + " to " + c.folder)
	return c.until(ctx, func() bool { return c.Status().Release != "" })
}

// Follow keeps the copy up to date until ctx ends.
func (c *Copy) Follow(ctx context.Context) { _ = c.until(ctx, func() bool { return false }) }

// until repeatedly calls Sync, less often while it fails, until done.
func (c *Copy) until(ctx context.Context, done func() bool) error {
	failed, told := 0, ""
	for {
		_, err := c.Sync(ctx)
		wait := c.o.Every
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			wait = max(wait, min(time.Second<<min(failed, 5), 30*time.Second))
			failed++
			if text := err.Error(); text != told {
				told = text
				c.o.Notice(c.notice(err))
			}
		case failed > 0:
			failed, told = 0, ""
			c.o.Notice("follows " + c.o.Origin.Name() + " again: release " + c.Status().Release)
		}
		if done() {
			return nil
		}
		if err := c.o.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

func (c *Copy) notice(err error) string {
	served := "nothing is served until a complete release is copied"
	if id := c.Status().Release; id != "" {
		served = "still serving release " + id
	}
	return fmt.Sprintf("cannot follow %s: %v; %s; trying again", c.o.Origin.Name(), err, served)
}

// Sync updates the copy and reports whether it changed. After any error, the previous
// release is still complete and in place, and the next call continues from there.
func (c *Copy) Sync(ctx context.Context) (changed bool, err error) {
	if c.files == nil {
		if err := c.load(ctx); err != nil {
			return false, err
		}
	}
	data, version, err := c.o.Origin.Head(ctx, c.version)
	switch {
	case errors.Is(err, ErrUnchanged):
		err = nil
	case errors.Is(err, ErrAbsent):
		err = fmt.Errorf("it has no release for servers: run 'souk publish --for-servers'")
	case err == nil:
		changed, err = c.take(ctx, c.o.Origin, data)
		if err == nil {
			c.version = version
		}
	}
	err = explain(err, c.folder)
	if err == nil {
		c.set(func(s *Status) { s.Release, s.Seen, s.Problem = c.id(), c.o.Now(), "" })
	} else if ctx.Err() == nil {
		c.set(func(s *Status) { s.Problem = err.Error() })
	}
	return changed, err
}

// explain says how to fix a full disk.
func explain(err error, folder string) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk of %s is full: free some space, or put --state on a larger disk: %w", folder, err)
	}
	return err
}

// take updates the copy to a head, fetching what is missing from an origin.
func (c *Copy) take(ctx context.Context, from Origin, data []byte) (changed bool, err error) {
	h, err := ParseHead(data)
	if err != nil {
		return false, fmt.Errorf("read its head: %w", err)
	}
	d, err := c.compare(ctx, from, h)
	if err != nil {
		return false, err
	}
	if d.isEmpty() {
		if c.id() != h.Release {
			return false, fmt.Errorf("read its head: %w: its files are not those of %s", errGarbage, h.Release)
		}
		c.head = h
		return false, c.clean(h)
	}
	if err := c.fetch(ctx, from, h, d); err != nil {
		return false, err
	}
	if err := c.ready(data); err != nil {
		return false, err
	}
	return true, c.apply(ctx, h, d)
}

// sleep waits for a time, or until heard receives a value.
func sleep(ctx context.Context, d time.Duration, heard <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-heard:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
