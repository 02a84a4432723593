package build_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"souk/build"
)

// withCRLF copies a content folder with Windows line endings in its text files.
func withCRLF(t *testing.T, content string) string {
	dir := t.TempDir()
	err := filepath.WalkDir(content, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if slices.Contains([]string{".md", ".yaml", ".svg", ".txt"}, filepath.Ext(path)) {
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		}
		below, _ := filepath.Rel(content, path)
		to := filepath.Join(dir, below)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestContentWithWindowsLineEndingsBuildsTheSameBytes(t *testing.T) {
	public := func(content string) map[string][]byte {
		dir := t.TempDir()
		b, err := build.New(build.Config{
			Content: content, Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"),
			Clock: time.Now, At: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), Precompress: 2048, Program: "test",
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Build(t.Context(), nil); err != nil {
			t.Fatalf("%v: %v", err, mistakesOf(err))
		}
		return readTree(t, filepath.Join(dir, "public"))
	}
	const sample = "../content"
	want, got := public(sample), public(withCRLF(t, sample))
	if len(want) < 20 || len(got) != len(want) {
		t.Errorf("%d files, and %d with CRLF", len(want), len(got))
	}
	for file, data := range want {
		if !bytes.Equal(got[file], data) {
			t.Errorf("%s differs", file)
		}
	}
}
