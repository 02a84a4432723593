//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func guide(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestContentGuideCommandsRun runs the commands of docs/content.md, except those that
// start a server, in a new marketplace with the files that they name.
func TestContentGuideCommandsRun(t *testing.T) {
	s := newShell(t, t.TempDir())
	s.env = append(s.env, "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"))
	s.run("souk init my-market && cd my-market && souk new seller lumen && souk new service lumen/mending")
	commands := regexp.MustCompile("(?m)^    (souk [^#\n]+)|`(souk new [a-z ]+)`").FindAllStringSubmatch(guide(t, "content.md"), -1)
	if len(commands) < 6 {
		t.Fatalf("the guide has %d commands", len(commands))
	}
	for _, one := range commands {
		if line := one[1] + one[2]; !strings.HasPrefix(line, "souk serve") {
			s.run(line)
		}
	}
	for _, file := range []string{"sellers/lumen/products/beacon.*", "sellers/lumen/services/repair-by-post.*", "texts/sv.yaml", "site/imprint.md"} {
		if found, err := filepath.Glob(filepath.Join(s.folder, "content", filepath.FromSlash(file))); err != nil || len(found) != 1 {
			t.Errorf("for %s there is %q (%v)", file, found, err)
		}
	}
}

// TestFrontEndGuideRequestsAreAnswered sends the requests in docs/frontend.md to the
// sample.
func TestFrontEndGuideRequestsAreAnswered(t *testing.T) {
	sample := house(t, built(t), nil)
	sample.content = "../../content"
	s := sample.serve(t)
	requests := regexp.MustCompile("(?m)(?:^    |`)GET (/[^`\n]+)").FindAllStringSubmatch(guide(t, "frontend.md"), -1)
	if len(requests) < 4 {
		t.Fatalf("the guide has %d requests", len(requests))
	}
	for _, one := range requests {
		address := strings.TrimSuffix(s.base, "/marketplace") + one[1]
		response, err := s.client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != 200 {
			t.Errorf("GET %s: %s", one[1], response.Status)
		}
	}
}
