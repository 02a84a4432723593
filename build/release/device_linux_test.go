package release

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAPublicFolderMayBeAVolume covers containers whose volumes are folders of one file
// system, between which files cannot be renamed all the same.
func TestAPublicFolderMayBeAVolume(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may mount the folder that this test publishes to")
	}
	s := newSite(t)
	public := filepath.Join(s.dir, "public")
	if err := os.Mkdir(public, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount(t.TempDir(), public, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("the folder that this test publishes to cannot be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(public, 0); err != nil {
			t.Error(err)
		}
	})
	tree := s.open()
	s.mustPublish(tree, first)
	s.mustPublish(tree, second)
	s.expect("in a volume", second)
	s.noStages("two releases")
}
