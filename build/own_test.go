package build_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
)

// TestTheOperatorsFilesMustNotClashWithTheMarketplaces compares the list of reserved names
// with the files that builds write.
func TestTheOperatorsFilesMustNotClashWithTheMarketplaces(t *testing.T) {
	dir := t.TempDir()
	config := build.Config{
		Content: "../content", Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "state"),
		Clock: func() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }, Program: "test", Pages: true,
	}
	builder, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := builder.Build(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	own := []string{"about.html", "imprint.html", "privacy.html", "robots.txt"}
	files, found := 0, []string{}
	err = fs.WalkDir(os.DirFS(config.Public), ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || file == "." || strings.HasPrefix(file, ".souk") {
			return err
		}
		if e.IsDir() {
			if catalog.CheckOwn(file) == nil {
				t.Errorf("a build has the folder %s, and a file of the operator could take its name", file)
			}
			return nil
		}
		if in := file + "/x.txt"; catalog.CheckOwn(in) == nil && (!slices.Contains(own, file) || file == "robots.txt") {
			t.Errorf("a build writes %s, and a file of the operator could be %s", file, in)
		}
		if files++; slices.Contains(own, file) {
			found = append(found, file)
			if err := catalog.CheckOwn(file); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		} else if catalog.CheckOwn(file) == nil {
			t.Errorf("a build writes %s, and a file of the operator could take its place", file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found, own) || files < 400 {
		t.Errorf("of the operator's own there are %v among %d files", found, files)
	}
}

// TestAMisplacedFileIsReportedWhileItExists adds and deletes a misplaced file.
func TestAMisplacedFileIsReportedWhileItExists(t *testing.T) {
	config := layOut(t, map[string]string{"marketplace.yaml": "name: Market\nsiteUrl: https://market.example\n"})
	config.LongLived = true
	builder, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(config.Content, "site", "search.html")
	for _, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return os.MkdirAll(filepath.Dir(file), 0o755) }, "[]"},
		{func() error { return os.WriteFile(file, []byte("ours"), 0o644) }, "[site/search.html:1:1: the marketplace itself uses the address /search]"},
		{func() error { return os.Remove(file) }, "[]"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		report, err := builder.Build(t.Context(), nil, "site/search.html")
		if got := fmt.Sprint(report.HeldBack); err != nil || got != step.want {
			t.Errorf("it is told %s, %v, and not %s", got, err, step.want)
		}
	}
}

func TestAnOperatorsFileIsPublishedByteForByte(t *testing.T) {
	const picture = "\x89PNG\r\n\x1a\nnot really one, and none of our business\x00"
	config := layOut(t, map[string]string{
		"marketplace.yaml":  "name: Market\nsiteUrl: https://market.example\n",
		"site/old/logo.png": picture, "site/CNAME": "market.example", "site/.well-known/security.txt": "Contact: mailto:desk@market.example\n",
		"site/plan.pdf~": "what an editor left", "site/.draft.swp": "what another left", "site/.well-known/.hidden": "no",
	})
	builder, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := builder.Build(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	tree := map[string]string{}
	for _, file := range []string{"old/logo.png", "CNAME", ".well-known/security.txt"} {
		body, err := os.ReadFile(filepath.Join(config.Public, file))
		if err != nil {
			t.Error(err)
		}
		tree[file] = string(body)
	}
	if tree["old/logo.png"] != picture || tree["CNAME"] != "market.example" {
		t.Errorf("the files are %q", tree)
	}
	for _, file := range []string{"plan.pdf~", ".draft.swp", ".well-known/.hidden"} {
		if _, err := os.Stat(filepath.Join(config.Public, file)); err == nil {
			t.Errorf("%s is published", file)
		}
	}
}

// TestTheHeadOfEveryPageLinksOnlyToNonEmptyLists fills and empties the lists of a market.
func TestTheHeadOfEveryPageLinksOnlyToNonEmptyLists(t *testing.T) {
	m := newStaying(t, nil)
	leadsTo := func(when, want string) {
		t.Helper()
		if report := m.follow(t); len(report.HeldBack) > 0 {
			t.Fatalf("%s: %v", when, report.HeldBack)
		}
		for _, file := range []string{"companies/acme.html", "articles.html", "search.html"} {
			_, nav, _ := strings.Cut(m.read(file), `<nav aria-label="Main menu">`)
			nav, _, _ = strings.Cut(nav, "</nav>")
			var got []string
			for _, entry := range regexp.MustCompile(`<a [^>]*>([^<]*)</a>`).FindAllStringSubmatch(nav, -1) {
				got = append(got, entry[1])
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s, %s leads to %q, not to %q", when, file, got, want)
			}
		}
	}
	leadsTo("at first", "Products, Companies")
	m.write("articles/first.yaml", "title: First\npublishedAt: 2026-01-01\n")
	leadsTo("with an article", "Products, Companies, Articles")
	m.write("market-maps/one.yaml", "title: One\nsegments: [{name: All, entries: [seller:acme]}]\n")
	m.write("categories/service/help.yaml", "name: Help\n")
	leadsTo("with a map and a category of services", "Products, Services, Companies, Articles, Market maps")
	m.write("articles/first.yaml", "title: First\nstatus: draft\n")
	leadsTo("with a draft", "Products, Services, Companies, Market maps")
	m.remove("market-maps/one.yaml")
	m.remove("categories/service/help.yaml")
	leadsTo("at last", "Products, Companies")
}
