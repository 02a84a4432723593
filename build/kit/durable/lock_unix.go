//go:build unix

package durable

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// LockFolder locks a folder for this process. A lock by flock(2) ends with the
// process, however that ends, and needs no file of its own. waiting is called
// once if another process holds the lock.
func LockFolder(ctx context.Context, folder string, waiting func()) (unlock func() error, err error) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return f.Close, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, errors.Join(err, f.Close())
		}
		if first {
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
