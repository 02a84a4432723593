//go:build !linux

package release

import (
	"errors"
	"os"
)

// bootID names this run of the machine; it cannot be known here.
func bootID() string { return "" }

// syncAll makes the given files durable, one by one.
func syncAll(_ string, files []string) error {
	for _, file := range files {
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}
