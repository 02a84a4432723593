package metrics

import (
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// started is when the program was loaded.
var started = time.Now()

// runtime writes metrics of the Go runtime under the names of Prometheus's own client,
// which dashboards expect.
func (e *exposition) runtime() {
	e.gauge("go_info", "The version of Go.", 1, "version", runtime.Version())
	e.gauge("go_goroutines", "Goroutines that exist.", float64(runtime.NumGoroutine()))
	threads, _ := runtime.ThreadCreateProfile(nil)
	e.gauge("go_threads", "Operating system threads created.", float64(threads))
	e.pauses()
	e.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", float64(started.UnixMilli())/1000)
	e.memory()
}

// pauses writes how long garbage collection paused the program.
func (e *exposition) pauses() {
	const name = "go_gc_duration_seconds"
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&stats)
	e.family(name, "summary", "Pauses of garbage collection.")
	for i, quantile := range []string{"0", "0.25", "0.5", "0.75", "1"} {
		e.sample(name, stats.PauseQuantiles[i].Seconds(), "quantile", quantile)
	}
	e.sample(name+"_sum", stats.PauseTotal.Seconds())
	e.sample(name+"_count", float64(stats.NumGC))
}

func (e *exposition) memory() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for _, one := range []struct {
		name, help string
		value      uint64
	}{
		{"alloc_bytes", "Bytes of heap objects in use.", m.Alloc},
		{"alloc_bytes_total", "Bytes of heap objects allocated so far.", m.TotalAlloc},
		{"frees_total", "Heap objects freed so far.", m.Frees},
		{"heap_alloc_bytes", "The same as go_memstats_alloc_bytes.", m.HeapAlloc},
		{"heap_idle_bytes", "Bytes of the heap that are not in use.", m.HeapIdle},
		{"heap_inuse_bytes", "Bytes of the heap in use.", m.HeapInuse},
		{"heap_objects", "Heap objects in use.", m.HeapObjects},
		{"heap_released_bytes", "Bytes of the heap returned to the system.", m.HeapReleased},
		{"heap_sys_bytes", "Bytes of the heap obtained from the system.", m.HeapSys},
		{"mallocs_total", "Heap objects allocated so far.", m.Mallocs},
		{"next_gc_bytes", "Heap size at which the next garbage collection starts.", m.NextGC},
		{"stack_inuse_bytes", "Bytes of stacks in use.", m.StackInuse},
		{"sys_bytes", "Bytes obtained from the system.", m.Sys},
	} {
		name := "go_memstats_" + one.name
		if strings.HasSuffix(name, "_total") {
			e.counter(name, one.help, float64(one.value))
		} else {
			e.gauge(name, one.help, float64(one.value))
		}
	}
	e.gauge("go_memstats_last_gc_time_seconds", "Time of the last garbage collection, in seconds since 1970.", float64(m.LastGC)/1e9)
}
