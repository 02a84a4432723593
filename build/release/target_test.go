package release_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"souk/build/release"
)

func TestAPublicFolderIsTheSameUnderAllItsPaths(t *testing.T) {
	home := t.TempDir()
	public := filepath.Join(home, "market", "public")
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			id, err := release.Target(public)
			if err != nil {
				t.Error(err)
			}
			ids[i] = id
		})
	}
	all.Wait()
	if err := os.Symlink(filepath.Join(home, "market"), filepath.Join(home, "mounted")); err != nil {
		t.Skip(err)
	}
	again, err := release.Target(filepath.Join(home, "mounted", "public"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if id == "" || id != again {
			t.Errorf("it is %q, and %q under another path", id, again)
		}
	}
	other, err := release.Target(filepath.Join(home, "other"))
	if err != nil || other == again {
		t.Errorf("another folder is %q, %v", other, err)
	}
	left, err := os.ReadDir(release.Folder(public))
	if err != nil || len(left) != 1 {
		t.Errorf("beside it are %v, %v", left, err)
	}
}
