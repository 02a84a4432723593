package mail

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Config configures a Dispatcher. Queue, Sender and Log are required.
type Config struct {
	Queue  Queue
	Sender Sender
	Log    *slog.Logger

	// Now is the wall clock; default time.Now.
	Now func() time.Time
	// After is the timer; default time.After.
	After func(time.Duration) <-chan time.Time
	// Random returns numbers in [0, 1). They spread the retries, so that many mails on many
	// machines are not retried at once; default math/rand.
	Random func() float64
}

const (
	// The wait starts at firstRetry and doubles with each failure up to longestRetry, plus
	// or minus a quarter.
	firstRetry   = 30 * time.Second
	longestRetry = time.Hour
	// giveUpAfter is how long a mail is retried; mail servers do the same. A mail with a
	// link is retried only as long as the link is valid.
	giveUpAfter = 4 * 24 * time.Hour
	// longestSend limits one attempt. Leases should be longer.
	longestSend = time.Minute
	// pollTime is how often the Queue is read without a wake-up: another machine may have
	// added a mail, or died holding a lease.
	pollTime = 30 * time.Second
	// retryQueue is how soon a Queue that failed is read again.
	retryQueue = 5 * time.Second
	// lastRecord limits how long recording a result may take during shutdown.
	lastRecord = 5 * time.Second
)

// A Dispatcher sends the mails of a Queue. Wake is safe for concurrent use; Run must be
// called only once.
type Dispatcher struct {
	config Config
	wake   chan struct{}
	// unrecorded lists mails that the server has accepted but the Queue has not recorded.
	// This process never sends them again.
	unrecorded []Leased
	// lastFault is the Queue's last failure, so that a persistent one is logged once.
	lastFault string
}

// NewDispatcher returns a Dispatcher; Run starts it.
func NewDispatcher(c Config) *Dispatcher {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.After == nil {
		c.After = time.After
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	return &Dispatcher{config: c, wake: make(chan struct{}, 1)}
}

// Wake reports that the Queue has a new mail. It never blocks.
func (d *Dispatcher) Wake() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Run sends mails until ctx ends. It first finishes and records the mail that is being sent
// at that moment, for at most a minute: an interrupted mail might arrive twice.
func (d *Dispatcher) Run(ctx context.Context) {
	for ctx.Err() == nil {
		wait := d.round(ctx)
		if ctx.Err() != nil {
			break
		}
		select {
		case <-ctx.Done():
		case <-d.wake:
		case <-d.config.After(wait):
		}
	}
	d.settle(ctx)
	if n := len(d.unrecorded); n > 0 {
		d.config.Log.Error("mails were sent but could not be recorded, so they may be sent again", "mails", n)
	}
}

// round sends everything that is due and returns how long to wait before the next round.
func (d *Dispatcher) round(ctx context.Context) time.Duration {
	for ctx.Err() == nil {
		if err := d.settle(ctx); err != nil {
			return retryQueue
		}
		due, next, err := d.config.Queue.Next(ctx, d.config.Now())
		if err != nil {
			d.fault(ctx, "the mail queue cannot be read", err)
			return retryQueue
		}
		d.lastFault = ""
		if len(due) == 0 {
			return d.until(next)
		}
		for i, l := range due {
			d.handle(ctx, l, i == 0)
			if len(d.unrecorded) > 0 {
				break // nothing can be recorded, so let the other leases expire
			}
		}
	}
	return 0
}

// until returns how long to wait for next. It is never zero, so that a Queue that names a
// time but returns no mail does not cause a busy loop.
func (d *Dispatcher) until(next time.Time) time.Duration {
	if next.IsZero() {
		return pollTime
	}
	return min(max(next.Sub(d.config.Now()), time.Second), pollTime)
}

// handle sends, postpones or gives up one mail. fresh means that its lease has just begun.
func (d *Dispatcher) handle(ctx context.Context, l Leased, fresh bool) {
	now := d.config.Now()
	switch {
	case ctx.Err() != nil:
		// Release the lease, so that the next process need not wait for it to expire.
		d.failed(ctx, l, "the program stopped", now)
	case !fresh && !l.Until.IsZero() && l.Until.Before(now.Add(longestSend)):
		// The mails before this one took too long: the lease could expire during the
		// attempt, and another process could send the mail too.
		d.failed(ctx, l, "the time was up", now)
	case now.After(l.deadline()):
		d.failed(ctx, l, "this mail is too old to send", time.Time{})
	default:
		d.send(ctx, l)
	}
}

// deadline returns the time after which a mail is not worth sending.
func (l Leased) deadline() time.Time {
	deadline := l.QueuedAt.Add(giveUpAfter)
	if l.Kind.isLink() && l.ExpiresAt.Before(deadline) {
		return l.ExpiresAt
	}
	return deadline
}

// send tries to send a mail and records the result.
func (d *Dispatcher) send(ctx context.Context, l Leased) {
	letter, err := compose(l.Message, d.config.Now())
	if err == nil {
		err = d.deliver(ctx, letter)
	}
	if err == nil {
		d.config.Log.Info("mail accepted", "mail", l, "attempt", l.Attempts+1)
		d.unrecorded = append(d.unrecorded, l)
		_ = d.settle(ctx) // it logs any failure, and is retried
		return
	}
	reason, final := reasonOf(err)
	next := d.config.Now().Add(d.delay(l.Attempts))
	if final || next.After(l.deadline()) {
		next = time.Time{}
	}
	d.failed(ctx, l, reason, next)
}

// deliver passes a Letter to the Sender and lets it finish even if ctx ends meanwhile.
func (d *Dispatcher) deliver(ctx context.Context, l Letter) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestSend)
	defer cancel()
	return d.config.Sender.Send(ctx, l)
}

// reasonOf describes a failure in words that are safe to store and log. It does not use the
// text of an unknown error, which may contain anything.
func reasonOf(err error) (reason string, final bool) {
	var f *Failure
	if errors.As(err, &f) {
		return f.Error(), f.Final
	}
	return "the mail could not be composed or sent", false
}

// delay returns the time until the next attempt after that many failures.
func (d *Dispatcher) delay(failures int) time.Duration {
	wait := longestRetry
	if failures < 16 {
		wait = min(firstRetry<<max(failures, 0), longestRetry)
	}
	return time.Duration(float64(wait) * (0.75 + d.config.Random()/2))
}

// settle records the accepted mails. While recording fails no other mail is sent, so at
// most one mail can be sent twice if the process dies.
func (d *Dispatcher) settle(ctx context.Context) error {
	for len(d.unrecorded) > 0 {
		l := d.unrecorded[0]
		err := d.record(ctx, func(ctx context.Context) error {
			return d.config.Queue.Accepted(ctx, l)
		})
		if err != nil {
			d.fault(ctx, "a mail was sent but cannot be recorded", err)
			return err
		}
		d.unrecorded = d.unrecorded[1:]
	}
	return nil
}

// failed records a failure. If recording fails too, the lease expires.
func (d *Dispatcher) failed(ctx context.Context, l Leased, reason string, next time.Time) {
	if next.IsZero() {
		d.config.Log.Error("mail given up", "mail", l, "attempt", l.Attempts+1, "reason", reason)
	} else if ctx.Err() == nil {
		d.config.Log.Warn("mail not sent yet", "mail", l, "attempt", l.Attempts+1, "reason", reason, "next", next.UTC())
	}
	err := d.record(ctx, func(ctx context.Context) error {
		return d.config.Queue.Failed(ctx, l, reason, next)
	})
	if err != nil {
		d.fault(ctx, "a failure to send a mail cannot be recorded", err)
	}
}

// record calls f and lets it finish even if ctx ends meanwhile.
func (d *Dispatcher) record(ctx context.Context, f func(context.Context) error) error {
	if ctx.Err() == nil {
		return f(context.WithoutCancel(ctx))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastRecord)
	defer cancel()
	return f(ctx)
}

// fault logs a failure of the Queue, once as long as it persists.
func (d *Dispatcher) fault(ctx context.Context, what string, err error) {
	if text := what + err.Error(); text != d.lastFault && ctx.Err() == nil {
		d.lastFault = text
		d.config.Log.Error(what, "cause", err)
	}
}
