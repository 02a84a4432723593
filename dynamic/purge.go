package dynamic

import (
	"context"
	"log/slog"
	"time"
)

const (
	// purgeEvery is how often expired records are deleted.
	purgeEvery = 10 * time.Minute
	// purgePause is the pause between two transactions, so that others go first.
	purgePause = 100 * time.Millisecond
)

// purge deletes expired records from the ledger until ctx ends.
func (v *verifications) purge(ctx context.Context, log *slog.Logger) {
	for {
		more, err := v.process.Purge(ctx)
		if err != nil && ctx.Err() == nil {
			log.Warn("expired requests and settled mails could not be deleted; trying again later", "cause", err)
		}
		wait := purgeEvery
		if more {
			wait = purgePause
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
