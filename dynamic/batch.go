package dynamic

import (
	"context"
	"maps"
	"slices"
	"time"

	"souk/build"
)

// An editor writes a file in several steps, and a checkout writes many files:
// what changed is passed on once nothing has for the quiet time, or after the
// longest time while it goes on.
const (
	quietTime   = 30 * time.Millisecond
	longestTime = 300 * time.Millisecond
)

// debounce joins the paths that come in into batches. A path waits in its batch while the receiver is busy, so that in
// never does. It returns when ctx ends or in is closed.
func debounce(ctx context.Context, in <-chan string, out chan<- []string) {
	paths := map[string]bool{}
	var quiet, latest <-chan time.Time
	var ready chan<- []string // out, once the batch is to go
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

// batch lists the paths in order, Whole alone where it is among them.
func batch(paths map[string]bool) []string {
	if paths[build.Whole] {
		return []string{build.Whole}
	}
	return slices.Sorted(maps.Keys(paths))
}
