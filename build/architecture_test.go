package build_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestArchitectureNamesExistingFunctions(t *testing.T) {
	data, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile("`([a-z/_]+\\.go)` `([A-Za-z]+)`").FindAllStringSubmatch(string(data), -1)
	if len(steps) < 15 {
		t.Fatalf("the page has %d steps with file and function", len(steps))
	}
	for _, step := range steps {
		code, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(step[1])))
		if err != nil {
			t.Error(err)
			continue
		}
		if name := step[2]; !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name + `\(`).Match(code) {
			t.Errorf("%s has no function %s", step[1], name)
		}
	}
	_, removal, _ := strings.Cut(string(data), "## A removal")
	if strings.Contains(removal, "| 13 |") {
		t.Error("a removal takes more than 12 steps")
	}
}
