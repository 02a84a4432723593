package smallfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"souk/build/internal/smallfile"
)

func TestAFileHasTheGivenBytesAndTime(t *testing.T) {
	root := t.TempDir()
	var w smallfile.Writer
	defer w.Close()
	long := strings.Repeat("long ", 1<<20)
	when := time.Date(2026, 11, 25, 10, 0, 0, 123456000, time.UTC)
	for _, one := range []struct{ file, text string }{
		{"a.json", "a"}, {"b.json", ""}, {"x/y/c.json", "c"}, {"x/y/d.json", long},
		{"x/e.json", "e"}, {"a.json", "shorter than before, or longer"}, {"a.json", "s"},
	} {
		path := filepath.Join(root, filepath.FromSlash(one.file))
		if err := w.Write(path, []byte(one.text), when); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(path)
		if err != nil || string(want) != one.text {
			t.Errorf("%s has %d bytes, want %d: %v", one.file, len(want), len(one.text), err)
		}
		info, err := os.Stat(path)
		if err != nil || !info.ModTime().Equal(when) || info.Mode().Perm()&0o600 != 0o600 {
			t.Errorf("%s: %v, %v", one.file, info, err)
		}
		for _, size := range []int64{int64(len(one.text)), 0, 1, 1 << 23} {
			if got, err := smallfile.Read(path, size); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %d bytes expected: %d bytes read, want %d: %v", one.file, size, len(got), len(want), err)
			}
		}
	}
}

func TestAWriterWorksAfterItsFolderWasClosedOrDeleted(t *testing.T) {
	root := t.TempDir()
	var w smallfile.Writer
	write := func(file string) error { return w.Write(filepath.Join(root, "stage", file), []byte(file), time.Now()) }
	if err := write("a"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	w.Close()
	if err := write("b"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := os.RemoveAll(filepath.Join(root, "stage")); err != nil {
		t.Fatal(err)
	}
	if err := write("c"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := os.Stat(filepath.Join(root, "stage", "c")); err != nil {
		t.Error(err)
	}
}

func TestErrorsNameTheFileAndTheCause(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var w smallfile.Writer
	defer w.Close()
	missing := filepath.Join(root, "missing")
	_, absent := smallfile.Read(missing, 10)
	_, folder := smallfile.Read(root, 10)
	for _, c := range []struct {
		what string
		err  error
		path string
		is   error
	}{
		{"a file that is not there", absent, missing, fs.ErrNotExist},
		{"a folder that is read", folder, root, nil},
		{"a file in the place of a folder", w.Write(filepath.Join(file, "a"), nil, time.Now()), file, nil},
		{"a folder in the place of a file", w.Write(root, nil, time.Now()), root, nil},
	} {
		var told *fs.PathError
		if !errors.As(c.err, &told) || !strings.HasPrefix(told.Path, c.path) || c.is != nil && !errors.Is(c.err, c.is) {
			t.Errorf("%s: %v", c.what, c.err)
		}
	}
}
