package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// firstHeap is how much of the heap, in bytes, is in huge pages: the size that a build of
// 10,000 listings needs. Untouched pages take no memory.
const firstHeap = 256 << 20

// hugePages makes the heap begin at addresses for which the kernel is asked for pages of 2
// MiB, if it provides them on request only: with small pages a cold build takes a tenth
// longer. The runtime does not ask for them, but reuses the addresses of garbage first. If the
// address space is limited, nothing is reserved.
func hugePages() {
	var addresses unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &addresses); err != nil || addresses.Cur != unix.RLIM_INFINITY {
		return
	}
	// The runtime clears reused addresses, which would make all of that memory resident at
	// once. So the reserved addresses must be above the present heap.
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	below := make([]byte, heap.HeapSys)
	_ = unix.Madvise(make([]byte, firstHeap), unix.MADV_HUGEPAGE) // a kernel without huge pages uses small ones
	runtime.KeepAlive(below)
	runtime.GC()
}
