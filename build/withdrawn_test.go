package build_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"souk/build"
	"souk/build/catalog"
	"souk/build/index"
	"souk/build/kit/problem"
)

// A picture in a seller's folder disappears with the seller, even where others show it, and
// returns with it. Text around it stays.
func TestAPictureOfARemovedSellerDisappearsWhereOthersShowIt(t *testing.T) {
	m := newStaying(t, nil)
	const arm, nut = "sellers/acme/products/media/arm.svg", "sellers/bolt/products/media/nut.svg"
	m.write(nut, square(9))
	m.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\ndescription: Sells ![arms]("+arm+")\n")
	m.write("articles/news.md", "---\ntitle: News\nmedia: [{file: ../"+arm+", alt: it}, {file: ../"+nut+", alt: ours}]\n---\nHere is ![the arm](../"+arm+") and ![a nut](../"+nut+").\n")
	m.write("sellers/bolt/products/nut.yaml", "name: Nut\ncategories: [tools]\nmedia: [{file: ../../../"+arm+", alt: it}, {file: ../../../"+nut+", alt: ours}]\n")
	m.follow(t)
	published := func() (names []string) {
		all, err := filepath.Glob(filepath.Join(m.dir, "public", "media", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range all {
			names = append(names, filepath.Base(one))
		}
		return names
	}
	showing := []string{
		"api/v1/marketplace.json", "index.html", "api/v1/marketplace/articles/news.json", "articles/news.html", "articles/news.md",
		"api/v1/marketplace/companies/bolt/products/nut.json", "api/v1/marketplace/companies/bolt.json", "companies/bolt/products/nut.html",
		"api/v1/marketplace/categories/product/tools.json",
	}
	before := map[string]string{}
	for _, file := range showing {
		before[file] = m.read(file)
	}
	both := published()
	m.removed["acme"] = true
	m.follow(t)
	left := published()
	if len(both) != 2 || len(left) != 1 {
		t.Fatalf("published were %q, and after the removal %q", both, left)
	}
	gone := both[0]
	if gone == left[0] {
		gone = both[1]
	}
	for _, file := range showing {
		now := m.read(file)
		if !strings.Contains(before[file], gone) || strings.Contains(now, gone) {
			t.Errorf("%s showed the picture: %t, and after the removal: %t", file, strings.Contains(before[file], gone), strings.Contains(now, gone))
		}
	}
	if source := m.read("api/v1/marketplace/articles/news.json"); !strings.Contains(source, `Here is the arm and ![a nut](`) {
		t.Errorf("of the article is left %s", source)
	}
	// It does not return if the seller's own file is deleted either.
	m.remove("sellers/acme/seller.yaml")
	m.remove("sellers/acme/products/arm.yaml")
	m.follow(t)
	if now := published(); len(now) != 1 {
		t.Errorf("without the seller's file the pictures are %q", now)
	}
	m.write("sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: acme}]\n")
	m.write("sellers/acme/products/arm.yaml", armOfAcme)
	m.removed["acme"] = false
	m.follow(t)
	for _, file := range showing {
		if now := m.read(file); now != before[file] {
			t.Errorf("after the restore %s is %s", file, now)
		}
	}
}

func TestLinksToARemovedSellerAreDroppedHoweverTheyAreWritten(t *testing.T) {
	m := newStaying(t, nil)
	var text strings.Builder
	gone := []string{
		"https://market.example/companies/acme", "https://MARKET.example/companies/acme.md", "https://market.example/companies/acme/products/arm?from=news#price",
		"https://market.example/api/v1/marketplace/companies/acme.json", "https://market.example/embed/companies/acme", "http://market.example/companies/%61cme/claim",
		"https://market.example:443/companies/acme", "https://market.example/%63ompanies/./acme", "https://market.example/search?seller=acme",
	}
	stays := []string{
		"https://other.example/companies/acme", "https://market.example/companies/bolt", "https://market.example/companies/acme-labs", "https://market.example/companies",
	}
	for _, address := range append(gone, stays...) {
		text.WriteString("[Words](" + address + ")\n\n")
	}
	text.WriteString("[more][1] ![a look](https://market.example/companies/acme.svg)\n\n[1]: <https://market.example/companies/acme>\n")
	m.write("articles/news.md", "---\ntitle: News\nauthors: [Ann]\n---\n"+text.String())
	m.write("sellers/bolt/seller.md", "---\nofficialDomain: bolt.example\nversions:\n  - version: 1\n    name: Bolt\n---\nBeats [it](https://market.example/companies/acme/products/arm).\n")
	m.remove("sellers/bolt/seller.yaml")
	own := "https://market.example/companies/acme/products/arm"
	m.write("sellers/cog/seller.yaml", "officialDomain: cog.example\nversions:\n  - version: 1\n    name: Cog\n    website: "+own+"\n    links: [{label: Ours, url: "+own+"}]\n"+
		"details: [{label: Where, value: "+own+"}, {label: Why, value: So}]\nproof: [{kind: review, public: true, title: It works, url: "+own+"}]\n")
	m.write("sellers/cog/products/tooth.yaml", "name: Tooth\ncategories: [tools]\nproof: [{kind: review, public: true, title: It bites, url: "+own+"}]\n")
	files := []string{"api/v1/marketplace/articles/news.json", "articles/news.html", "articles/news.md"}
	m.follow(t)
	before := map[string]string{}
	for _, file := range files {
		before[file] = m.read(file)
		if !strings.Contains(before[file], "companies/acme.md") || !strings.Contains(before[file], "companies/acme-labs") {
			t.Errorf("before the removal %s is %s", file, before[file])
		}
	}
	m.removed["acme"] = true
	m.follow(t)
	for _, file := range files {
		now := m.read(file)
		for _, address := range stays {
			if short := strings.TrimPrefix(address, "https://market.example"); !strings.Contains(now, short) {
				t.Errorf("%s no longer leads to %s: %s", file, address, now)
			}
		}
		if rest := strings.NewReplacer("https://other.example/companies/acme", "", "companies/acme-labs", "").Replace(now); strings.Contains(rest, "companies/acme") || strings.Contains(rest, "cme/claim") || strings.Count(rest, "Words") != strings.Count(before[file], "Words") {
			t.Errorf("%s still leads to who left, or lost its words: %s", file, now)
		}
	}
	if profile := m.read("api/v1/marketplace/companies/bolt.json"); strings.Contains(profile, "acme") || !strings.Contains(profile, "Beats it.") {
		t.Errorf("another's profile still leads to who left: %s", profile)
	}
	for _, file := range []string{"api/v1/marketplace/companies/cog.json", "companies/cog.html", "api/v1/marketplace/companies/cog/products/tooth.json", "companies/cog/products/tooth.html", "companies/cog/products/tooth.md"} {
		if now := m.read(file); strings.Contains(now, "acme") || !strings.Contains(now, "It works") && !strings.Contains(now, "It bites") {
			t.Errorf("%s leads to who left by one of its fields, or lost its proof: %s", file, now)
		}
	}
	m.removed["acme"] = false
	m.follow(t)
	for _, file := range files {
		if now := m.read(file); now != before[file] {
			t.Errorf("after the restore %s is %s", file, now)
		}
	}
}

// A removal does not rewrite the search parts of others who link to the seller, so these
// must contain only the text of a link.
func TestSearchPartsContainNoTitlesOrLabelsOfLinks(t *testing.T) {
	m := newStaying(t, nil)
	text := "Fits [one](product:acme/arm \"the quorpal (so it is called)\"), [two][quorpal], [three](seller:acme\n\"a quorpal\") and ![a plan][plan].\n\n" +
		"[quorpal]: product:acme/arm 'quorpal'\n[unused]: <https://market.example/companies/acme>\n  (quorpal)\n[plan]: media/plan.svg\n"
	m.write("articles/media/plan.svg", square(3))
	m.write("articles/news.md", "---\ntitle: News\n---\n"+text)
	m.write("sellers/bolt/products/media/plan.svg", square(3))
	m.write("sellers/bolt/products/nut-1.md", "---\nname: Nut\ncategories: [tools]\n---\n"+text)
	m.remove("sellers/bolt/products/nut-1.yaml")
	m.follow(t)
	folder := filepath.Join(m.dir, "parts")
	set, err := index.Write(t.Context(), m.builder.Corpus(), index.Options{Folder: folder, Removals: func(context.Context) (*catalog.Removals, error) { return m.set(), nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	held := 0
	for name, data := range readTree(t, folder) {
		held += strings.Count(string(data), "Fits one, two, three and a plan.")
		if at := strings.Index(string(data), "quorpal"); at >= 0 {
			t.Errorf("%s holds %q", name, data[max(0, at-80):min(len(data), at+80)])
		}
	}
	if held != 2 {
		t.Errorf("the words are held %d times, not 2", held)
	}
}

func TestASellerIsRestoredWhileContentWithMistakesIsHeldBack(t *testing.T) {
	const nut = "sellers/bolt/products/nut-1.yaml"
	m := newStaying(t, nil)
	m.removed["acme"] = true
	if _, err := m.builder.Build(t.Context(), m.set()); err != nil {
		t.Fatal(err)
	}
	m.write(nut, "name: Nut\ncategories: [tools]\naliases: [product:acme/arm]\n")
	m.write("categories/product/tools.yaml", "name: Tools\nparent: tools\n")
	m.removed["acme"] = false
	report, err := m.builder.Build(t.Context(), m.set(), build.Whole)
	all := fmt.Sprint(report.HeldBack)
	if err != nil || len(report.HeldBack) != 2 || !strings.Contains(all, "product:acme/arm") || !strings.Contains(all, "ancestor") {
		t.Errorf("the mistakes are %s, %v", all, err)
	}
	if !m.stands("api/v1/marketplace/companies/acme.json") {
		t.Error("the restored seller is not back")
	}
}

// Withheld content causes no mistakes, so a restored seller may introduce some. It returns
// once they are fixed, both in a running process and with a process per build.
func TestARestoredSellerReturnsOnceItsMistakesAreFixed(t *testing.T) {
	const acme, nut = "api/v1/marketplace/companies/acme", "sellers/bolt/products/nut-1.yaml"
	for _, process := range []string{"staying", "restarted", "command"} {
		m := newStaying(t, nil)
		next := func(paths ...string) (problem.List, error) {
			if process == "restarted" {
				config := m.config("public", "var")
				config.LongLived = true
				var err error
				if m.builder, err = build.New(config); err != nil {
					t.Fatal(err)
				}
			}
			if process == "command" {
				config := m.config("public", "var")
				config.LongLived = false
				b, err := build.New(config)
				if err != nil {
					t.Fatal(err)
				}
				_, err = b.Build(t.Context(), m.set())
				if mistakes := new(problem.Error); errors.As(err, &mistakes) {
					return mistakes.Mistakes, nil
				}
				return nil, err
			}
			report, err := m.builder.Build(t.Context(), m.set(), paths...)
			if err == nil && len(report.HeldBack) > 0 && !report.Next.IsZero() && !report.Next.After(m.now) {
				report, err = m.builder.Build(t.Context(), m.set()) // as a server then does
			}
			return report.HeldBack, err
		}
		want := func(when, mistake string, back bool, paths ...string) {
			t.Helper()
			mistakes, err := next(paths...)
			if err != nil || len(mistakes) > 0 != (mistake != "") || mistake != "" && !strings.Contains(mistakes[0].Text, mistake) {
				t.Errorf("%s, %s: the mistakes are %v, %v", when, process, mistakes, err)
			}
			if m.stands(acme+".json") != back || m.stands(acme+".gone.json") == back {
				t.Errorf("%s, %s: the seller is back: %t", when, process, !back)
			}
		}
		m.removed["acme"] = true
		want("after the removal", "", false)
		m.write(nut, "name: Nut\ncategories: [tools]\naliases: [product:acme/arm]\n")
		want("with a mistake that nobody sees", "", false, nut)
		m.removed["acme"] = false
		want("after the restore", "product:acme/arm", false)
		want("as long as it is not mended", "product:acme/arm", false, "marketplace.yaml")
		m.write(nut, "name: Nut\ncategories: [tools]\n")
		want("once it is mended", "", true, nut)
	}
}
