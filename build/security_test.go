package build_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A threat whose test was renamed or deleted would look covered.
func TestSecurityDocumentNamesExistingTests(t *testing.T) {
	document, err := os.ReadFile("../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(\w \*testing\.[TF]\)`)
	err = filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range function.FindAllSubmatch(source, -1) {
			declared[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`( \\(([a-z, ]+)\\))?").FindAllStringSubmatch(string(document), -1)
	if len(named) < 100 {
		t.Errorf("the document names %d tests", len(named))
	}
	folders := map[string]string{"TestRequestScripts": "../dynamic/testdata/requests/*.txt", "TestScripts": "../cmd/souk/testdata/script/*.txtar"}
	for _, one := range named {
		if !declared[one[1]] {
			t.Errorf("there is no %s", one[1])
		}
		for script := range strings.SplitSeq(one[3], ", ") {
			pattern := folders[one[1]]
			if script == "" || pattern == "" {
				continue
			}
			if _, err := os.Stat(strings.Replace(pattern, "*", script, 1)); err != nil {
				t.Errorf("%s has no script %s", one[1], script)
			}
		}
	}
}
