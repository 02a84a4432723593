// Package processors computes on all processors. It knows nothing of what is computed,
// nor of requests.
package processors

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Count returns how many goroutines that compute can run at the same time: one for each
// processor of the process, or fewer where GOMAXPROCS or the cgroup leave fewer. It is
// not runtime.GOMAXPROCS(0) alone: a server runs more threads than there are processors.
func Count() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// Each calls do with every number below n, on all processors, and returns when all calls
// have.
func Each(n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, Count()) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// EachShare is Each for what takes so little that many numbers, from one up to another, are
// met in one call.
func EachShare(n int, do func(from, to int)) {
	const share = 1 << 10
	Each((n+share-1)/share, func(i int) { do(i*share, min(n, (i+1)*share)) })
}

// InTurn computes with every number below n on all processors and, of one after the other,
// takes what came of it: take(i) is called after take(i-1) has returned, while others are
// computed. Each worker has a compute and a take of its own, between which it may keep
// what one number came to.
func InTurn(n int, worker func() (compute, take func(i int))) {
	var next atomic.Int64
	var group sync.WaitGroup
	turns := make([]chan struct{}, n+1) // each is closed when it has come
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	for range min(n, Count()+1) { // one of them may wait
		group.Go(func() {
			compute, take := worker()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				compute(i)
				<-turns[i]
				take(i)
				close(turns[i+1])
			}
		})
	}
	group.Wait()
}
