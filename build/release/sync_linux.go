package release

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// bootID identifies the present boot of the machine, or is empty if unknown.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// syncAll makes everything durable that was written to the file system of a folder. syncfs(2)
// costs one journal commit, while syncing many files costs one each.
func syncAll(folder string, _ []string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}
