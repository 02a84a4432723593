//go:build !linux

package release

import "souk/build/kit/durable"

// bootID names this run of the machine; it cannot be known here.
func bootID() string { return "" }

// syncAll makes the given files durable, one by one.
func syncAll(_ string, files []string) error { return durable.SyncFiles(files) }
