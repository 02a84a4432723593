//go:build race

package dynamic

// slower is how much less the longest tests do, so that they take as long with
// the race detector as without.
const slower = 3
