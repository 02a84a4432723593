package build_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/build/release/stub"
)

// newStaying returns a market with two sellers and a long-lived Builder. One picture of
// acme is shown by nobody else. There are enough other items for an edit to be a small part
// of the market.
func newStaying(t *testing.T, change func(*market, *build.Config)) *market {
	m := &market{dir: t.TempDir(), now: time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC), removed: map[string]bool{}, touched: map[string]bool{}}
	m.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\n")
	m.write("categories/product/tools.yaml", "name: Tools\n")
	for _, slug := range []string{"acme", "bolt"} {
		m.write("sellers/"+slug+"/seller.yaml", fmt.Sprintf("officialDomain: %s.example\nversions: [{version: 1, name: %s}]\n", slug, slug))
	}
	m.write("sellers/acme/products/media/arm.svg", square(7))
	m.write("sellers/acme/products/arm.yaml", armOfAcme)
	for i := range 40 {
		m.write(fmt.Sprintf("sellers/bolt/products/nut-%d.yaml", i), fmt.Sprintf("name: Nut %d\ncategories: [tools]\n", i))
	}
	config := m.config("public", "var")
	config.LongLived = true
	if change != nil {
		change(m, &config)
	}
	var err error
	if m.builder, err = build.New(config); err != nil {
		t.Fatal(err)
	}
	if _, err := m.builder.Build(t.Context(), m.set()); err != nil {
		t.Fatal(err)
	}
	return m
}

const armOfAcme = "name: Arm\ncategories: [tools]\nmedia: [{file: media/arm.svg, alt: An arm}]\n"

// command builds with a new process that exits afterwards.
func (m *market) command(t *testing.T, public, state string) build.Report {
	t.Helper()
	config := m.config(public, state)
	config.LongLived = false
	command, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	report, err := command.Build(t.Context(), m.set())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// stands reports whether a file exists in the public folder.
func (m *market) stands(file string) bool {
	_, err := os.Stat(filepath.Join(m.dir, "public", filepath.FromSlash(file)))
	return err == nil
}

// read returns a file of the public folder, or nothing if there is none.
func (m *market) read(file string) string {
	data, _ := os.ReadFile(filepath.Join(m.dir, "public", filepath.FromSlash(file)))
	return string(data)
}

func TestAPictureOfARemovedSellerIsDeletedWhileAMistakeIsHeldBack(t *testing.T) {
	m := newStaying(t, nil)
	pictures := func() []string {
		all, err := filepath.Glob(filepath.Join(m.dir, "public", "media", "*.svg"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if len(pictures()) != 1 {
		t.Fatalf("at first there are the pictures %v", pictures())
	}
	// The editor deletes the product and breaks an article at the same time.
	m.remove("sellers/acme/products/arm.yaml")
	m.write("articles/broken.yaml", "title: Broken\nrelated: [seller:nobody]\n")
	report, err := m.builder.Build(t.Context(), m.set(), "sellers/acme/products/arm.yaml", "articles/broken.yaml")
	if err != nil || len(report.HeldBack) == 0 || len(pictures()) != 1 {
		t.Fatalf("%v, held back %v, pictures %v", err, report.HeldBack, pictures())
	}
	m.removed["acme"] = true
	if _, err := m.builder.Build(t.Context(), m.set(), "marketplace.yaml"); err != nil {
		t.Fatal(err)
	}
	if len(pictures()) != 0 || !m.stands("api/v1/marketplace/companies/acme/products/arm.gone.json") {
		t.Errorf("after the removal there are the pictures %v", pictures())
	}
}

// Another process builds a release with a different file, and its content is lost. For a
// pending removal, the previous content is built again, without its file.
func TestAChangedOperatorsFileDelaysNoRemoval(t *testing.T) {
	const file = "site/terms.txt"
	m := newStaying(t, func(m *market, _ *build.Config) { m.write(file, "one\n") })
	m.write(file, "two\n")
	m.command(t, "public", "var-of-the-other")
	m.write("articles/broken.yaml", "title: Broken\nrelated: [seller:nobody]\n")
	m.removed["acme"] = true
	report, err := m.builder.Build(t.Context(), m.set())
	if err != nil || !slices.ContainsFunc(report.HeldBack, func(p problem.Problem) bool { return p.File == file }) || !m.stands("companies/acme.gone.html") {
		t.Fatalf("held back %v, %v, or the removal is not made", report.HeldBack, err)
	}
	if got := m.read("terms.txt"); got != "two\n" {
		t.Errorf("until the content is good there is %q", got)
	}
	m.write(file, "one\n")
	m.remove("articles/broken.yaml")
	if report, err = m.builder.Build(t.Context(), m.set(), file, "articles/broken.yaml"); err != nil || len(report.HeldBack) > 0 || m.read("terms.txt") != "one\n" {
		t.Errorf("once the content is good there is %q, held back %v, %v", m.read("terms.txt"), report.HeldBack, err)
	}
}

func TestARestartKeepsTheLastGoodContentEvenIfNoDocumentShowsIt(t *testing.T) {
	var config build.Config
	m := newStaying(t, func(_ *market, c *build.Config) { config = *c })
	const arm = "sellers/acme/products/arm.yaml"
	m.write(arm, armOfAcme+"keywords: [limb]\n")
	report, err := m.builder.Build(t.Context(), m.set(), arm)
	if err != nil || report.ID != report.Before {
		t.Fatalf("a keyword, which only search reads, makes the release %s of %s, %v", report.ID, report.Before, err)
	}
	m.write("articles/broken.yaml", "title: Broken\nrelated: [seller:nobody]\n")
	if m.builder, err = build.New(config); err != nil {
		t.Fatal(err)
	}
	if report, err = m.builder.Build(t.Context(), m.set()); err != nil || len(report.HeldBack) == 0 {
		t.Fatalf("held back %v, %v", report.HeldBack, err)
	}
	if keywords := m.builder.Catalog().Node(catalog.Ref{Kind: catalog.KindProduct, Company: "acme", Slug: "arm"}).Head().Keywords; !slices.Equal(keywords, []string{"limb"}) {
		t.Errorf("search would find %q", keywords)
	}
}

func TestTheReleaseOfAKilledProcessStaysIfTheNextFindsMistakes(t *testing.T) {
	for name, remembered := range map[string]bool{"with its memory": true, "without it": false} {
		t.Run(name, func(t *testing.T) {
			var config build.Config
			m := newStaying(t, func(_ *market, c *build.Config) { config = *c })
			const arm = "sellers/acme/products/arm.yaml"
			m.write(arm, armOfAcme+"summary: As it was edited\n")
			if _, err := m.builder.Build(t.Context(), m.set(), arm); err != nil {
				t.Fatal(err)
			}
			if !remembered {
				if err := os.RemoveAll(config.State); err != nil {
					t.Fatal(err)
				}
			}
			m.write("articles/broken.yaml", "title: Broken\nrelated: [seller:nobody]\n")
			var err error
			if m.builder, err = build.New(config); err != nil {
				t.Fatal(err)
			}
			m.removed["bolt"] = true
			report, err := m.builder.Build(t.Context(), m.set())
			if !remembered {
				if !isMistakes(err) {
					t.Errorf("it goes on with other content: %v", err)
				}
				return
			}
			if err != nil || len(report.HeldBack) == 0 || !m.stands("api/v1/marketplace/companies/bolt.gone.json") {
				t.Fatalf("held back %v, %v, or the removal is not made", report.HeldBack, err)
			}
			if got := m.read("api/v1/marketplace/companies/acme/products/arm.json"); !strings.Contains(got, "As it was edited") {
				t.Errorf("the product is %s", got)
			}
		})
	}
}

func TestAnotherProcessesReleaseStaysIfAMistakeFollows(t *testing.T) {
	const arm = "sellers/acme/products/arm.yaml"
	m := newStaying(t, nil)
	m.write(arm, "name: Second arm\nkeywords: [limb]\ncategories: [tools]\n")
	m.remove("sellers/acme/products/media/arm.svg")
	released := m.command(t, "public", "var")
	m.write("articles/broken.yaml", "title: Broken\nrelated: [seller:nobody]\n")
	report, err := m.builder.Build(t.Context(), m.set())
	if err != nil || len(report.HeldBack) == 0 || report.ID != released.ID {
		t.Fatalf("%s after %s, held back %v, %v", report.ID, released.ID, report.HeldBack, err)
	}
	if got := m.builder.Catalog().Node(catalog.Ref{Kind: catalog.KindProduct, Company: "acme", Slug: "arm"}).Head().Keywords; !slices.Equal(got, []string{"limb"}) {
		t.Errorf("search would find %q", got)
	}
	// It continues as if that release had been its own.
	m.removed["bolt"] = true
	if report, err = m.builder.Build(t.Context(), m.set()); err != nil || len(report.HeldBack) == 0 || !m.stands("api/v1/marketplace/companies/bolt.gone.json") ||
		!strings.Contains(m.read("api/v1/marketplace/companies/acme/products/arm.json"), "Second arm") {
		t.Fatalf("held back %v, %v, or the removal is not made of that content", report.HeldBack, err)
	}
	m.remove("articles/broken.yaml")
	m.write(arm, "name: Third arm\ncategories: [tools]\n")
	if report, err = m.builder.Build(t.Context(), m.set(), "articles/broken.yaml", arm); err != nil || len(report.HeldBack) > 0 {
		t.Fatal(report.HeldBack, err)
	}
	if want := m.command(t, "fresh", "fresh-var").ID; report.ID != want {
		t.Errorf("the release %s of the mended content is not %s", report.ID, want)
	}
}

// A template fails on a page of the content that follows another process's release.
func TestAnotherProcessesReleaseStaysIfATemplateFails(t *testing.T) {
	const nut = "sellers/bolt/products/nut-1.yaml"
	for name, state := range map[string]string{"its content is in the cache": "var", "its content is nowhere": "var-of-the-other"} {
		t.Run(name, func(t *testing.T) {
			m := newStaying(t, func(m *market, _ *build.Config) { m.write("theme/seller.html.tmpl", atARange) })
			m.write(nut, "name: Other\ncategories: [tools]\n")
			released := m.command(t, "public", state)
			m.remove("sellers/acme/products/arm.yaml")
			report, err := m.builder.Build(t.Context(), m.set())
			if state == "var" && (err != nil || len(report.HeldBack) == 0) || state != "var" && !isMistakes(err) || m.builder.Tree().ID() != released.ID {
				t.Fatalf("%s after %s, held back %v, %v", m.builder.Tree().ID(), released.ID, report.HeldBack, err)
			}
			m.removed["bolt"] = true
			if report, err = m.builder.Build(t.Context(), m.set()); err != nil || len(report.HeldBack) == 0 || !m.stands("companies/bolt.gone.html") || !m.stands("companies/acme/products/arm.html") {
				t.Fatalf("held back %v, %v, or the removal is not made", report.HeldBack, err)
			}
			m.write("theme/seller.html.tmpl", `{{define "main"}}<h1>{{.Doc.Name}}</h1>{{end}}`)
			if report, err = m.builder.Build(t.Context(), m.set(), build.Whole); err != nil || len(report.HeldBack) > 0 {
				t.Fatal(report.HeldBack, err)
			}
			if want := m.command(t, "fresh", "fresh-var").ID; report.ID != want {
				t.Errorf("the release %s of the mended content is not %s", report.ID, want)
			}
		})
	}
}

func TestAReleaseOfLostContentStaysUntilARemovalIsPending(t *testing.T) {
	const arm = "sellers/acme/products/arm.yaml"
	m := newStaying(t, nil)
	m.write(arm, "name: Second arm\ncategories: [tools]\n")
	released := m.command(t, "public", "var-of-the-other")
	m.write("articles/broken.yaml", "title: Broken\nrelated: [seller:nobody]\n")
	if _, err := m.builder.Build(t.Context(), m.set()); !isMistakes(err) {
		t.Errorf("it makes the content before the mistake: %v", err)
	}
	if id := m.builder.Tree().ID(); id != released.ID || m.builder.Overtaken() {
		t.Errorf("the release is %s, that of the other process was %s, and overtaken is %t", id, released.ID, m.builder.Overtaken())
	}
	m.removed["bolt"] = true
	if report, err := m.builder.Build(t.Context(), m.set()); err != nil || len(report.HeldBack) == 0 || !m.stands("api/v1/marketplace/companies/bolt.gone.json") {
		t.Errorf("held back %v, %v, or the removal is not made", report.HeldBack, err)
	}
}

func TestContentReadByAnotherProcessIsUsedEvenIfNoDocumentShowsIt(t *testing.T) {
	m := newStaying(t, nil)
	before := m.builder.Tree().ID()
	m.write("sellers/acme/products/arm.yaml", armOfAcme+"keywords: [limb]\n")
	if m.builder.Overtaken() {
		t.Error("it is overtaken by nobody")
	}
	if report := m.command(t, "public", "var"); report.ID != before {
		t.Fatalf("the release is %s", report.ID)
	}
	if !m.builder.Overtaken() {
		t.Fatal("nothing tells that there is more to find")
	}
	if _, err := m.builder.Build(t.Context(), m.set()); err != nil {
		t.Fatal(err)
	}
	if got := m.builder.Catalog().Node(catalog.Ref{Kind: catalog.KindProduct, Company: "acme", Slug: "arm"}).Head().Keywords; !slices.Equal(got, []string{"limb"}) {
		t.Errorf("search would find %q", got)
	}
	if m.builder.Overtaken() {
		t.Error("it is overtaken for ever")
	}
}

// Another process builds a release of a change just before the server is notified of it, so
// the server has nothing to build; its catalog must follow all the same.
func TestAServerFollowsAnotherProcessesReleaseOfTheSameContent(t *testing.T) {
	arm := catalog.Ref{Kind: catalog.KindProduct, Company: "acme", Slug: "arm"}
	var end func()
	var rendered atomic.Int64
	shown := func(m *market) bool { return m.builder.Catalog().Node(arm).Current() }
	for name, c := range map[string]struct {
		before func(*market)
		paths  []string
		then   func(*market)
		shown  bool
	}{
		"a removal": {func(*market) {}, nil, func(m *market) { m.removed["acme"] = true }, false},
		"a restore": {func(m *market) { m.removed["acme"] = true }, nil, func(m *market) { m.removed["acme"] = false }, true},
		"what begins": {func(m *market) {
			m.write("sellers/acme/products/arm.yaml", armOfAcme+"publishedAt: 2026-02-01\n")
		}, []string{build.Whole}, func(m *market) { m.now = time.Date(2026, 2, 1, 0, 0, 1, 0, time.UTC) }, true},
		"an edit": {func(*market) {}, nil, func(m *market) {
			m.write("sellers/acme/products/arm.yaml", armOfAcme+"status: draft\n")
		}, false},
		"what a removal went ahead of": {func(m *market) {
			m.write("sellers/acme/products/arm.yaml", armOfAcme+"status: draft\n")
			ending, stop := context.WithCancel(t.Context())
			end = stop
			if _, err := m.builder.Build(ending, m.set(), "sellers/acme/products/arm.yaml"); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			m.removed["bolt"] = true
		}, nil, func(*market) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			end = func() {}
			m := newStaying(t, func(_ *market, c *build.Config) { c.Progress = func(int, int) { rendered.Add(1); end() } })
			c.before(m)
			if _, err := m.builder.Build(t.Context(), m.set(), c.paths...); err != nil || shown(m) == c.shown {
				t.Fatalf("shown is %t at first, %v", shown(m), err)
			}
			c.then(m)
			released := m.command(t, "public", "var")
			rendered.Store(0)
			report, err := m.builder.Build(t.Context(), m.set())
			if n := rendered.Load(); n > 0 {
				t.Errorf("%d documents are rendered again", n)
			}
			if err != nil || report.ID != released.ID || shown(m) != c.shown {
				t.Fatalf("shown is %t; %s after %s, %v", shown(m), report.ID, released.ID, err)
			}
			if touched := report.Touched; !touched.Whole && len(touched.Sellers)+len(touched.Hidden) == 0 {
				t.Error("it tells of nothing that changed")
			}
			if m.builder.Outdated() || m.builder.Overtaken() {
				t.Error("it is outdated for ever")
			}
		})
	}
}

// The server finds only mistakes until another process builds a release, and only mistakes
// after it.
func TestAReleaseBetweenTwoMistakesIsNotLost(t *testing.T) {
	const broken, nut = "articles/broken.yaml", "sellers/bolt/products/nut-1.yaml"
	m := newStaying(t, nil)
	m.write(broken, "title: Broken\nrelated: [seller:nobody]\n")
	config := m.config("public", "lost")
	config.LongLived = true
	var err error
	if m.builder, err = build.New(config); err != nil {
		t.Fatal(err)
	}
	if _, err := m.builder.Build(t.Context(), m.set()); !isMistakes(err) {
		t.Fatalf("it goes on with content that is nowhere: %v", err)
	}
	m.remove(broken)
	released := m.command(t, "public", "lost")
	m.write(nut, "name: Other nut\ncategories: [tools]\n")
	m.write(broken, "title: Broken\nrelated: [seller:nobody]\n")
	report, err := m.builder.Build(t.Context(), m.set(), nut, broken)
	if err != nil || len(report.HeldBack) != 1 || report.ID != released.ID {
		t.Fatalf("%s after %s, held back %v, %v", report.ID, released.ID, report.HeldBack, err)
	}
	m.remove(broken)
	if report, err = m.builder.Build(t.Context(), m.set(), broken); err != nil || len(report.HeldBack) > 0 {
		t.Fatal(report.HeldBack, err)
	}
	if want := m.command(t, "fresh", "fresh-var").ID; report.ID != want {
		t.Errorf("the release %s of the mended content is not %s", report.ID, want)
	}
}

func TestItemsThatBecomeCurrentAreShownWhileAMistakeIsHeldBack(t *testing.T) {
	m := newStaying(t, nil)
	m.write("articles/soon.yaml", "title: Soon\npublishedAt: 2026-01-20\n")
	if _, err := m.builder.Build(t.Context(), m.set(), "articles/soon.yaml"); err != nil {
		t.Fatal(err)
	}
	m.now = time.Date(2026, 1, 21, 0, 0, 0, 0, time.UTC)
	m.remove("articles/soon.yaml")
	m.write("articles/broken.yaml", "title: Broken\nrelated: [seller:nobody]\n")
	if _, err := m.builder.Build(t.Context(), m.set(), "articles/soon.yaml", "articles/broken.yaml"); err != nil {
		t.Fatal(err)
	}
	if !m.stands("api/v1/marketplace/articles/soon.json") {
		t.Error("the article of the content before the mistake is not there")
	}
}

func TestNoPictureDelaysARemovalWhileAMistakeIsHeldBack(t *testing.T) {
	const arm, drawing = "sellers/acme/products/arm.yaml", "sellers/acme/products/media/arm.svg"
	for _, test := range []struct {
		name   string
		change func(m *market)
		// next, if set, configures another process, which finds the fixed content.
		next func(c *build.Config)
	}{
		{"it changed", func(m *market) { m.write(drawing, square(8)) }, nil},
		{"it went", func(m *market) { m.remove(drawing) }, nil},
		{"a server begins anew", func(m *market) { m.remove(drawing) }, func(*build.Config) {}},
		{"a command follows", func(m *market) { m.remove(drawing) }, func(c *build.Config) { c.LongLived = false }},
	} {
		t.Run(test.name, func(t *testing.T) {
			var config build.Config
			m := newStaying(t, func(m *market, c *build.Config) {
				m.write(arm, armOfAcme+"publishedAt: 2026-01-20\n")
				config = *c
			})
			test.change(m)
			m.write("articles/broken.yaml", "title: Broken\nrelated: [seller:nobody]\n")
			if report, err := m.builder.Build(t.Context(), m.set(), drawing, "articles/broken.yaml"); err != nil || len(report.HeldBack) == 0 {
				t.Fatal(report.HeldBack, err)
			}
			m.now = time.Date(2026, 1, 21, 0, 0, 0, 0, time.UTC)
			m.removed["bolt"] = true
			report, err := m.builder.Build(t.Context(), m.set())
			if err != nil || !m.stands("api/v1/marketplace/companies/bolt.gone.json") || !m.stands("api/v1/marketplace/companies/acme/products/arm.json") {
				t.Fatalf("the removal is held up: %v", err)
			}
			if told := fmt.Sprint(report.HeldBack); !strings.Contains(told, drawing) {
				t.Errorf("nobody is told of the picture: %s", told)
			}
			m.write(drawing, square(7))
			m.remove("articles/broken.yaml")
			if test.next != nil {
				test.next(&config)
				if m.builder, err = build.New(config); err != nil {
					t.Fatal(err)
				}
			}
			if report, err = m.builder.Build(t.Context(), m.set(), drawing, "articles/broken.yaml"); err != nil || len(report.HeldBack) > 0 {
				t.Fatal(report.HeldBack, err)
			}
			if pictures, _ := filepath.Glob(filepath.Join(m.dir, "public", "media", "*.svg")); len(pictures) != 1 {
				t.Errorf("once the content has no mistakes any more there are the pictures %v", pictures)
			}
		})
	}
}

func TestChangesMadeWhileReleasesFailAreNotLost(t *testing.T) {
	broken, cancel := false, func() {}
	m := newStaying(t, func(_ *market, c *build.Config) {
		c.Progress = func(int, int) {
			if broken {
				cancel()
			}
		}
	})
	arm := "sellers/acme/products/arm.yaml"
	failing := func() {
		t.Helper()
		broken = true
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		cancel = stop
		if _, err := m.builder.Build(ctx, m.set(), arm); !errors.Is(err, context.Canceled) {
			t.Fatalf("a build that was stopped ended with %v", err)
		}
	}
	m.write(arm, strings.Replace(armOfAcme, "Arm", "Second arm", 1))
	failing()
	m.remove(arm)
	failing()
	broken = false
	m.write(arm, strings.Replace(armOfAcme, "Arm", "Third arm", 1))
	if _, err := m.builder.Build(t.Context(), m.set(), arm); err != nil {
		t.Fatal(err)
	}
	if !m.stands("api/v1/marketplace/companies/acme/products/arm.json") {
		t.Error("the product is not there")
	}
}

func TestFormerAddressesStayGoneUnlessAnotherSellerUsesThem(t *testing.T) {
	const profile, nut, rivet = "/marketplace/companies/bolt", "/marketplace/companies/bolt/products/nut-1", "/marketplace/companies/bolt/products/rivet"
	m := newStaying(t, nil)
	// The removed company had the slug bolt, which then belonged to another seller. The
	// addresses of that seller are not recorded as the removed company's.
	m.history = []string{rivet}
	m.removed["bolt-of-before"] = true
	want := func(when, address string, document, stub bool) {
		t.Helper()
		file := "api/v1" + address
		if got := m.stands(file + ".json"); got != document {
			t.Errorf("%s %s stands: %t", when, address, got)
		}
		if got := m.stands(file + ".gone.json"); got != stub {
			t.Errorf("%s %s is gone: %t", when, address, got)
		}
	}
	build := func(paths ...string) {
		t.Helper()
		if _, err := m.builder.Build(t.Context(), m.set(), paths...); err != nil {
			t.Fatal(err)
		}
	}
	build("marketplace.yaml")
	want("at first", profile, true, false)
	want("at first", nut, true, false)
	want("at first", rivet, false, true)

	m.remove("sellers/bolt/products/nut-1.yaml")
	m.write("sellers/bolt/products/rivet.yaml", "name: Rivet\ncategories: [tools]\n")
	build("sellers/bolt/products/nut-1.yaml", "sellers/bolt/products/rivet.yaml")
	want("later", nut, false, false)
	want("later", rivet, true, false)

	m.remove("sellers/bolt/products/rivet.yaml")
	build("sellers/bolt/products/rivet.yaml")
	want("at last", rivet, false, true)

	m.removed["bolt-of-before"] = false
	build("marketplace.yaml")
	want("after the restore", rivet, false, false)
}

func TestAddressesOfARemovedSellerStayGoneWhateverHappensToItsContent(t *testing.T) {
	m := newStaying(t, nil)
	m.write("sellers/acme/seller.yaml", "officialDomain: acme.example\nexpiresAt: 2026-02-01\nversions: [{version: 1, name: acme}]\n")
	m.removed["acme"] = true
	stubs := []string{"api/v1/marketplace/companies/acme.gone.json", "api/v1/marketplace/companies/acme/products/arm.gone.json"}
	for _, step := range []struct {
		name   string
		change func()
		path   string
	}{
		{"removed", func() {}, "sellers/acme/seller.yaml"},
		{"expired", func() { m.now = time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC) }, "marketplace.yaml"},
		{"unpublished", func() {
			m.write("sellers/acme/seller.yaml", "status: unpublished\nofficialDomain: acme.example\nversions: [{version: 1, name: acme}]\n")
		}, "sellers/acme/seller.yaml"},
		{"without the product", func() { m.remove("sellers/acme/products/arm.yaml") }, "sellers/acme/products/arm.yaml"},
		{"without its content", func() { m.remove("sellers/acme") }, "sellers/acme"},
	} {
		step.change()
		if _, err := m.builder.Build(t.Context(), m.set(), step.path); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		for _, stub := range stubs {
			if !m.stands(stub) {
				t.Errorf("%s: %s is not there", step.name, stub)
			}
		}
	}
	// Once restored and published again, the seller has its address back, and the stub of
	// its deleted product is gone, too.
	m.removed["acme"] = false
	m.write("sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: acme}]\n")
	if _, err := m.builder.Build(t.Context(), m.set(), "sellers/acme/seller.yaml"); err != nil {
		t.Fatal(err)
	}
	if m.stands(stubs[0]) || m.stands(stubs[1]) || !m.stands("api/v1/marketplace/companies/acme.json") {
		t.Error("after the restore the stubs are still there")
	}
}

func TestARemovalDoesNotWaitForContentOfAnAbortedBuild(t *testing.T) {
	ending, end := false, func() {}
	m := newStaying(t, func(_ *market, c *build.Config) {
		c.Progress = func(int, int) {
			if ending {
				end()
			}
		}
	})
	// A full build starts and is aborted.
	m.write("marketplace.yaml", "name: Another market\nsiteUrl: https://another.example\n")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ending, end = true, stop
	if _, err := m.builder.Build(ctx, m.set(), "marketplace.yaml"); !errors.Is(err, context.Canceled) {
		t.Fatalf("the build ended with %v", err)
	}
	ending = false
	m.removed["acme"] = true
	report, err := m.builder.Build(t.Context(), m.set())
	if err != nil {
		t.Fatal(err)
	}
	if !m.stands("api/v1/marketplace/companies/acme.gone.json") || m.stands("api/v1/marketplace/companies/acme.json") {
		t.Error("the removal is not released")
	}
	all, _ := m.builder.Tree().Summary()
	if strings.Contains(m.read("api/v1/marketplace/companies/bolt.json"), "another.example") || report.Written >= all {
		t.Errorf("the removal waited for the content: %d of %d documents were written", report.Written, all)
	}
	// The next build reads the content.
	if _, err := m.builder.Build(t.Context(), m.set(), "marketplace.yaml"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(m.read("api/v1/marketplace/companies/bolt.json"), "another.example") {
		t.Error("the content was lost")
	}
	if m.stands("api/v1/marketplace/companies/acme.json") {
		t.Error("the removed seller is back")
	}
}

func TestOnlyTheContentFreesTheSlugOfARemovedSeller(t *testing.T) {
	m := newStaying(t, nil)
	m.removed["acme"] = true
	seller := "sellers/acme/seller.yaml"
	peru := "id: peru\nofficialDomain: acme.pe\nversions: [{version: 1, name: Peru}]\n"
	for _, step := range []struct {
		text         string
		public, gone bool
	}{
		{"officialDomain: acme.example\nversions: [{version: 1, name: acme}]\n", false, true},
		{peru, false, true},
		{"replaces: removed\n" + peru, true, false},
		{peru, false, true},
	} {
		m.write(seller, step.text)
		if report, err := m.builder.Build(t.Context(), m.set(), seller); err != nil || len(report.HeldBack) > 0 {
			t.Fatal(report.HeldBack, err)
		}
		if got := m.stands("api/v1/marketplace/companies/acme.json"); got != step.public {
			t.Errorf("%q: the profile is there: %t", step.text, got)
		}
		if got := m.stands("api/v1/marketplace/companies/acme.gone.json"); got != step.gone {
			t.Errorf("%q: the stub is there: %t", step.text, got)
		}
	}
}

// The list records no addresses: only the last release contains the removed seller's
// document.
func TestNoAliasGetsAnAddressInTheBuildThatRemovesItsSeller(t *testing.T) {
	const arm = "api/v1/marketplace/companies/acme/products/arm"
	for _, at := range []int{1, 2} {
		m := newStaying(t, nil)
		build := func() {
			t.Helper()
			if report, err := m.builder.Build(t.Context(), m.set(), build.Whole); err != nil || len(report.HeldBack) > 0 {
				t.Fatal(report.HeldBack, err)
			}
		}
		m.removed["acme"] = true
		if at == 2 {
			build()
		}
		m.remove("sellers/acme/products/arm.yaml")
		m.write("sellers/acme/seller.yaml", "replaces: removed\nid: peru\nofficialDomain: acme.pe\nversions: [{version: 1, name: Peru}]\n")
		m.write("sellers/bolt/products/nut-1.yaml", "name: Nut\ncategories: [tools]\naliases: [product:acme/arm]\n")
		build()
		if m.stands(arm+".json") || !m.stands(arm+".gone.json") {
			t.Errorf("with the alias in build %d, the address of the removed seller leads to another", at)
		}
	}
}

// TestOnlyAddressesOfTheRemovedSellerAreGone records addresses, as verified removals do.
func TestOnlyAddressesOfTheRemovedSellerAreGone(t *testing.T) {
	m := newStaying(t, nil)
	set := func() *catalog.Removals {
		return catalog.NewRemovals([]catalog.Removal{{ID: "acme", Domain: "acme.example", Slug: "acme", Addresses: []string{"/marketplace/companies/acme", "/marketplace/companies/acme/products/arm"}}})
	}
	acme, bolt := "sellers/acme/seller.yaml", "sellers/bolt/seller.yaml"
	m.write("sellers/acme/products/new.yaml", "name: New\ncategories: [tools]\n")
	want := func(when string, public map[string]bool, stubs ...string) {
		t.Helper()
		report, err := m.builder.Build(t.Context(), set(), "sellers")
		if err != nil || len(report.HeldBack)+len(report.Unexplained) > 0 {
			t.Fatal(when, err, report.HeldBack, report.Unexplained)
		}
		for file, is := range public {
			if m.stands("api/v1/marketplace/companies/"+file+".json") != is {
				t.Errorf("%s, the document %s is there: %t", when, file, !is)
			}
		}
		var got []string
		for _, file := range m.builder.Tree().Stubs() {
			if name, is := strings.CutPrefix(file, "api/v1/marketplace/companies/"); is {
				got = append(got, strings.TrimSuffix(name, ".gone.json"))
			}
		}
		if slices.Sort(got); !slices.Equal(got, stubs) {
			t.Errorf("%s, the stubs are %v, want %v", when, got, stubs)
		}
	}
	was := []string{"acme", "acme/products/arm"}
	want("with a product that came with the removal", map[string]bool{"bolt": true, "acme": false, "acme/products/new": false}, was...)
	m.remove("sellers/acme/products")
	m.remove(acme)
	m.write("sellers/acme-again/seller.yaml", "id: acme\nofficialDomain: again.example\nversions: [{version: 1, name: Again}]\n")
	want("under another companySlug", map[string]bool{"bolt": true, "acme-again": false}, was...)
	m.remove("sellers/acme-again/seller.yaml")
	text := "officialDomain: bolt.example\nversions: [{version: 1, name: Bolt}]\n"
	for _, claim := range []string{"aliases: [seller:acme]\n", "formerDomains: [acme.example]\n"} {
		m.write(bolt, text+claim)
		want("while another claims it", map[string]bool{"bolt": false, "acme": false}, was...)
		m.write(bolt, text)
		want("once it claims it no more", map[string]bool{"bolt": true, "acme": false}, was...)
	}
}

// TestOthersAddressesAtARemovedSellersSlugAreNotGone compares each release with one that a
// machine without history builds from the same content and removals.
func TestOthersAddressesAtARemovedSellersSlugAreNotGone(t *testing.T) {
	const (
		acme  = "officialDomain: acme.example\nversions: [{version: 1, name: acme}]\n"
		peru  = "id: peru\nofficialDomain: acme.pe\nversions: [{version: 1, name: Peru}]\n"
		bolt  = "officialDomain: bolt.example\nversions: [{version: 1, name: Bolt}]\n"
		llama = "api/v1/marketplace/companies/acme/products/llama"
	)
	removal := catalog.Removal{ID: "acme", Domain: "acme.example", Slug: "acme", Addresses: []string{"/marketplace/companies/acme", "/marketplace/companies/acme/products/arm"}}
	for _, test := range []struct {
		name string
		// before is the seller at the removed slug, or bolt, while it is public; after is
		// the same seller, withheld.
		file, before, after string
		// late means that the removal comes with the second build.
		late bool
		at   string
	}{
		{"the removed seller comes back after who replaced it", "acme", "replaces: removed\n" + peru, acme, false, llama},
		{"who replaced it says so no more", "acme", "replaces: removed\n" + peru, peru, false, llama},
		{"who replaced it leaves", "acme", "replaces: removed\n" + peru, "", false, llama},
		{"the removal finds another at the slug", "acme", peru, peru, true, llama},
		{"the removal finds another with a former domain", "bolt", bolt + "formerDomains: [acme.example]\n", bolt + "formerDomains: [acme.example]\n", true, "api/v1/marketplace/companies/bolt"},
	} {
		for _, whole := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/whole %t", test.name, whole), func(t *testing.T) {
				m := newStaying(t, nil)
				m.remove("sellers/acme")
				set := func(known bool) *catalog.Removals {
					if !known {
						return catalog.NewRemovals(nil)
					}
					return catalog.NewRemovals([]catalog.Removal{removal})
				}
				seller := "sellers/" + test.file + "/seller.yaml"
				m.write(seller, test.before)
				m.write("sellers/acme/products/llama.yaml", "name: Llama\ncategories: [tools]\n")
				if test.file != "acme" {
					m.remove("sellers/acme/products")
				}
				if _, err := m.builder.Build(t.Context(), set(!test.late), "."); err != nil || !m.stands(test.at+".json") {
					t.Fatalf("at first: %v, stands: %t", err, m.stands(test.at+".json"))
				}
				m.write(seller, test.after)
				if test.after == "" {
					m.remove("sellers/acme")
				} else if test.after == acme {
					m.remove("sellers/acme/products/llama.yaml")
				}
				if whole {
					var err error
					if m.builder, err = build.New(m.config("public", "another")); err != nil {
						t.Fatal(err)
					}
				}
				report, err := m.builder.Build(t.Context(), set(true), ".")
				if err != nil || m.stands(test.at+".json") || m.stands(test.at+".gone.json") {
					t.Errorf("%v, stands: %t, is gone: %t", err, m.stands(test.at+".json"), m.stands(test.at+".gone.json"))
				}
				fresh, err := build.New(m.config("fresh", "fresh-var"))
				if err != nil {
					t.Fatal(err)
				}
				want, err := fresh.Build(t.Context(), set(true))
				if err != nil || report.ID != want.ID {
					t.Errorf("%v: the release %s is not the one without a past, %s; stubs %v, not %v", err, report.ID, want.ID, m.builder.Tree().Stubs(), fresh.Tree().Stubs())
				}
			})
		}
	}
}

func TestTheClockOfAReleaseIsTheTimeThatDecidedWhatIsCurrent(t *testing.T) {
	begun, calls := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC), 0
	m := newStaying(t, func(m *market, c *build.Config) {
		for i := range 60 {
			m.write(fmt.Sprintf("sellers/acme/products/until-%d.yaml", i), "name: Until\ncategories: [tools]\nexpiresAt: "+begun.Add(time.Duration(i)*time.Second).Format(time.RFC3339)+"\n")
		}
		c.Clock = func() time.Time {
			calls++
			return begun.Add(time.Duration(calls) * time.Second)
		}
	})
	var told struct{ Clock time.Time }
	if err := json.Unmarshal([]byte(m.read("api/v1/release.json")), &told); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		expires := begun.Add(time.Duration(i) * time.Second)
		if current := m.stands(fmt.Sprintf("api/v1/marketplace/companies/acme/products/until-%d.json", i)); current != told.Clock.Before(expires) {
			t.Errorf("at %s what expires at %s is current: %t", told.Clock.Format(time.TimeOnly), expires.Format(time.TimeOnly), current)
		}
	}
}

func TestAnEditDelayedByUnexplainedStubsIsReleasedOnceTheyAreExplained(t *testing.T) {
	m := newStaying(t, func(m *market, c *build.Config) { c.LongLived, m.removed["acme"] = false, true })
	m.write("articles/welcome.md", "---\ntitle: Welcome\n---\n")
	// The other ledger has no removal, so nothing explains the stubs.
	if _, err := m.builder.Build(t.Context(), nil, "articles/welcome.md"); !errors.As(err, new(*stub.UnexplainedError)) {
		t.Fatal(err)
	}
	if _, err := m.builder.Build(t.Context(), m.set(), "articles/welcome.md"); err != nil || !m.stands("api/v1/marketplace/articles/welcome.json") {
		t.Errorf("%v, and the article stands: %t", err, m.stands("api/v1/marketplace/articles/welcome.json"))
	}
}
