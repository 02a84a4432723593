package build_test

import (
	"strings"
	"testing"
)

func TestAnAddressOfARemovedSellerLosesItsLinkHoweverItIsWritten(t *testing.T) {
	m := newStaying(t, nil)
	var text strings.Builder
	gone := []string{
		"https://market.example/companies/acme", "https://MARKET.example/companies/acme.md", "https://market.example/companies/acme/products/arm?from=news#price",
		"https://market.example/api/v1/marketplace/companies/acme.json", "https://market.example/embed/companies/acme", "http://market.example/companies/%61cme/claim",
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
	m.removed["acme"] = false
	m.follow(t)
	for _, file := range files {
		if now := m.read(file); now != before[file] {
			t.Errorf("after the restore %s is %s", file, now)
		}
	}
}
