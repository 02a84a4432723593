//go:build unix

package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeAnswersMatchTheSample compares the answers in the README with those of
// `souk serve` for the sample. The parts between dots must occur in order.
func TestReadmeAnswersMatchTheSample(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^\$ curl '?http://127\.0\.0\.1:8080(/[^'\n]+)'?\n(.+)$`).FindAllStringSubmatch(string(readme), -1)
	if len(shown) < 3 {
		t.Fatalf("the README shows %d answers", len(shown))
	}
	i := house(t, built(t), nil)
	i.content = "../../content"
	s := i.preview(t) // as make run does
	origin := strings.TrimSuffix(s.base, "/api/v1/marketplace")
	for _, one := range shown {
		answer := s.get(origin + one[1])
		rest := answer.body
		for part := range strings.SplitSeq(one[2], "…") {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("%s does not answer %s: %.300s", one[1], part, answer)
				break
			}
			rest = after
		}
	}
}
