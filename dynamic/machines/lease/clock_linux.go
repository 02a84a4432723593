package lease

import (
	"time"

	"golang.org/x/sys/unix"
)

// running is CLOCK_BOOTTIME, which counts while the machine is suspended
// (clock_gettime(2)).
func running() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return 0 // the wall clock counts
	}
	return time.Duration(t.Nano())
}
