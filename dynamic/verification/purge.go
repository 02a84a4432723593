package verification

import (
	"context"
	"time"
)

// A Purge says which records have expired: those that are not younger than the time for
// their kind.
type Purge struct {
	// Mails applies to settled mails, by creation time; Requests applies to pending
	// requests, by expiry. Whatever a token proved is kept, and so is the history.
	Mails, Requests time.Time
	// Keys applies to Idempotents; Starts applies to what AddRecent recorded.
	Keys, Starts time.Time
}

// keptFor is how long settled mails and expired requests, including the requester's name
// and address, stay on record. For that long, a late click on a link is told that it
// expired.
const keptFor = 30 * 24 * time.Hour

// purgedAtOnce is how many records of a kind one transaction deletes, so that it takes
// milliseconds and nobody waits for it.
const purgedAtOnce = 200

// Purge deletes some expired records and reports whether there may be more. Several
// processes may do so at once.
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
