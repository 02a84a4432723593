package lease

import (
	"time"

	"golang.org/x/sys/unix"
)

// running returns CLOCK_BOOTTIME, which also counts while the machine is suspended
// (clock_gettime(2)).
func running() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return 0 // fall back to the wall clock
	}
	return time.Duration(t.Nano())
}
