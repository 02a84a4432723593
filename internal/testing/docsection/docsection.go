// Package docsection compares generated sections of documents with what they are generated
// from, for tests. It refuses to know what they contain.
package docsection

import (
	"os"
	"strings"
	"testing"
)

// Hold fails the test unless the text between two marks of a file is want. If write is
// set, Hold writes want there instead.
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
