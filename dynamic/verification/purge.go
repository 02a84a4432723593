package verification

import (
	"context"
	"time"
)

// A Purge says what is past its time: whatever is not younger than the time of
// its sort.
type Purge struct {
	// Mails are settled ones, by when they were made; Requests pending ones, by
	// when they expired. What a token proved is kept, and so is the history.
	Mails, Requests time.Time
	// Keys are Idempotents; Starts are what AddRecent recorded.
	Keys, Starts time.Time
}

// keptFor is how long a settled mail and an expired request stay on record, and
// with them the name and the address of who asked: so long a late click on a
// link is told that it expired.
const keptFor = 30 * 24 * time.Hour

// purgedAtOnce is how many records of a sort one transaction deletes, so that
// it takes milliseconds and nobody waits for it.
const purgedAtOnce = 200

// Purge deletes some of what is past its time, and reports whether there may be
// more. Several processes may do so at once.
func (p *Process) Purge(ctx context.Context) (more bool, err error) {
	now := p.now()
	err = p.config.Ledger.Update(ctx, func(tx Tx) error {
		n, err := tx.Purge(Purge{
			Mails: now.Add(-keptFor), Requests: now.Add(-keptFor),
			Keys: now.Add(-idempotencyLifetime), Starts: now.Add(-countingTime),
		}, purgedAtOnce)
		more = n >= purgedAtOnce
		return err
	})
	return more, err
}
