// Package processors says how much is worth computing at once. It knows nothing of what
// is computed, nor of requests.
package processors

import "runtime"

// Count returns how many goroutines that compute can run at the same time: one for each
// processor of the process, or fewer where GOMAXPROCS or the cgroup leave fewer. It is
// not runtime.GOMAXPROCS(0) alone: a server runs more threads than there are processors.
func Count() int { return min(runtime.GOMAXPROCS(0), runtime.NumCPU()) }
