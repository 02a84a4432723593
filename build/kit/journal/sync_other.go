//go:build !linux

package journal

import (
	"path/filepath"

	"souk/build/kit/durable"
)

// settle makes the changes durable, before the journal goes.
func settle(content string, changes []Change) error {
	var files []string
	for _, c := range changes {
		if !c.Delete {
			files = append(files, filepath.Join(content, filepath.FromSlash(c.Path)))
		}
	}
	return durable.SyncFiles(files)
}
