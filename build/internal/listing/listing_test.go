package listing

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAListedFolderMatchesTheStatusOfEachFile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "", "b.md": "text", "ö": "more text"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "below"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	got, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(entries) {
		t.Fatalf("%d of %d are listed", len(got), len(entries))
	}
	for i, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		want, err := At(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if told := (File{Name: info.Name(), Type: info.Mode().Type(), Size: info.Size(), ModTime: info.ModTime().UnixNano(), Changed: want.Changed, Inode: want.Inode}); !e.IsDir() && told != want {
			t.Errorf("the system tells %+v, not %+v", told, want)
		}
		if got[i] != want {
			t.Errorf("got %+v, want %+v", got[i], want)
		}
	}
	none := filepath.Join(dir, "none")
	if _, err := Folder(none); !os.IsNotExist(err) {
		t.Errorf("a folder that is not there ends with %v", err)
	}
	if _, err := At(none); !os.IsNotExist(err) {
		t.Errorf("a file that is not there ends with %v", err)
	}
}
