package dynamic

import (
	"context"
	"log/slog"
	"sync/atomic"
)

// A taskError is the current error of a repeated task. Only one goroutine sets it.
type taskError struct {
	// what describes the error in the log.
	what  string
	cause atomic.Pointer[error]
}

// now returns the current error, or nil.
func (t *taskError) now() error {
	if cause := t.cause.Load(); cause != nil {
		return *cause
	}
	return nil
}

// set replaces the current error, which may become nil, and logs changes.
func (t *taskError) set(ctx context.Context, log *slog.Logger, err error) {
	if ctx.Err() != nil {
		return
	}
	if err == nil {
		if t.cause.Swap(nil) != nil {
			log.Info("resolved: " + t.what)
		}
		return
	}
	if was := t.cause.Swap(&err); was == nil || (*was).Error() != err.Error() {
		log.Warn(t.what+"; trying again", "cause", err)
	}
}
