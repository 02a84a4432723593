//go:build !linux

package lease

import "time"

var started = time.Now()

// running returns Go's monotonic clock. On some systems it stops while the machine is
// suspended, and then the wall clock counts.
func running() time.Duration { return time.Since(started) }
