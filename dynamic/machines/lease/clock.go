package lease

import "time"

// An Instant is a time on two clocks of a machine.
type Instant struct {
	// Running counts from an arbitrary start and never goes back. Where the system supports
	// it, it also counts while the machine sleeps. Wall counts since 1970.
	Running, Wall time.Duration
}

// since returns the longer of the durations on the two clocks. Either one may miss time
// while the machine sleeps or is suspended.
func (i Instant) since(earlier Instant) time.Duration {
	return max(i.Running-earlier.Running, i.Wall-earlier.Wall)
}

// Now returns the current Instant.
func Now() Instant {
	return Instant{running(), time.Duration(time.Now().UnixNano())}
}
