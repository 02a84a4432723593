package processors_test

import (
	"runtime"
	"testing"

	"souk/build/kit/processors"
)

func TestConcurrencyIsLimitedToTheAvailableProcessors(t *testing.T) {
	have := runtime.NumCPU()
	for threads, want := range map[int]int{1: 1, have: have, have + 6: have} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		if got := processors.Count(); got != want {
			t.Errorf("%d threads on %d processors: %d, want %d", threads, have, got, want)
		}
	}
}
