package dynamic

import (
	"context"
	"maps"
	"slices"
	"time"

	"souk/build"
)

// An editor saves a file in several steps, and a checkout writes many files. So
// changes are passed on once none has come for the quiet time or, while they
// keep coming, after the longest time.
const (
	quietTime   = 30 * time.Millisecond
	longestTime = 300 * time.Millisecond
)

// debounce collects the incoming paths into batches. While the receiver is busy
// its batch keeps growing, so that a sender never waits. A batch that is due waits as long as
// held says so, and then for the quiet time, in which the last changes arrive. It returns when
// ctx ends or in is closed.
func debounce(ctx context.Context, in <-chan string, out chan<- []string, held func() bool) {
	paths := map[string]bool{}
	var quiet, latest <-chan time.Time
	due, waits := false, false
	for {
		var ready chan<- []string // out, once the batch is due
		var all []string
		if due {
			waited := waits
			if waits = held(); waits || waited {
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

// batch returns the paths in order, or Whole alone where it is among them.
func batch(paths map[string]bool) []string {
	if paths[build.Whole] {
		return []string{build.Whole}
	}
	return slices.Sorted(maps.Keys(paths))
}
