package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"souk/build/document"
)

// firstPage returns the page of a document that shows it, not a form.
func firstPage(t *testing.T, s *Site, value any) page {
	t.Helper()
	views, ok := s.view(value)
	if !ok {
		t.Fatalf("%T has no page", value)
	}
	return parsePage(t, views[0].file, rendered(t, s, value)[views[0].file])
}

func one(t *testing.T, p page, tag, attribute, value string) *html.Node {
	t.Helper()
	var found []*html.Node
	for _, n := range all(p.Node, tag) {
		if attribute == "" || slices.Contains(strings.Fields(get(n, attribute)), value) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s has %d of <%s %s=%q>, want one", p.name, len(found), tag, attribute, value)
	}
	return found[0]
}

// accessible checks what every page must satisfy.
func accessible(t *testing.T, s *Site, p page) {
	t.Helper()
	if root := one(t, p, "html", "", ""); get(root, "lang") != s.market.Language || get(root, "dir") == "" {
		t.Errorf("%s is in %q, written %q", p.name, get(root, "lang"), get(root, "dir"))
	}
	if words(one(t, p, "title", "", "")) == "" || words(one(t, p, "h1", "", "")) == "" {
		t.Errorf("%s has an empty title", p.name)
	}
	one(t, p, "main", "", "")
	level := 0
	ids := map[string]bool{}
	for _, n := range all(p.Node, "") {
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] <= '6' {
			now := int(n.Data[1] - '0')
			if now > level+1 {
				t.Errorf("%s: h%d %q follows h%d", p.name, now, words(n), level)
			}
			level = now
		}
		if _, has := lookup(n, "alt"); n.Data == "img" && !has {
			t.Errorf("%s: the picture %s has no alt", p.name, get(n, "src"))
		}
		if id := get(n, "id"); id != "" && ids[id] {
			t.Errorf("%s has the id %s twice", p.name, id)
		} else {
			ids[id] = true
		}
		if n.Data == "a" && words(n) == "" {
			t.Errorf("%s: the link to %s says nothing", p.name, get(n, "href"))
		}
		for _, name := range []string{"href", "src", "action"} {
			if v, has := lookup(n, name); has && n.Data != "link" && strings.HasPrefix(v, s.market.SiteURL) && !strings.HasPrefix(v, s.market.APIURL) {
				t.Errorf("%s: %s is not relative to the site", p.name, v)
			} else if has && strings.HasPrefix(v, "/") && !strings.HasPrefix(v, s.prefix+"/") {
				t.Errorf("%s: %s leads out of the site", p.name, v)
			} else if has && n.Data != "link" && !strings.HasPrefix(v, "/") && !strings.HasPrefix(v, "#") && !strings.HasPrefix(v, "http") {
				t.Errorf("%s: %s leads nowhere", p.name, v)
			}
		}
	}
}

func TestEveryPageSaysWhatItIs(t *testing.T) {
	for _, siteURL := range []string{"https://market.example", "https://market.example/a/market"} {
		for _, language := range []string{"en", "de", "ar"} {
			s := newSite(t, market(language, siteURL))
			for name, value := range aMarket(s) {
				t.Run(fmt.Sprint(language, " ", s.prefix, " ", name), func(t *testing.T) {
					p := firstPage(t, s, value)
					accessible(t, s, p)
					canonical := get(one(t, p, "link", "rel", "canonical"), "href")
					if strings.TrimPrefix(canonical, siteURL) != "/"+strings.TrimSuffix(strings.TrimSuffix(p.name, ".html"), "index") {
						t.Errorf("%s is at %s", p.name, canonical)
					}
					if api := get(one(t, p, "link", "type", "application/json"), "href"); !strings.HasPrefix(api, s.market.APIURL+"/marketplace") {
						t.Errorf("%s has its JSON at %q", p.name, api)
					}
					if image := get(one(t, p, "meta", "property", "og:image"), "content"); !strings.HasPrefix(image, siteURL+"/") || !strings.HasSuffix(image, ".png") {
						t.Errorf("%s shows %q in previews", p.name, image)
					}
					if dir := get(one(t, p, "html", "", ""), "dir"); (dir == "rtl") != (language == "ar") {
						t.Errorf("%s is written %s", p.name, dir)
					}
				})
			}
			for name, body := range map[string][]byte{"410": s.Gone(), "404": fileOf(t, s, document.MissingFile), "search": fileOf(t, s, document.SearchFile)} {
				accessible(t, s, parsePage(t, name, string(body)))
			}
		}
	}
}

// A canonical address would declare every missing address to be that page.
func TestErrorPagesHaveNoCanonicalAddress(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for name, body := range map[string][]byte{
		document.RemovedFile: s.Gone(), document.MissingFile: fileOf(t, s, document.MissingFile), "companies/acme.gone.html": s.Gone(),
	} {
		if !document.Ours(name, func() ([]byte, error) { return body, nil }) {
			t.Errorf("%s is not known as ours", name)
		}
		for _, link := range all(parsePage(t, name, string(body)).Node, "link") {
			if get(link, "rel") == "canonical" {
				t.Errorf("%s says that it is %s", name, get(link, "href"))
			}
		}
	}
}

func fileOf(t *testing.T, s *Site, name string) []byte {
	t.Helper()
	for _, f := range s.Files() {
		if f.Name == name {
			return f.Body
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}

func TestGoldenPages(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for name, value := range aMarket(s) {
		views, _ := s.view(value)
		files := rendered(t, s, value)
		golden(t, name+".html", mainOf(files[views[0].file]))
		if markdown, ok := files[strings.TrimSuffix(views[0].file, ".html")+".md"]; ok {
			golden(t, name+".md", markdown)
		}
	}
	for name, body := range rendered(t, s, document.Feed{Items: aMarket(s)["summaries"].(document.SummaryList).Items}) {
		golden(t, name, body)
	}
	golden(t, "frame.html", frameOf(string(s.Gone())))
}

// mainOf returns the part between the header and the footer of a page.
func mainOf(body string) string {
	_, after, _ := strings.Cut(body, "</header>\n")
	if strings.Contains(body, `<nav class="crumbs`) {
		_, after, _ = strings.Cut(body, "</div></header>\n")
	}
	inner, _, _ := strings.Cut(after, "<footer class=\"foot\"")
	return inner
}

// frameOf returns a page without the digests of its assets.
func frameOf(body string) string {
	for _, kind := range []string{"style", "script", "preview"} {
		if at := strings.Index(body, "/assets/"+kind+"-"); at >= 0 {
			body = body[:at] + "/assets/" + kind + body[at+len("/assets/"+kind+"-")+16:]
		}
	}
	return body
}

func TestBreadcrumbsGoFromTheMarketToThePage(t *testing.T) {
	s := newSite(t, market("en", "https://market.example/m"))
	for name, want := range map[string]string{
		"product": "Market /m/|Companies /m/companies|Acme /m/companies/acme|Arm 7 ", "category": "Market /m/|Products /m/categories/product|Robots /m/categories/product/robots|Arms ",
		"article": "Market /m/|Articles /m/articles|Choosing an arm ", "root": "Market /m/|Products ",
	} {
		p := firstPage(t, s, aMarket(s)[name])
		var got []string
		for _, li := range all(one(t, p, "nav", "class", "crumbs"), "li") {
			step := words(li) + " "
			for _, a := range all(li, "a") {
				step += get(a, "href")
			}
			got = append(got, step)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, "|"), want)
		}
	}
}

// strangerRel keeps a stranger's links from being recommended to search engines, and
// from learning where a reader came from.
const strangerRel = "nofollow noopener ugc"

func TestLinksFromStrangersAreNotRecommended(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for _, name := range []string{"product", "service", "seller"} {
		found := 0
		for _, a := range all(one(t, firstPage(t, s, aMarket(s)[name]), "main", "", ""), "a") {
			if strings.HasPrefix(get(a, "href"), "http") {
				found++
				if get(a, "rel") != strangerRel {
					t.Errorf("%s: %s has rel %q", name, get(a, "href"), get(a, "rel"))
				}
			} else if get(a, "rel") != "" {
				t.Errorf("%s: our own %s has rel %q", name, get(a, "href"), get(a, "rel"))
			}
		}
		if want := map[string]int{"product": 4, "service": 0, "seller": 3}[name]; found != want {
			t.Errorf("%s has %d links of strangers, want %d", name, found, want)
		}
	}
}

// data returns the schema.org data of a page, by type.
func data(t *testing.T, p page) map[string]map[string]any {
	t.Helper()
	var all []map[string]any
	if err := json.Unmarshal([]byte(one(t, p, "script", "type", "application/ld+json").FirstChild.Data), &all); err != nil {
		t.Fatal(err)
	}
	byType := map[string]map[string]any{}
	for _, one := range all {
		if one["@context"] != schema {
			t.Errorf("%s: %v is of no vocabulary", p.name, one)
		}
		byType[one["@type"].(string)] = one
	}
	return byType
}

func TestPagesDescribeThemselvesInSchemaOrgTerms(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for name, c := range map[string]struct {
		of   string
		have []string
	}{
		"home":     {"WebSite", []string{"name", "url", "potentialAction"}},
		"seller":   {"Organization", []string{"name", "url", "logo", "address", "sameAs", "foundingDate"}},
		"product":  {"Product", []string{"name", "url", "image", "brand", "offers", "sku", "gtin", "description"}},
		"service":  {"Service", []string{"name", "url", "provider", "areaServed", "offers"}},
		"article":  {"Article", []string{"headline", "url", "author", "datePublished", "dateModified", "publisher", "image"}},
		"category": {"ItemList", []string{"name", "itemListElement"}},
		"map":      {"ItemList", []string{"name", "itemListElement"}},
	} {
		said := data(t, firstPage(t, s, aMarket(s)[name]))
		for _, property := range c.have {
			if said[c.of][property] == nil {
				t.Errorf("the %s of %s has no %s: %v", c.of, name, property, said[c.of])
			}
		}
		if steps, _ := said["BreadcrumbList"]["itemListElement"].([]any); name != "home" && len(steps) < 3 {
			t.Errorf("%s has the breadcrumbs %v", name, steps)
		}
	}
	offers := data(t, firstPage(t, s, aMarket(s)["product"]))["Product"]["offers"].([]any)
	if o := offers[0].(map[string]any); len(offers) != 1 || o["price"] != "1234.50" || o["priceCurrency"] != "EUR" || o["sku"] != "A7-S" || o["gtin"] != "4006381333948" {
		t.Errorf("offers %v", offers)
	}
	for name, test := range map[string]struct{ price, want string }{
		"a reduced price":  {`{"amount":"80","currency":"EUR","list":"100"}`, `[{"@type":"UnitPriceSpecification","priceType":"https://schema.org/StrikethroughPrice","price":"100","priceCurrency":"EUR"}]`},
		"the lowest price": {`{"amount":"80","currency":"EUR","list":"100","from":true}`, `null`},
		"a price per hour": {`{"amount":"80","currency":"EUR","unit":"hour"}`, `[{"@type":"UnitPriceSpecification","price":"80","priceCurrency":"EUR","unitText":"hour"}]`},
	} {
		var p document.Price
		if err := json.Unmarshal([]byte(test.price), &p); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(offerOf(&p, "").Prices); err != nil || string(got) != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestAPageSaysWhenItsContentLastChanged(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for name, value := range aMarket(s) {
		changed := reflect.New(reflect.TypeOf(value)).Elem()
		changed.Set(reflect.ValueOf(value))
		at := changed.FieldByName("UpdatedAt")
		if !at.IsValid() {
			continue
		}
		at.SetString("2026-02-03")
		if said := one(t, firstPage(t, s, changed.Interface()), "time", "datetime", "2026-02-03"); said.FirstChild.Data != "3 February 2026" {
			t.Errorf("%s says %q", name, said.FirstChild.Data)
		}
	}
	article := aMarket(s)["article"].(document.Article)
	article.UpdatedAt = article.PublishedAt + "T12:00:00Z"
	if said := all(firstPage(t, s, article).Node, "time"); len(said) != 1 {
		t.Errorf("an article of one day has %d dates", len(said))
	}
}

func TestTheTableOfVariantsHasAColumnForEachAttribute(t *testing.T) {
	s := newSite(t, market("de", "https://market.example"))
	var rows []string
	for _, tr := range all(one(t, firstPage(t, s, aMarket(s)["product"]), "div", "aria-label", "Ausführungen"), "tr") {
		var cells []string
		for c := tr.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				cells = append(cells, words(c))
			}
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	want := []string{"Ausführung|Artikelnummer|GTIN|Reach|Colour|Preis", "Short|A7-S|4006381333948|900\u00a0mm||1.234,50\u00a0€", "Long|||1.250,5\u00a0mm|red|"}
	if fmt.Sprintf("%q", normal(rows)) != fmt.Sprintf("%q", normal(want)) {
		t.Errorf("%q, want %q", rows, want)
	}
}

// normal replaces non-breaking spaces by ordinary ones.
func normal(rows []string) (all []string) {
	for _, r := range rows {
		all = append(all, strings.ReplaceAll(r, "\u00a0", " "))
	}
	return all
}

func TestFactsThatAreWebAddressesAreLinks(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for text, want := range map[string]fact{
		"https://www.a.example/b/": {"a.example/b", "https://www.a.example/b/"}, "see https://a.example": {Text: "see https://a.example"},
		"https://": {Text: "https://"}, "javascript:x": {Text: "javascript:x"}, "": {},
	} {
		if got := s.fact(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

// Fields that a document does not have leave no empty elements behind.
func TestNoPageHasAnEmptyElement(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	holding := strings.Fields("p ul ol dl dd dt li aside section article figure header nav table h1 h2 h3 h4 h5 h6")
	for name, value := range aMarket(s) {
		full := reflect.ValueOf(value)
		bare := reflect.New(full.Type()).Elem()
		for _, field := range reflect.VisibleFields(full.Type()) {
			if !field.Anonymous && slices.Contains(strings.Fields("Kind RootKind Slug CompanySlug Name Title URL APIURL Seller Of Types Items"), field.Name) {
				bare.FieldByIndex(field.Index).Set(full.FieldByIndex(field.Index))
			}
		}
		if name == "map" {
			bare.FieldByName("Segments").Set(reflect.ValueOf([]document.Segment{{Name: "Makers"}}))
		}
		for _, field := range reflect.VisibleFields(full.Type()) {
			one := reflect.New(full.Type()).Elem()
			one.Set(bare)
			if !field.Anonymous {
				one.FieldByIndex(field.Index).Set(full.FieldByIndex(field.Index))
			}
			for file, body := range rendered(t, s, one.Interface()) {
				if !strings.HasSuffix(file, ".html") {
					continue
				}
				for _, n := range all(parsePage(t, file, body).Node, "") {
					if slices.Contains(holding, n.Data) && words(n) == "" && len(all(n, "img"))+len(all(n, "input")) == 0 {
						t.Errorf("%s with its %s alone: <%s class=%q> holds nothing", file, field.Name, n.Data, get(n, "class"))
					}
				}
			}
		}
	}
}

func TestPagesOfAListHaveDistinctTitles(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	of := document.Link{Name: "All"}
	for want, value := range map[string]any{
		"All, continued: A – C · Market": document.ListingPageDocument{Of: of, Items: []document.Listing{{Name: "A"}, {Name: "B"}, {Name: "C"}}},
		"All, continued: D – E · Market": document.SellerPageDocument{Of: of, Items: []document.CompanyCard{{Name: "D"}, {Name: "E"}}},
		"All, continued: F · Market":     document.SummaryPageDocument{Of: of, Items: []document.Summary{{Title: "F"}}},
		"All, continued · Market":        document.SummaryPageDocument{Of: of},
	} {
		views, _ := s.view(value)
		var b bytes.Buffer
		if broken, err := s.execute(&b, views[0]); err != nil || broken != nil {
			t.Fatal(broken, err)
		}
		if got := words(one(t, parsePage(t, want, b.String()), "title", "", "")); got != want {
			t.Errorf("the title is %q, not %q", got, want)
		}
	}
}

func TestCategoriesWithTheSameNameHaveDistinctTitles(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	for want, d := range map[string]document.Category{
		"Robots · Services · Market": {Name: "Robots", RootKind: "service"},
		"Robots · Farming · Market":  {Name: "Robots", RootKind: "product", Parents: []document.Link{{Name: "Work"}, {Name: "Farming"}}},
	} {
		p := firstPage(t, s, d)
		if got := words(one(t, p, "title", "", "")); got != want {
			t.Errorf("the title is %q, not %q", got, want)
		}
		if got := words(one(t, p, "h1", "", "")); got != "Robots" {
			t.Errorf("the heading is %q", got)
		}
	}
}

func TestAMapShowsItsPictureAndASelectionOfSegments(t *testing.T) {
	s := newSite(t, market("en", "https://market.example/m"))
	m := aMarket(s)["map"].(document.MarketMap)
	for _, large := range []bool{false, true} {
		for large && !m.Large() {
			m.Segments[0].Entries = append(m.Segments[0].Entries, m.Segments[0].Entries[0])
		}
		p := firstPage(t, s, m)
		main, object := one(t, p, "main", "", ""), one(t, p, "object", "", "")
		if get(object, "data") != "/m/market-maps/all.svg#all" || get(object, "type") != "image/svg+xml" || get(object, "aria-label") != "All of it" {
			t.Errorf("the picture is %s", get(object, "data"))
		}
		groups := all(one(t, p, "nav", "class", "groups"), "a")
		if words(groups[0]) != "All" || words(groups[1]) != fmt.Sprint("Makers ", len(m.Segments[0].Entries)) || get(groups[1], "href") != "/m/market-maps/all.svg#s0" || get(groups[1], "target") != get(object, "name") {
			t.Errorf("the groups are %q and %q, which leads to %s", words(groups[0]), words(groups[1]), get(groups[1], "href"))
		}
		if alone := one(t, p, "figcaption", "", ""); get(all(alone, "a")[0], "href") != "/m/market-maps/all.svg" {
			t.Error("the map does not lead to its picture alone")
		}
		var to []string
		for _, a := range all(main, "a") {
			if href := get(a, "href"); !strings.Contains(href, ".svg") && !slices.Contains(to, href) {
				to = append(to, href)
			}
		}
		want := []string{"/m/categories/product/arms", "/m/companies/acme"}
		if large {
			want = want[:1]
		}
		if !slices.Equal(to, want) {
			t.Errorf("besides its picture, a map leads to %q, want %q", to, want)
		}
	}
}

func TestListsShowPicturesOfMaps(t *testing.T) {
	s := newSite(t, market("en", "https://market.example/m"))
	d := document.SummaryList{Title: "Maps", Items: []document.Summary{{Kind: "marketMap", Title: "All", URL: s.market.SiteURL + "/market-maps/all"}, {Kind: "article", Title: "None", URL: s.market.SiteURL + "/articles/none"}}}
	if got := get(all(one(t, firstPage(t, s, d), "main", "", ""), "img")[0], "src"); got != "/m/market-maps/all.svg#all" {
		t.Errorf("the picture is %q", got)
	}
}

func TestRelatedItemsAreGroupedByRelation(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	a := aMarket(s)["article"].(document.Article)
	a.Related = nil
	for i, rel := range []string{"related", "worksWith", "mentionedIn", "worksWith"} {
		l := linkTo(s, "product", fmt.Sprint("P", i), fmt.Sprint("/companies/s/products/p", i))
		l.Rel = rel
		a.Related = append(a.Related, l)
	}
	if got, want := words(one(t, firstPage(t, s, a), "section", "class", "related")), "Related Product P0 Product P2 works with Product P1 Product P3"; got != want {
		t.Errorf("related: %q, want %q", got, want)
	}
}

func TestARelatedCategoryShowsItsRoot(t *testing.T) {
	s := newSite(t, market("en", "https://market.example"))
	a := aMarket(s)["article"].(document.Article)
	robots := linkTo(s, "category", "Robots", "/categories/service/robots")
	robots.RootKind = "service"
	a.Related = []document.Link{robots}
	if said := words(one(t, firstPage(t, s, a), "span", "class", "kind")); said != "Category · Services" {
		t.Errorf("it is said to be a %q", said)
	}
}

func TestFormerPagesRedirectAndAreNotIndexed(t *testing.T) {
	s := newSite(t, market("en", "https://market.example/m"))
	pages := document.PagesOf("api/v1/marketplace/companies/old.json")
	files := map[string]string{}
	if err := s.RenderFormer(pages, aMarket(s)["seller"], func(name string, body []byte) error {
		files[name] = string(body)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(files) != len(pages) {
		t.Errorf("%d files, want %v", len(files), pages)
	}
	for name, to := range map[string]string{"companies/old.html": "/companies/acme", "companies/old/claim.html": "/companies/acme/claim", "companies/old/remove.html": "/companies/acme/remove"} {
		p := parsePage(t, name, files[name])
		accessible(t, s, p)
		if got := get(one(t, p, "meta", "http-equiv", "refresh"), "content"); got != "0; url=/m"+to {
			t.Errorf("%s leads to %q", name, got)
		}
		if get(one(t, p, "link", "rel", "canonical"), "href") != "https://market.example/m"+to || get(one(t, p, "meta", "name", "robots"), "content") != "noindex" {
			t.Errorf("%s is for search engines", name)
		}
	}
	if files["companies/old.md"] != rendered(t, s, aMarket(s)["seller"])["companies/acme.md"] {
		t.Error("the Markdown at the former address is another")
	}
}
