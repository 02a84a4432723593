//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// ownTimes returns the processor time of this process so far.
func ownTimes() cost {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return cost{}
	}
	return cost{User: time.Duration(u.Utime.Nano()), System: time.Duration(u.Stime.Nano())}
}

// peak returns the greatest resident size of a process that has ended.
func peak(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
