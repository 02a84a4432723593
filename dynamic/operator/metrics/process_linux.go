package metrics

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// process writes what the kernel knows about this process, under the names that Prometheus
// recommends for every program:
// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics It omits
// values that cannot be read.
func (e *exposition) process() {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
		seconds := float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
		e.counter("process_cpu_seconds_total", "User and system CPU time, in seconds.", seconds)
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		e.gauge("process_open_fds", "Open files and connections.", float64(len(open)))
	}
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		e.gauge("process_max_fds", "Maximum number of open files and connections.", float64(limit.Cur))
	}
	// The fields are pages: total, resident, and others (proc_pid_statm(5)).
	text, err := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
		if pages, err := strconv.ParseFloat(fields[1], 64); err == nil {
			e.gauge("process_resident_memory_bytes", "Resident memory, in bytes.", pages*float64(os.Getpagesize()))
		}
	}
}
