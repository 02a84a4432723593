package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// settle waits until this process has nothing to do, and everything that was
// written lies on the disk: a sync waits for what other files have to be written
// too, and a first release is many.
func settle() {
	unix.Sync()
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	for before := busy(); ; {
		<-again.C
		now := busy()
		if now-before < 10*time.Millisecond {
			return
		}
		before = now
	}
}

// busy returns the processor time that this process used.
func busy() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
