package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestDocsUseCommandsAndFlagsThatExist reads every souk command in the README and the docs:
// in blocks, in code spans and in files such as Dockerfiles and pipelines.
func TestDocsUseCommandsAndFlagsThatExist(t *testing.T) {
	files := []string{"../../README.md"}
	for _, pattern := range []string{"*.md", "*/*.md", "*/*.yml", "*/*.service", "*/Dockerfile"} {
		found, err := filepath.Glob("../../docs/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	command := regexp.MustCompile("(?m)(?:^ *|[`(/]|&& |-- |exec )souk ([a-z][^`\n|;&#>)]*)")
	flag := regexp.MustCompile(`(?:^| )--([a-z][a-z-]*)`)
	count := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "\\\n", "")
		for _, found := range command.FindAllStringSubmatch(text, -1) {
			line := strings.Join(strings.Fields(found[1]), " ")
			root := newRoot(environment{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, lookupenv: none, now: time.Now})
			c, _, err := root.Find(strings.Fields(line))
			if err != nil || c == root {
				t.Errorf("%s: there is no command souk %s (%v)", file, line, err)
				continue
			}
			count++
			for _, name := range flag.FindAllStringSubmatch(line, -1) {
				if c.Flag(name[1]) == nil && name[1] != "help" {
					t.Errorf("%s: souk %s: %q has no flag --%s", file, line, c.CommandPath(), name[1])
				}
			}
		}
	}
	if count < 150 {
		t.Errorf("only %d commands were found", count)
	}
}
