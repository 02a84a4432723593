package dynamic

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/release"
)

// checkSearch checks that a search for everything has the same counts as the documents.
func (c *census) checkSearch(offers map[string]map[string]any, counts map[string]float64) {
	c.Helper()
	want := map[string]map[string]float64{}
	for _, name := range []string{"kind", "category", "seller", "country"} {
		want[name] = map[string]float64{}
	}
	for _, doc := range offers {
		for name, values := range c.filterValues(doc) {
			if want[name] == nil {
				want[name] = map[string]float64{}
			}
			for value := range values {
				want[name][value]++
			}
		}
	}
	for address, n := range counts {
		if n > 0 {
			want["category"][strings.TrimPrefix(address, c.site+market+"/categories/")] = n
		}
	}
	answer := c.json("GET", "/listings/search?limit=0", "", 200)
	if answer["total"] != float64(len(offers)) {
		c.Errorf("search finds %v, and there are %d", answer["total"], len(offers))
	}
	for _, filter := range answer["filters"].([]any) {
		f, got := filter.(map[string]any), map[string]float64{}
		name, _ := f["name"].(string)
		if attribute, is := f["attribute"].(string); is {
			name += " " + strings.ToLower(attribute)
		}
		if f["type"] == "number" {
			continue // tested by the counter of package search
		}
		all := maps.Clone(want[name])
		for _, value := range f["values"].([]any) {
			v := value.(map[string]any)
			key := folded(name, v["value"].(string))
			got[key] = v["count"].(float64)
			if f["more"] == true {
				got[key] -= all[key]
				delete(all, key)
			}
		}
		if f["more"] == true {
			// Every count that is returned must be right; omitted ones must be smaller.
			for key, differs := range got {
				if differs != 0 {
					c.Errorf("the filter %s counts %s otherwise than the documents, by %v", name, key, differs)
				}
			}
			continue
		}
		if !maps.Equal(got, all) {
			c.Errorf("the filter %s counts %v, and there are %v", name, got, all)
		}
	}
}

// folded returns a value as filters compare it: codes unchanged, other text in lower case.
func folded(filter, value string) string {
	if filter == "region" || filter == "priceUnit" || strings.HasPrefix(filter, "attribute") {
		return strings.ToLower(value)
	}
	return value
}

// filterValues returns the filter values of an offer's document, except its categories and
// numbers.
func (c *census) filterValues(doc map[string]any) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	add := func(filter string, value any) {
		if text, is := value.(string); is && text != "" {
			if all[filter] == nil {
				all[filter] = map[string]bool{}
			}
			all[filter][folded(filter, text)] = true
		}
	}
	seller := c.docs[doc["seller"].(map[string]any)["apiUrl"].(string)]
	add("kind", doc["kind"])
	add("seller", doc["companySlug"])
	add("delivery", doc["delivery"])
	if at, _ := seller["headquarters"].(map[string]any); at != nil {
		add("country", at["country"])
	}
	for _, one := range list(doc["regions"]) {
		add("region", one)
	}
	for _, one := range list(seller["languages"]) {
		add("language", one)
	}
	for _, one := range append(list(doc["proof"]), list(seller["proof"])...) {
		add("proof", one.(map[string]any)["kind"])
	}
	for _, form := range append([]any{doc}, list(doc["variants"])...) {
		of := form.(map[string]any)
		add("availability", of["availability"])
		if price, _ := of["price"].(map[string]any); price != nil {
			add("priceUnit", price["unit"])
		}
		for _, one := range list(of["attributes"]) {
			a := one.(map[string]any)
			name := a["name"].(string)
			for _, value := range list(a["values"]) {
				add("attribute "+strings.ToLower(name), name+":"+value.(string))
			}
			switch value := a["value"].(type) {
			case string:
				add("attribute "+strings.ToLower(name), name+":"+value)
			case bool:
				add("attribute "+strings.ToLower(name), fmt.Sprintf("%s:%v", name, value))
			}
		}
	}
	return all
}

func list(value any) []any {
	all, _ := value.([]any)
	return slices.Clone(all)
}

var location = regexp.MustCompile(`<loc>([^<]*)</loc>`)

// pages returns the URLs in all sitemaps.
func (c *census) pages() (all []string) {
	for _, m := range location.FindAllSubmatch(c.files[document.SitemapFile], -1) {
		file := c.files[strings.TrimPrefix(string(m[1]), c.site+"/")]
		if file == nil {
			c.Errorf("the index of sitemaps names %s, which is not there", m[1])
		}
		for _, page := range location.FindAllSubmatch(file, -1) {
			all = append(all, string(page[1]))
		}
	}
	return all
}

// checkSitemaps checks that the sitemaps list the pages of the documents.
func (c *census) checkSitemaps() {
	c.Helper()
	named := map[string]bool{}
	for _, page := range c.pages() {
		named[page] = true
	}
	for address, doc := range c.docs {
		path := document.PagePath(strings.TrimPrefix(strings.TrimPrefix(address, c.site), market))
		page, _ := doc["url"].(string)
		if doc["kind"] == "page" {
			page = c.site + path
		}
		if doc["kind"] == "categoryPage" {
			continue // it leads to others with the same name
		}
		if !named[page] {
			c.Errorf("%s is in no sitemap", page)
		}
		if page != c.site+path {
			c.Errorf("the page %s is that of %s", page, address)
		}
		delete(named, page)
	}
	if !named[c.site+"/"] {
		c.Errorf("the market itself is in no sitemap")
	}
	delete(named, c.site+"/")
	own := c.files["sitemaps/own.xml"] // the operator's own pages
	for page := range named {
		if bytes.Contains(own, []byte("<loc>"+page+"</loc>")) {
			continue
		}
		c.Errorf("the sitemaps name %s, which is no page of a document", page)
	}
}

// wantNothingOf checks that no file in the folder and no search result leads to a company.
func (c *census) wantNothingOf(slug string, names ...string) {
	c.Helper()
	c.wantNoLinkTo(slug)
	c.wantAnswersWithout(slug, names...)
}

// leadsTo matches addresses of companies.
func leadsTo(slugs ...string) *regexp.Regexp {
	for i := range slugs {
		slugs[i] = regexp.QuoteMeta(slugs[i])
	}
	return regexp.MustCompile(`/companies/(` + strings.Join(slugs, "|") + `)([^a-z0-9-]|$)`)
}

func (c *census) wantNoLinkTo(slugs ...string) {
	c.Helper()
	leads := leadsTo(slices.Clone(slugs)...)
	for file, data := range c.files {
		text, err := release.Decompress(file, data)
		if err != nil || leads.Match(text) {
			c.Errorf("%s leads to %s (%v)", file, leads.Find(text), err)
		}
	}
}

// wantAnswersWithout checks that search and suggestions for names do not lead to a company.
func (c *census) wantAnswersWithout(slug string, names ...string) {
	c.Helper()
	leads := leadsTo(slug)
	for _, name := range names {
		q := url.QueryEscape(firstRunes(name, 200))
		for _, address := range []string{"/listings/search?limit=100&q=", "/search/suggestions?limit=20&q="} {
			if a := c.ask("GET", market+address+q, ""); a.status != 200 || leads.Match(a.body) {
				c.Errorf("%s%s answers %d with %s", address, q, a.status, leads.Find(a.body))
			}
		}
	}
	if a := c.ask("GET", market+"/listings/search?seller="+slug, ""); a.status != 200 || leads.Match(a.body) || !bytes.Contains(a.body, []byte(`"total":0,`)) {
		c.Errorf("search of the seller %s: %d %s", slug, a.status, a.body)
	}
}

func firstRunes(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}
