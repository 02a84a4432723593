//go:build !linux

package release

import "souk/build/kit/durable"

// bootID identifies the present boot of the machine. It is unknown on this system.
func bootID() string { return "" }

// syncAll makes the given files durable, one by one.
func syncAll(_ string, files []string) error { return durable.SyncFiles(files) }
