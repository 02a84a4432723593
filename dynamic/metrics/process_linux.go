package metrics

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// ticks is how many of a clock's ticks in /proc are a second: USER_HZ, which is
// 100 wherever Go runs (proc(5)).
const ticks = 100

// process tells what the kernel knows of this process, under the names that
// Prometheus asks of every program:
// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
// What cannot be read is left out.
func (e *exposition) process() {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
		seconds := float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
		e.counter("process_cpu_seconds_total", "Seconds of processor time of the program and of the system for it.", seconds)
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		e.gauge("process_open_fds", "Open files and connections.", float64(len(open)))
	}
	e.limit("process_max_fds", "How many files and connections may be open.", syscall.RLIMIT_NOFILE)
	e.limit("process_virtual_memory_max_bytes", "How much virtual memory may be used.", syscall.RLIMIT_AS)
	e.stat()
	e.network()
}

func (e *exposition) limit(name, help string, resource int) {
	var limit syscall.Rlimit
	if syscall.Getrlimit(resource, &limit) == nil {
		e.gauge(name, help, float64(limit.Cur))
	}
}

// stat tells what /proc/self/stat has.
func (e *exposition) stat() {
	text, err := os.ReadFile("/proc/self/stat")
	// The second field, a name in brackets, may hold spaces (proc_pid_stat(5)).
	_, rest, ok := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	const third, started, virtual, resident = 3, 22, 23, 24
	if err != nil || !ok || len(fields) <= resident-third {
		return
	}
	e.gauge("process_virtual_memory_bytes", "Bytes of virtual memory.", parsed(fields[virtual-third]))
	e.gauge("process_resident_memory_bytes", "Bytes of memory in use.", parsed(fields[resident-third])*float64(os.Getpagesize()))
	system, err := os.ReadFile("/proc/stat")
	_, rest, ok = strings.Cut(string(system), "\nbtime ")
	if booted, _, _ := strings.Cut(rest, "\n"); err == nil && ok {
		e.gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", parsed(booted)+parsed(fields[started-third])/ticks)
	}
}

// network tells what the network of this process carried; of all that share it.
func (e *exposition) network() {
	text, err := os.ReadFile("/proc/self/net/netstat")
	if err != nil {
		return
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "IpExt:" {
			continue
		}
		for i := range min(len(names), len(fields)) {
			switch names[i] {
			case "InOctets":
				e.counter("process_network_receive_bytes_total", "Bytes received over the network.", parsed(fields[i]))
			case "OutOctets":
				e.counter("process_network_transmit_bytes_total", "Bytes sent over the network.", parsed(fields[i]))
			}
		}
		names = fields
	}
}

// parsed returns a number that the kernel wrote.
func parsed(text string) float64 {
	value, _ := strconv.ParseFloat(text, 64)
	return value
}
