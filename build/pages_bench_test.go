//go:build unix

package build_test

import (
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"souk/build"
	"souk/internal/testing/markettest"
)

// BenchmarkPages measures the processor time of full builds with and without pages, on the
// same content in the same run, so that a busy machine slows both.
func BenchmarkPages(b *testing.B) {
	content := markettest.Content(b)
	run := func(pages bool) (time.Duration, uint64) {
		builder, err := build.New(build.Config{
			Content: content, Public: filepath.Join(b.TempDir(), "public"), State: filepath.Join(b.TempDir(), "state"),
			Clock: time.Now, Precompress: 4 << 10, Program: "bench", Pages: pages,
		})
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		before, peak := processorTime(b), make(chan uint64)
		done := make(chan struct{})
		go func() { peak <- highest(done) }()
		if _, err := builder.Build(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
		took := processorTime(b) - before
		close(done)
		return took, <-peak
	}
	var off, on time.Duration
	var memoryOff, memoryOn uint64
	for b.Loop() {
		took, memory := run(false)
		off, memoryOff = off+took, max(memoryOff, memory)
		took, memory = run(true)
		on, memoryOn = on+took, max(memoryOn, memory)
	}
	b.ReportMetric(0, "ns/op") // both are reported below
	b.ReportMetric(off.Seconds()/float64(b.N), "cpu-s-off")
	b.ReportMetric(on.Seconds()/float64(b.N), "cpu-s-on")
	b.ReportMetric((on-off).Seconds()/off.Seconds(), "added/JSON")
	b.ReportMetric(float64(memoryOn)/1e6-float64(memoryOff)/1e6, "added-MB")
}

// highest returns the peak memory that Go used until done is closed.
func highest(done chan struct{}) (most uint64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return most
		case <-tick.C:
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
		}
	}
}

// processorTime returns the processor time that this process has used, on all processors.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
