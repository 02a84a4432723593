// Package exposition holds the text of /metrics to the parser of Prometheus, in a
// module of its own, since nothing but this needs it. It has no code of its own.
package exposition
