package durable

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// LockFolder locks a folder for this process, using a lock on a file beside it. It calls
// waiting once if another process has the lock.
func LockFolder(ctx context.Context, folder string, waiting func()) (unlock func() error, err error) {
	f, err := os.OpenFile(folder+".lock", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
		if err == nil {
			return f.Close, nil
		}
		if !errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
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
