package site

import (
	"strings"
	"testing"

	"souk/build/document"
)

func TestErrorPagesHaveASearchAndCategories(t *testing.T) {
	s := newSite(t, market("en", "https://market.example/m"))
	for name, body := range map[string][]byte{"404": fileOf(t, s, document.MissingFile), "410": s.Gone()} {
		p := parsePage(t, name, string(body))
		if form := one(t, p, "form", "role", "search"); get(form, "action") != "/m/search" {
			t.Errorf("%s searches at %s", name, get(form, "action"))
		}
		links := map[string]bool{}
		for _, a := range all(one(t, p, "main", "", ""), "a") {
			links[get(a, "href")] = true
		}
		for _, address := range []string{"/m/categories/product", "/m/categories/service", "/m/companies", "/m/"} {
			if !links[address] {
				t.Errorf("%s has no link to %s", name, address)
			}
		}
	}
}

func TestTheHomePageLinksToTheRequestToBeListed(t *testing.T) {
	for _, join := range []string{"", "https://market.example/join"} {
		c := market("en", "https://market.example")
		c.Join = join
		s := newSite(t, c)
		main := mainOf(rendered(t, s, aMarket(s)["home"])["index.html"])
		if leads := strings.Contains(main, ">List your company<"); leads != (join != "") {
			t.Errorf("with %q as the address, the page leads there: %t", join, leads)
		}
	}
}
