package dynamic

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/site"
	"souk/dynamic/mail"
	"souk/templates/texts"
)

// germanMarket is a small German market with an example of everything.
var germanMarket = map[string]string{
	"marketplace.yaml":                   "name: Lampenhof\nsiteUrl: https://lampen.example\ndescription: Lampen zum Flicken.\nlanguage: de\ncontactEmail: hilfe@lampen.example\n",
	"categories/product/lampen.yaml":     "name: Lampen\nsummary: Was leuchtet.\nsynonyms: [leuchte]\naliases: [category:product/funzeln]\nrelated: [article:licht]\n",
	"categories/product/stehlampen.yaml": "name: Stehlampen\nparent: lampen\n",
	"categories/service/flicken.yaml":    "name: Flicken\nsummary: Wer flickt.\n",
	"categories/product/leeres.yaml":     "name: Leeres\n",
	"sellers/hell/seller.md": `---
officialDomain: hell.example
versions:
  - {version: 1, name: Hell & Söhne, legalName: Hell & Söhne OHG, tagline: Es leuchtet, summary: Wir bauen Lampen., website: "https://hell.example/", founded: 1931, employees: 1200,
     headquarters: {city: Köln, region: Rheinland, country: DE}, logo: media/zeichen.svg, languages: [de, en], links: [{label: Laden, url: "https://hell.example/laden"}]}
categories: [product/lampen]
details: [{label: Mitglied seit, value: "1950"}]
aliases: [seller:dunkel]
proof:
  - {kind: certification, title: Geprüft, issuer: Prüfhaus, date: 2025-03-01, public: true}
  - {kind: award, title: Preis, date: 2025-05-02, public: true}
  - {kind: customer, title: Kundin, public: true}
  - {kind: caseStudy, title: Beispiel, public: true}
  - {kind: review, title: Urteil, public: true}
  - {kind: publication, title: Aufsatz, public: true}
---
Seit langem.
`,
	"sellers/hell/media/zeichen.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>`,
	"sellers/hell/products/leuchtturm.md": `---
name: Leuchtturm
summary: Sieht man weit.
categories: [lampen, stehlampen]
sku: HL-1
publishedAt: 2026-05-01
price: {amount: 1290.50, currency: EUR, unit: Stück, from: true}
attributes: {Höhe: {value: 1850.5, unit: mm}, Dimmbar: true, Wasserdicht: false, Farbe: rot}
variants:
  - {name: Klein, sku: HL-1k, price: {amount: 990, currency: EUR}}
  - {name: Groß, sku: HL-1g, attributes: {Höhe: {value: 2500, unit: mm}}}
media: [{file: ../media/zeichen.svg, alt: Ein Turm}]
proof: [{kind: award, title: Preis, public: true}]
related: [seller:funke]
aliases: [product:hell/turm]
---
Ein Turm, der leuchtet.
`,
	"sellers/funke/seller.yaml":           "officialDomain: funke.example\nversions: [{version: 1, name: Funke, headquarters: {country: AT}}]\n",
	"sellers/funke/products/docht.yaml":   "name: Docht\ncategories: [lampen]\nprice: {amount: 3, currency: EUR}\n",
	"sellers/funke/services/flicken.yaml": "name: Flicken am Tisch\ncategories: [flicken]\ndelivery: onsite\nregions: [DE, AT]\nprice: {amount: 80, currency: CHF, unit: Stunde}\npublishedAt: 2026-06-01\n",
	"sellers/funke/services/fern.yaml":    "name: Rat aus der Ferne\ncategories: [flicken]\ndelivery: remote\n",
	"sellers/funke/services/beides.yaml":  "name: Rat und Tat\ncategories: [flicken]\ndelivery: hybrid\n",
	"sellers/weg/seller.yaml":             "officialDomain: weg.example\nversions: [{version: 1, name: Weg}]\n",
	"articles/licht.md":                   "---\ntitle: Vom Licht\nsummary: Warum es leuchtet.\nauthors: [Frau Hell]\npublishedAt: 2026-03-02\nupdatedAt: 2026-04-03\n---\nSiehe [Hell](seller:hell).\n",
	"market-maps/lichter.yaml":            "title: Lichter\nsummary: Alle.\npublishedAt: 2026-03-04\nsegments: [{name: Türme, category: product/lampen, entries: [seller:hell, {ref: product:hell/leuchtturm, note: Hoch}]}, {name: Keine, entries: []}]\n",
	"site/impressum.md":                   "---\ntitle: Impressum\nmenu: Impressum\nupdatedAt: 2026-04-01\n---\nWir.\n",
}

// english matches the texts of a catalogue that differ in the German one.
type english map[string]*regexp.Regexp

func newEnglish() english {
	german := map[string]string{}
	for _, line := range texts.Draft("de") {
		german[line.Key] = line.Text
	}
	all := english{}
	placeholder := regexp.MustCompile(`\{[a-zA-Z]+\}`)
	for _, line := range texts.Draft("en") {
		bare := placeholder.ReplaceAllString(line.Text, "")
		if german[line.Key] == line.Text || len(regexp.MustCompile(`\pL`).FindAllString(bare, -1)) < 2 {
			continue
		}
		var pattern []string
		for _, part := range placeholder.Split(line.Text, -1) {
			pattern = append(pattern, regexp.QuoteMeta(part))
		}
		all[line.Key] = regexp.MustCompile(`(?:^|[^\pL\pN])` + strings.Join(pattern, ".+?") + `(?:$|[^\pL\pN])`)
	}
	return all
}

// in returns the keys of the English texts in a text.
func (e english) in(text string) (keys []string) {
	for key, pattern := range e {
		if pattern.MatchString(text) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// said returns what an HTML page says to people: its texts, the attributes that are read or
// shown, and the names in its JSON-LD.
func said(t *testing.T, page string) (all []string) {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	// The API reference is in English, and marked as such.
	for n := range root.Descendants() {
		if slices.Contains(n.Attr, html.Attribute{Key: "lang", Val: "en"}) {
			n.FirstChild = nil
		}
	}
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode && n.Parent.Data == "noscript":
			all = append(all, said(t, n.Data)...)
		case n.Type == html.TextNode && n.Parent.Data == "script":
			var data any
			if json.Unmarshal([]byte(n.Data), &data) == nil {
				all = append(all, named(data)...)
			}
		case n.Type == html.TextNode && n.Parent.Data != "style":
			all = append(all, n.Data)
		}
		property := ""
		for _, a := range n.Attr {
			if a.Key == "name" || a.Key == "property" {
				property = a.Val
			}
		}
		for _, a := range n.Attr {
			switch {
			case slices.Contains([]string{"aria-label", "placeholder", "title", "alt"}, a.Key),
				strings.HasPrefix(a.Key, "data-") && a.Key != "data-kind" && a.Key != "data-slot" && a.Key != "data-outcome",
				a.Key == "content" && slices.Contains([]string{"description", "og:title", "og:description", "og:site_name"}, property):
				all = append(all, a.Val)
			}
		}
	}
	return all
}

// named returns the names, titles, labels and descriptions in JSON.
func named(value any) (all []string) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			all = append(all, named(one)...)
		}
	case map[string]any:
		for key, one := range v {
			text, isText := one.(string)
			if isText && slices.Contains([]string{"name", "title", "label", "description", "summary", "home_page_title"}, key) {
				all = append(all, text)
			}
			all = append(all, named(one)...)
		}
	}
	return all
}

func buildGerman(t *testing.T) (build.Config, *build.Builder) {
	dir := t.TempDir()
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	files := map[string]string{}
	for file, text := range germanMarket {
		files[file] = text
	}
	for i := range 130 {
		files[fmt.Sprintf("sellers/funke/products/birne-%d.yaml", i)] = fmt.Sprintf("name: Birne %d\ncategories: [lampen]\n", i)
	}
	for file, text := range files {
		path := filepath.Join(dir, "content", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	config := build.Config{
		Content: filepath.Join(dir, "content"), Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"),
		Clock: func() time.Time { return now }, Program: "test", Pages: true, Snapshot: true,
	}
	builder, err := build.New(config)
	if err != nil {
		t.Fatal(err)
	}
	removed := catalog.NewRemovals([]catalog.Removal{{ID: "weg", Domain: "weg.example", Slug: "weg"}})
	if _, err := builder.Build(t.Context(), removed); err != nil {
		t.Fatal(err)
	}
	return config, builder
}

func TestGermanMarketSaysNothingInEnglish(t *testing.T) {
	config, builder := buildGerman(t)
	e := newEnglish()
	if got := e.in("Nothing found."); !slices.Contains(got, "site.search.none") || len(e) < 150 {
		t.Fatalf("of English it knows %d texts, and finds %v", len(e), got)
	}
	judge := func(where string, said []string) {
		for _, text := range said {
			if keys := e.in(text); len(keys) > 0 {
				t.Errorf("%s says %q (%v)", where, strings.TrimSpace(text), keys)
			}
		}
	}
	seen := map[string]int{}
	err := filepath.WalkDir(config.Public, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, _ := filepath.Rel(config.Public, path)
		data, err := os.ReadFile(path)
		switch file = filepath.ToSlash(file); {
		case err != nil:
			return err
		case strings.HasSuffix(file, ".html"):
			if !strings.Contains(string(data), `<html lang="de" dir="ltr">`) {
				t.Errorf("%s is not in German", file)
			}
			judge(file, said(t, string(data)))
		case strings.HasSuffix(file, ".md"), file == document.AtomFile:
			judge(file, strings.Split(regexp.MustCompile(`https?://\S+|<[^>]*>`).ReplaceAllString(string(data), " "), "\n"))
		case strings.HasSuffix(file, ".json") && !strings.Contains(file, ".gone.") && !strings.HasPrefix(file, "api/v1/openapi") && !strings.HasPrefix(file, ".well-known/"):
			var value any
			if err := json.Unmarshal(data, &value); err != nil {
				return err
			}
			judge(file, named(value))
		}
		seen[filepath.Ext(file)]++
		return nil
	})
	if err != nil || seen[".html"] < 170 || seen[".md"] < 130 || seen[".atom"] != 1 {
		t.Fatalf("there are %v, %v", seen, err)
	}
	for where, page := range germanAnswers(t, builder.Site().Load()) {
		judge(where, said(t, page))
	}
}

// germanAnswers are the pages that a program renders on request.
func germanAnswers(t *testing.T, s *site.Site) map[string]string {
	pages := map[string]string{}
	put := func(name string, body []byte, err error) {
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(body)
	}
	at := "https://lampen.example/companies/hell"
	company := document.Link{Kind: "seller", Slug: "hell", Name: "Hell & Söhne", URL: at, APIURL: "https://lampen.example/api/v1/marketplace/companies/hell"}
	result := document.SearchResult{Query: "lampe", Total: 1, Limit: 1, Next: "https://lampen.example/api/v1/x", Offset: 1, SellerMatch: &company, Listings: []document.SearchHit{{
		Listing: document.Listing{Kind: "product", Name: "Lampe", URL: at, Seller: company, Price: &document.Price{Amount: "12.5", Currency: "EUR", From: true}},
		Matched: &document.Matched{Variant: "Klein", SKU: "HL"},
	}}}
	for _, name := range []string{"kind", "category", "seller", "country"} {
		filter := document.SearchFilter{Name: name}
		for i := range 12 {
			filter.Values = append(filter.Values, document.SearchFilterValue{Value: fmt.Sprint(i), Label: "Wert", Count: 1})
		}
		result.Filters = append(result.Filters, filter)
	}
	body, err := s.Search(document.ListingSearch(), url.Values{"q": {"lampe"}, "kind": {"product"}}, result, nil)
	put("a search", body, err)
	body, err = s.Search(document.ListingSearch(), url.Values{"q": {"nix"}, "kind": {"product"}}, document.SearchResult{Query: "nix"}, nil)
	put("a search without results", body, err)
	body, err = s.SearchRefused(document.ListingSearch(), "nix", []document.FieldError{{Field: "country", Message: "wrong"}}, nil)
	put("a search that is refused", body, err)
	body, err = s.SearchAway(document.ListingSearch(), "nix")
	put("a search that is away", body, err)
	for _, form := range []string{document.ClaimForm, document.RemoveForm} {
		for _, outcome := range []string{site.FormSent, site.FormDomain, site.FormInvalid, site.FormLater, site.FormAway} {
			body, err = s.Form(form, company, site.Typed{Name: "Eva", Email: "eva@hell.example", Outcome: outcome, Faults: []string{"requesterName"}})
			put(form+" "+outcome, body, err)
		}
	}
	for _, foreign := range []bool{true, false} {
		body, err = s.Unread(foreign)
		put(fmt.Sprint("unread ", foreign), body, err)
	}
	return pages
}

func TestMailsOfAGermanMarketSayNothingInEnglish(t *testing.T) {
	e, when := newEnglish(), time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	for _, kind := range []mail.Kind{mail.ClaimLink, mail.RemovalLink, mail.ClaimDone, mail.RemovalDone} {
		m := mail.Message{
			ID: "rq-1", Kind: kind, To: "eva@hell.example", Requester: "Eva Hell", Marketplace: "Lampenhof", SiteURL: "https://lampen.example",
			Contact: "hilfe@lampen.example", Company: "Hell & Söhne", CompanyURL: "https://lampen.example/companies/hell", Texts: texts.New("de", nil),
		}
		switch kind {
		case mail.ClaimLink, mail.RemovalLink:
			m.Domain, m.Link, m.ExpiresAt = "hell.example", "https://lampen.example/verify/claim#id=rq-1&token=c2VjcmV0LXRva2VuLXNlY3JldC10b2tlbi1zZWNyZXQ", when
			m.Code = "rq-1.c2VjcmV0LXRva2VuLXNlY3JldC10b2tlbi1zZWNyZXQ"
		default:
			m.DoneAt = when
			if kind == mail.ClaimDone {
				m.Workspace = "hell"
			}
		}
		content, err := mail.Render(m)
		if err != nil {
			t.Fatal(err)
		}
		lines := append(said(t, content.HTML), strings.Split(content.Text, "\n")...)
		for _, text := range append(lines, content.Subject) {
			if keys := e.in(regexp.MustCompile(`https?://\S+`).ReplaceAllString(text, "")); len(keys) > 0 {
				t.Errorf("the mail %v says %q (%v)", kind, strings.TrimSpace(text), keys)
			}
		}
		if !strings.Contains(content.Text, "2. März 2026, 09:30 Uhr (UTC)") {
			t.Errorf("the mail %v has no German date:\n%s", kind, content.Text)
		}
	}
}
