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
// its batch keeps growing, so that a sender never waits. It returns when ctx
// ends or in is closed.
func debounce(ctx context.Context, in <-chan string, out chan<- []string) {
	paths := map[string]bool{}
	var quiet, latest <-chan time.Time
	var ready chan<- []string // out, once the batch is due
	for {
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
			ready = out
		case <-latest:
			ready = out
		case ready <- batch(paths):
			paths = map[string]bool{}
			quiet, latest, ready = nil, nil, nil
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
