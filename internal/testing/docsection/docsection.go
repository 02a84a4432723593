// Package docsection holds a part of a document that is made to what it is made of,
// for tests. It refuses to know what that is.
package docsection

import (
	"os"
	"strings"
	"testing"
)

// Hold fails the test unless between two marks of a file there is what should be, or
// writes that there where write is set.
func Hold(t testing.TB, file, begin, end, want string, write bool) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := strings.Cut(string(data), begin)
	section, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("%s has no section between %q and %q", file, begin, end)
	}
	if section == want {
		return
	}
	if !write {
		t.Fatalf("%s differs from the generated text after %q; run: make generate", file, begin)
	}
	if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
