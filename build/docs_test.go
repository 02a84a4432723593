package build_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// guides returns the README, the changelog and the files of docs.
func guides(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	read := func(file string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[file] = string(data)
	}
	read("../README.md")
	read("../CHANGELOG.md")
	err := filepath.WalkDir("../docs", func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			read(filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var (
	fenced    = regexp.MustCompile("(?ms)^```.*?^```$")
	codeSpan  = regexp.MustCompile("`[^`\n]+`")
	guideLink = regexp.MustCompile(`\]\(([^)\s:]+)\)`)
	heading   = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notInIDs  = regexp.MustCompile(`[^\pL\pN _-]`)
)

func TestLinksBetweenDocsPointToFilesAndHeadings(t *testing.T) {
	ids := map[string]bool{}
	all := guides(t)
	for file, text := range all {
		for _, one := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			id := strings.ReplaceAll(notInIDs.ReplaceAllString(strings.ToLower(one[1]), ""), " ", "-")
			ids[file+"#"+id] = true
		}
	}
	for file, text := range all {
		for _, one := range guideLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(fenced.ReplaceAllString(text, ""), ""), -1) {
			path, id, _ := strings.Cut(one[1], "#")
			target := file
			if path != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(file), path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: there is no %s", file, one[1])
			} else if id != "" && strings.HasSuffix(target, ".md") && !ids[target+"#"+id] {
				t.Errorf("%s: %s has no heading %q", file, target, id)
			}
		}
	}
}

// mostWords limits the length of the docs, without the README and the changelog.
const mostWords = 24_000

func TestDocsWrittenByHandStayShort(t *testing.T) {
	words := 0
	for file, text := range guides(t) {
		if !strings.HasPrefix(file, "../docs/") || strings.HasPrefix(file, "../docs/reference/") {
			continue
		}
		words += len(strings.Fields(text))
		text = fenced.ReplaceAllStringFunc(text, func(block string) string { return strings.Repeat("\n", strings.Count(block, "\n")) })
		for number, line := range strings.Split(text, "\n") {
			code, table, list := strings.HasPrefix(line, "    "), strings.HasPrefix(line, "|"), strings.HasPrefix(line, "- GET /")
			if utf8.RuneCountInString(line) > 110 && !code && !table && !list {
				t.Errorf("%s:%d: the line is too long for a diff; wrap it at about 100 characters", file, number+1)
			}
		}
	}
	if words > mostWords {
		t.Errorf("docs has %d words besides docs/reference; cut it to %d", words, mostWords)
	}
}
