//go:build !linux

package lease

import "time"

var started = time.Now()

// running is Go's own clock, which on some systems stands still while the machine is
// suspended: the wall clock counts then.
func running() time.Duration { return time.Since(started) }
