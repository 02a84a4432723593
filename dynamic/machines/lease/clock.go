package lease

import "time"

// An Instant is a moment on two clocks of a machine.
type Instant struct {
	// Running counts since some moment, never back, while the machine sleeps too
	// where the system can tell; Wall is since 1970.
	Running, Wall time.Duration
}

// since is the longer of the times that the two clocks tell: each may miss what the
// other counts, of a machine that slept or was put aside.
func (i Instant) since(earlier Instant) time.Duration {
	return max(i.Running-earlier.Running, i.Wall-earlier.Wall)
}

// Now is the clocks of this machine.
func Now() Instant {
	return Instant{running(), time.Duration(time.Now().UnixNano())}
}
