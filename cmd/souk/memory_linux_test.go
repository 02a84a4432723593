package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// highest returns the process's peak memory in bytes.
func highest(t *testing.T) (most uint64) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(rest, &most); err != nil {
		t.Fatal(err)
	}
	return most << 10
}

var garbage [][]byte

// A build took 256 MB more if it began with garbage at the end of the heap, such as that
// from initializing packages.
func TestHugePagesDoNotIncreaseMemory(t *testing.T) {
	for range 64 {
		garbage = append(garbage, make([]byte, 128<<10))
	}
	garbage = nil
	runtime.GC()
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Skip(err)
	}
	before := highest(t)
	hugePages()
	if after := highest(t); after > before+heap.HeapSys+firstHeap/4 { // the heap may have shrunk
		t.Errorf("%d MB grew to %d, of a heap of %d MB", before>>20, after>>20, heap.HeapSys>>20)
	}
}
