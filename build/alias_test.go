package build_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"souk/build"
	"souk/build/catalog"
)

// An aliased market has a seller acme that used to be called old. The market records what
// happened to the addresses of a few References.
type aliased struct {
	*market
	t *testing.T
}

const (
	oldAcme = "officialDomain: acme.example\nversions: [{version: 1, name: acme}]\naliases: [seller:old]\n"
	oldArm  = "name: Arm\ncategories: [tools]\naliases: [product:acme/hand, product:bolt/arm]\n"
)

func newAliased(t *testing.T) aliased {
	m := aliased{newStaying(t, nil), t}
	m.write("sellers/acme/seller.yaml", oldAcme)
	m.write("sellers/acme/products/arm.yaml", oldArm)
	m.write("categories/product/tools.yaml", "name: Tools\naliases: [category:product/gear]\n")
	m.write("articles/news.md", "---\ntitle: News\naliases: [article:olds]\n---\nText\n")
	m.write("market-maps/atlas.yaml", "title: Atlas\nsegments: [{name: One, entries: [seller:acme]}]\naliases: [marketMap:globe]\n")
	m.build()
	return m
}

func (m aliased) build() {
	m.t.Helper()
	report, err := m.builder.Build(m.t.Context(), m.set(), ".")
	if err != nil || len(report.HeldBack) > 0 {
		m.t.Fatal(err, report.HeldBack)
	}
}

// leads checks the address of each path: the answer has the same bytes as another path's
// document, or is "gone", or "" for nothing.
func (m aliased) leads(when string, paths map[string]string) {
	m.t.Helper()
	for path, to := range paths {
		base := "api/v1/marketplace/" + path
		switch {
		case to == "gone" || to == "":
			if m.stands(base+".json") || m.stands(base+".gone.json") != (to == "gone") {
				m.t.Errorf("%s: %s stands: %t, is gone: %t, want %q", when, path, m.stands(base+".json"), m.stands(base+".gone.json"), to)
			}
		case m.read(base+".json") == "" || m.read(base+".json") != m.read("api/v1/marketplace/"+to+".json"):
			m.t.Errorf("%s: %s is not what is at %s: %s", when, path, to, m.read(base+".json"))
		case m.stands(base + ".gone.json"):
			m.t.Errorf("%s: there is a stub beside %s", when, path)
		}
		if parts := strings.Split(path, "/"); parts[0] == "market-maps" || parts[0] == "categories" && len(parts) == 3 {
			if m.read(path+".svg") != m.read(to+".svg") || m.stands("embed/"+path+".html") != (to != "") {
				m.t.Errorf("%s: the picture at %s is not what is at %q, or its page for frames: %s", when, path, to, m.read(path+".svg"))
			}
		}
	}
}

func TestFormerAddressesServeTheDocumentAndFollowTheirAlias(t *testing.T) {
	m := newAliased(t)
	m.leads("at first", map[string]string{
		"companies/old": "companies/acme", "companies/old/products/arm": "companies/acme/products/arm",
		"companies/acme/products/hand": "companies/acme/products/arm", "companies/old/products/hand": "companies/acme/products/arm",
		"companies/bolt/products/arm": "companies/acme/products/arm", "companies/old/products/pages": "",
		"categories/product/gear": "categories/product/tools", "categories/gear": "categories/tools",
		"articles/olds": "articles/news", "market-maps/globe": "market-maps/atlas",
	})
	if doc := m.read("api/v1/marketplace/companies/old/products/arm.json"); !strings.Contains(doc, `"apiUrl":"https://market.example/api/v1/marketplace/companies/acme/products/arm"`) {
		t.Errorf("the document does not tell its present address: %s", doc)
	}
	// The summary of the arm changes, so all copies of it change, too.
	m.write("sellers/acme/products/arm.yaml", oldArm+"summary: Longer\n")
	m.write("articles/news.md", "---\ntitle: News\nstatus: draft\naliases: [article:olds]\n---\nText\n")
	m.write("categories/product/gear.yaml", "name: Gear\n")
	m.write("categories/product/tools.yaml", "name: Tools\n")
	m.build()
	m.leads("later", map[string]string{
		"companies/old/products/hand": "companies/acme/products/arm", "articles/olds": "", "articles/news": "",
		"categories/product/gear": "categories/product/gear", "categories/gear": "categories/gear",
	})
	if !strings.Contains(m.read("api/v1/marketplace/companies/old/products/hand.json"), "Longer") || strings.Contains(m.read("api/v1/marketplace/categories/gear.json"), "tools") {
		t.Error("what is at a former address is not what is now")
	}
	m.write("sellers/acme/seller.yaml", strings.Replace(oldAcme, "seller:old", "seller:elder", 1))
	m.write("sellers/acme/products/arm.yaml", "name: Arm\ncategories: [tools]\n")
	m.build()
	m.leads("at last", map[string]string{
		"companies/elder": "companies/acme", "companies/elder/products/arm": "companies/acme/products/arm", "companies/old": "",
		"companies/old/products/arm": "", "companies/old/products/hand": "", "companies/acme/products/hand": "", "companies/bolt/products/arm": "",
	})
}

func TestAFormerSlugOfACategoryRedirectsOnlyWhileNoCategoryUsesIt(t *testing.T) {
	m := newAliased(t)
	m.write("categories/service/gear.yaml", "name: Hire of gear\n")
	m.build()
	m.leads("while a category under the other root has the slug", map[string]string{"categories/product/gear": "categories/product/tools"})
	if page := m.read("api/v1/marketplace/categories/gear.json"); !strings.Contains(page, "Hire of gear") || strings.Contains(page, "tools") {
		t.Errorf("the page of the slug is %s", page)
	}
	m.write("categories/service/hire.yaml", "name: Hire of gear\naliases: [category:service/gear]\n")
	m.remove("categories/service/gear.yaml")
	m.build()
	m.leads("after both were renamed", map[string]string{"categories/gear": "categories/tools", "categories/service/gear": "categories/service/hire"})
}

func TestCopiesAreCountedButInNoSitemap(t *testing.T) {
	m := newAliased(t)
	before := m.read("api/v1/release.json")
	for _, file := range []string{"sitemaps/companies.xml", "sitemaps/products.xml", "sitemaps/categories.xml", "sitemaps/articles.xml", "sitemaps/market-maps.xml"} {
		for _, former := range []string{"companies/old", "hand", "bolt/products/arm", "gear", "olds", "globe"} {
			if text := m.read(file); text == "" || strings.Contains(text, former) {
				t.Errorf("%s has %s", file, former)
			}
		}
	}
	m.write("articles/news.md", "---\ntitle: News\naliases: [article:olds, article:older]\n---\nText\n")
	report, err := m.builder.Build(t.Context(), m.set(), "articles/news.md")
	// The document, the redirecting page and the Markdown.
	if err != nil || report.Written != 3 || m.read("api/v1/release.json") == before {
		t.Errorf("for one more alias %d files were written: %v", report.Written, err)
	}
}

func TestARemovedSellersFormerAddressesAreGone(t *testing.T) {
	m := newAliased(t)
	former := map[string]string{
		"companies/acme": "gone", "companies/old": "gone", "companies/old/products/arm": "gone", "companies/acme/products/hand": "gone",
		"companies/old/products/hand": "gone", "companies/bolt/products/arm": "gone",
	}
	m.removed["acme"] = true
	m.build()
	m.leads("after the removal", former)
	// A machine that only has the content builds the same stubs.
	if err := errors.Join(os.RemoveAll(filepath.Join(m.dir, "public")), os.RemoveAll(filepath.Join(m.dir, "var")), os.RemoveAll(filepath.Join(m.dir, "public.release"))); err != nil {
		t.Fatal(err)
	}
	var err error
	if m.builder, err = build.New(m.config("public", "var")); err != nil {
		t.Fatal(err)
	}
	m.build()
	m.leads("afresh", former)
	// The last release knows addresses that the content no longer mentions.
	m.write("sellers/acme/seller.yaml", strings.Replace(oldAcme, "aliases: [seller:old]\n", "", 1))
	m.remove("sellers/acme/products/arm.yaml")
	m.build()
	m.leads("after the aliases went", former)
	m.removed["acme"] = false
	m.write("sellers/acme/seller.yaml", oldAcme)
	m.write("sellers/acme/products/arm.yaml", oldArm)
	m.build()
	for path := range former {
		former[path] = "companies/acme/products/arm"
	}
	former["companies/acme"], former["companies/old"] = "companies/acme", "companies/acme"
	m.leads("after the restore", former)
}

func TestNoAliasRestoresTheAddressOfARemovedSeller(t *testing.T) {
	m := newAliased(t)
	// bolt is removed: everything below it is gone, including the arm's former address.
	m.removed["bolt"] = true
	m.build()
	m.leads("after the removal", map[string]string{"companies/bolt": "gone", "companies/bolt/products/arm": "gone", "companies/old": "companies/acme"})
	m.remove("sellers/bolt")
	m.build()
	m.leads("after its content went", map[string]string{"companies/bolt": "gone", "companies/bolt/products/arm": "gone", "companies/bolt/products/nut-1": "gone"})
	m.removed["bolt"] = false
	m.build()
	m.leads("after the restore", map[string]string{"companies/bolt": "", "companies/bolt/products/arm": "companies/acme/products/arm"})
}

func TestAnAliasIsRecordedAsAnAddressOfItsSeller(t *testing.T) {
	m := newAliased(t)
	all, err := m.builder.Publications()
	if err != nil {
		t.Fatal(err)
	}
	for p := range all {
		if p.Slug != "acme" {
			continue
		}
		set := catalog.NewRemovals([]catalog.Removal{{ID: "x", Addresses: p.Addresses}})
		for _, path := range []string{"companies/acme", "companies/old", "companies/old/products/hand", "companies/bolt/products/arm"} {
			if !set.HoldsAddress("/marketplace/" + path) {
				t.Errorf("%s is not on record", path)
			}
		}
	}
}

func TestTheRecordOfAReleaseGrowsLinearlyWithAliases(t *testing.T) {
	record := func(aliases int) int64 {
		m := newStaying(t, nil)
		var sellers, domains, products strings.Builder
		for i := range aliases {
			fmt.Fprintf(&sellers, "- seller:former-%d\n", i)
			fmt.Fprintf(&domains, "- former-%d.example\n", i)
			fmt.Fprintf(&products, "- product:bolt/former-%d\n", i)
		}
		m.write("sellers/acme/seller.yaml", "officialDomain: acme.example\nversions: [{version: 1, name: acme}]\naliases:\n"+sellers.String()+"formerDomains:\n"+domains.String())
		m.write("sellers/acme/products/arm.yaml", armOfAcme+"aliases:\n"+products.String())
		m.command(t, "public-of-a-command", "state-of-a-command")
		info, err := os.Stat(filepath.Join(m.dir, "public-of-a-command.release", "log"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	few, some, many := record(25), record(50), record(100)
	if many-some > (some-few)*5/2 {
		t.Errorf("with 25, 50 and 100 aliases the record takes %d, %d and %d bytes", few, some, many)
	}
}
