package durable

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// written creates a folder with an old file and replaces the file; step runs the steps.
func written(t *testing.T, durably bool, step func(string, func() error) error) (path string, err error) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "list.json")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, replace(path, unique(path), 0o600, func(f *os.File) error {
		_, err := f.WriteString("the new one")
		return err
	}, durably, step)
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if all, _ := os.ReadDir(filepath.Dir(path)); len(all) != 1 {
		t.Errorf("the folder holds %v", all)
	}
	return string(data)
}

func TestBytesAreSyncedBeforeTheRename(t *testing.T) {
	for durably, want := range map[bool][]string{
		true:  {"create", "write", "sync", "close", "rename", "sync folder"},
		false: {"create", "write", "close", "rename"},
	} {
		var steps []string
		path, err := written(t, durably, func(name string, do func() error) error {
			steps = append(steps, name)
			return do()
		})
		if err != nil || content(t, path) != "the new one" || !slices.Equal(steps, want) {
			t.Errorf("durably %v: %v, the steps are %q, want %q", durably, err, steps, want)
		}
	}
}

func TestAFailedStepLeavesACompleteFileAndNoTemporaryOne(t *testing.T) {
	injected := errors.New("injected")
	for _, fail := range []string{"create", "write", "sync", "close", "rename", "sync folder"} {
		t.Run(fail, func(t *testing.T) {
			path, err := written(t, true, func(name string, do func() error) error {
				if name != fail {
					return do()
				}
				if name == "close" || name == "write" {
					err := do() // the file has been opened and perhaps partly written
					return errors.Join(err, injected)
				}
				return injected
			})
			want := "old"
			if fail == "sync folder" {
				want = "the new one" // which is reported as not durable
			}
			if got := content(t, path); got != want || !errors.Is(err, injected) {
				t.Errorf("%q is left, %v", got, err)
			}
		})
	}
}

func TestReplaceCreatesAFileWithItsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mail.eml")
	if err := Replace(path, 0o600, []byte("secret")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || content(t, path) != "secret" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := Replace(filepath.Join(path, "below a file"), 0o600, nil); err == nil {
		t.Error("a file was written below a file")
	}
}

func TestSwapReplacesTheFileOfAKilledAttempt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "document.json")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), Aside+"document.json"), []byte("ha"), 0o400); err != nil {
		t.Fatal(err)
	}
	write := func(text string) func(*os.File) error {
		return func(f *os.File) error {
			_, err := f.WriteString(text)
			return err
		}
	}
	if err := Swap(path, Aside+"document.json", 0o644, write("half and half")); err != nil || content(t, path) != "half and half" {
		t.Error(err)
	}
	if err := Swap(path, "", 0o644, write("again")); err != nil || content(t, path) != "again" {
		t.Error(err)
	}
}

func TestSyncingAMissingFolderFails(t *testing.T) {
	there := t.TempDir()
	if err := SyncFolders([]string{there, filepath.Join(there, "not")}); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "not") {
		t.Errorf("got %v", err)
	}
	if err := SyncFiles([]string{filepath.Join(there, "not")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestOutputFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	file, name := filepath.Join(dir, "file"), filepath.Join(dir, "name")
	if err := os.Symlink("file", name); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{file, name} {
		if err := Output(path, 0o644, []byte(path)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != path {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if to, err := os.Readlink(name); err != nil || to != "file" {
		t.Errorf("the link is %q, %v", to, err)
	}
	if err := Output(os.DevNull, 0o644, []byte("nobody reads this")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the device is %v now, %v", info.Mode(), err)
	}
	if err := Output(dir, 0o644, nil); err == nil {
		t.Error("a folder was written over")
	}
}
