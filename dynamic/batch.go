package dynamic

import (
	"context"
	"maps"
	"slices"
	"time"

	"souk/build"
)

// An editor saves a file in several steps, and a checkout writes many files. So changes are
// passed on once none has come for quietTime or, while they keep coming, after longestTime.
const (
	quietTime   = 30 * time.Millisecond
	longestTime = 300 * time.Millisecond
)

// debounce collects the incoming paths into batches. While the receiver is busy its batch
// keeps growing, so that a sender never waits. A batch that is due waits while paused
// returns true, and then for quietTime, so that the last changes can arrive. debounce
// returns when ctx ends or in is closed.
func debounce(ctx context.Context, in <-chan string, out chan<- []string, paused func() bool) {
	paths := map[string]bool{}
	var quiet, latest <-chan time.Time
	due, waits := false, false
	for {
		var ready chan<- []string // out, if the batch is due
		var all []string
		if due {
			waited := waits
			if waits = paused(); waits || waited {
				due, quiet, latest = false, time.After(quietTime), time.After(longestTime)
			} else {
				ready, all = out, batch(paths)
			}
		}
		select {
		case <-ctx.Done():
			return
		case path, more := <-in:
			if !more {
				return
			}
			if len(paths) == 0 {
				latest = time.After(longestTime)
			}
			paths[path] = true
			quiet = time.After(quietTime)
		case <-quiet:
			due = true
		case <-latest:
			due = true
		case ready <- all:
			paths, due = map[string]bool{}, false
			quiet, latest = nil, nil
		}
	}
}

// batch returns the paths in order, or only Whole if it is among them.
func batch(paths map[string]bool) []string {
	if paths[build.Whole] {
		return []string{build.Whole}
	}
	return slices.Sorted(maps.Keys(paths))
}
