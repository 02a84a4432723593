package dynamic

import (
	"context"
	"log/slog"
	"sync/atomic"
)

// A trouble is what is wrong with one thing that is done again and again; nothing, at first.
// One goroutine sets it.
type trouble struct {
	// what says in the log what is wrong.
	what  string
	cause atomic.Pointer[error]
}

// now returns what is wrong, or nil.
func (t *trouble) now() error {
	if cause := t.cause.Load(); cause != nil {
		return *cause
	}
	return nil
}

// set keeps what is wrong, or that nothing is, and logs what is news.
func (t *trouble) set(ctx context.Context, log *slog.Logger, err error) {
	if ctx.Err() != nil {
		return
	}
	if err == nil {
		if t.cause.Swap(nil) != nil {
			log.Info("this is over: " + t.what)
		}
		return
	}
	if was := t.cause.Swap(&err); was == nil || (*was).Error() != err.Error() {
		log.Warn(t.what+": it is tried again", "cause", err)
	}
}
