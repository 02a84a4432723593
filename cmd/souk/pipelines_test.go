package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"souk/build/release"
)

// If a pipeline caches a public folder without its release folder, the next build takes the
// files of site/ for someone else's.
func TestDocumentedPipelinesKeepCompleteReleases(t *testing.T) {
	pipelines, err := filepath.Glob(filepath.Join("..", "..", "docs", "ci", "*.yml"))
	if err != nil || len(pipelines) != 2 {
		t.Fatal(pipelines, err)
	}
	for _, pipeline := range pipelines {
		text, err := os.ReadFile(pipeline)
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range []string{"public", filepath.Base(release.Folder("public")), "var"} {
			if !regexp.MustCompile(`(?m)(?:^ +|[ \[])` + regexp.QuoteMeta(folder) + `/?(?:[,\]]|$)`).Match(text) {
				t.Errorf("%s does not keep %s", pipeline, folder)
			}
		}
	}
}
