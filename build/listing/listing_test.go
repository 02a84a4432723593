package listing

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAFolderIsListedAsTheSystemTellsOfEachFile(t *testing.T) {
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
		want := Of(info)
		if e.IsDir() {
			want.Size, want.ModTime = 0, 0
		}
		if got[i] != want {
			t.Errorf("got %+v, want %+v", got[i], want)
		}
	}
	if _, err := Folder(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Errorf("a folder that is not there ends with %v", err)
	}
}
