// Package processors runs computations on all processors. It does not know what is
// computed.
package processors

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Count returns how many goroutines can compute at the same time: one for each processor of
// the process, or fewer if GOMAXPROCS or the cgroup allows fewer. It is not just
// runtime.GOMAXPROCS(0), since a server runs more threads than there are processors.
func Count() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// Each calls do with every number below n, on all processors, and returns when all calls
// have returned.
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

// EachShare is like Each for cheap computations: each call handles a range of numbers.
func EachShare(n int, do func(from, to int)) {
	const share = 1 << 10
	Each((n+share-1)/share, func(i int) { do(i*share, min(n, (i+1)*share)) })
}

// InTurn computes with every number below n on all processors, and consumes the results in
// order: take(i) is called after take(i-1) has returned, while others are being computed.
// Each worker has its own compute and take, which may share the result of one number.
func InTurn(n int, worker func() (compute, take func(i int))) {
	var next atomic.Int64
	var group sync.WaitGroup
	turns := make([]chan struct{}, n+1) // each is closed when it is that number's turn
	for i := range turns {
		turns[i] = make(chan struct{})
	}
	close(turns[0])
	for range min(n, Count()+1) { // one of them may be waiting
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
