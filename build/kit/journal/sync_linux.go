package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// settle makes the changes durable, before the journal goes.
func settle(content string, _ []Change) error {
	f, err := os.Open(content)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}
