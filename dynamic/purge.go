package dynamic

import (
	"context"
	"log/slog"
	"time"
)

const (
	// purgeEvery is how often what is past its time is looked for.
	purgeEvery = 10 * time.Minute
	// purgePause is between two transactions, for all others to go first.
	purgePause = 100 * time.Millisecond
)

// purge deletes what is past its time from the ledger until ctx ends.
func (v *verifications) purge(ctx context.Context, log *slog.Logger) {
	for {
		more, err := v.process.Purge(ctx)
		if err != nil && ctx.Err() == nil {
			log.Warn("expired requests and settled mails stay on record: it is tried again later", "cause", err)
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
