// Package exposition tests the text of /metrics with Prometheus's parser. It is a module of
// its own, since nothing else needs that parser, and has no other code.
package exposition
