package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// beginInHugePages runs once per process. It reserves as many addresses as the heap has, which
// would double the heap of a process that builds repeatedly.
var beginInHugePages = sync.OnceFunc(hugePages)

// roomForGarbage lets the heap of a short-lived process grow to four times its live size
// before a collection, within limits. GOGC or GOMEMLIMIT take precedence if set.
func roomForGarbage(w environment) {
	if w.getenv("GOGC") == "" && w.getenv("GOMEMLIMIT") == "" {
		beginInHugePages()
		debug.SetGCPercent(300)
		growHeap()
	}
}

// heapRoom is the memory, in bytes, that the heap, its gaps and the runtime itself may always
// take.
const heapRoom = 11 << 27

// growHeap limits memory to heapRoom or, if that is more, to the live heap plus a fifth and
// the memory outside the heap. Close to the live size the collector would run all the time. It
// adjusts the limit after each collection.
func growHeap() {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	bytes := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	live, others := bytes(0), bytes(1)-bytes(2)-bytes(3)-bytes(4)
	// The runtime holds back 3 % of the limit.
	debug.SetMemoryLimit(max(heapRoom, (live+live/5+others)/97*100))
	runtime.SetFinalizer(&collection{}, func(*collection) { growHeap() })
}

// Nothing refers to a collection, so its finalizer runs at the next garbage collection. It has
// a size because all values of size zero may share an address.
type collection struct{ _ [16]byte }
