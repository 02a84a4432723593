package release

import (
	"fmt"
	"os"
	"path/filepath"
)

// Folder returns the folder beside a public folder that contains the metadata of its release
// and that no host serves: the log, staged files, and files of other packages. All of it may
// be lost at any time.
func Folder(public string) string {
	if abs, err := filepath.Abs(public); err == nil {
		public = abs
	}
	return filepath.Clean(public) + ".release"
}

// logName is the file of the log in the Folder.
const logName = "log"

// makeFolders creates the public folder and the one beside it.
func (t *Tree) makeFolders() error {
	if err := os.MkdirAll(t.options.Public, 0o755); err != nil {
		return err
	}
	if err := os.MkdirAll(t.own, 0o755); err != nil {
		return fmt.Errorf("beside the output folder %s, souk needs a folder for release metadata that no host serves: "+
			"make %s, and let this user write there: %w", t.options.Public, t.own, err)
	}
	return nil
}
