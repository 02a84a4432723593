package build_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"souk/build/kit/problem"
)

// identity returns the parts of a release's description that do not depend on when it was
// first built.
func identity(body []byte) string {
	var d struct {
		ID        string
		Documents int
		Bytes     int64
	}
	if err := json.Unmarshal(body, &d); err != nil {
		return err.Error()
	}
	return fmt.Sprint(d)
}

func mistakesOf(err error) problem.List {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Mistakes
	}
	return nil
}

func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// A failer can end a test: a *testing.T or a *rapid.T.
type failer interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// readTree returns the bytes of every file below a folder.
func readTree(t failer, root string) map[string][]byte {
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
