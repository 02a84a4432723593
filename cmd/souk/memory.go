package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// beginInHugePages asks once a process: it reserves as many addresses as the heap has, which
// would double the heap of a process that builds again and again.
var beginInHugePages = sync.OnceFunc(hugePages)

// roomForGarbage lets the heap of a short-lived process grow to four times what is live
// before it is collected, within bounds of memory.
// GOGC or GOMEMLIMIT, where set, decide instead.
func roomForGarbage(w environment) {
	if w.getenv("GOGC") == "" && w.getenv("GOMEMLIMIT") == "" {
		beginInHugePages()
		debug.SetGCPercent(300)
		growHeap()
	}
}

// heapRoom is how much memory may be taken in any case, in bytes: by the heap, by the gaps
// in it and by what the runtime needs itself.
const heapRoom = 11 << 28

// growHeap bounds the memory by heapRoom, or by what a fifth more than is live, and what is
// no object, takes: under a limit close to what is live the collector would run all the
// time. It decides again after each collection.
func growHeap() {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	bytes := func(i int) int64 { return int64(samples[i].Value.Uint64()) }
	live, others := bytes(0), bytes(1)-bytes(2)-bytes(3)-bytes(4)
	// The runtime keeps 3 % of the limit back.
	debug.SetMemoryLimit(max(heapRoom, (live+live/5+others)/97*100))
	runtime.SetFinalizer(&collection{}, func(*collection) { growHeap() })
}

// A collection is held by nobody, so that the next one finds it. It has a size, since
// all values without one may be the same.
type collection struct{ _ [16]byte }
