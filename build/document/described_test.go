package document

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
)

const (
	describedSite = "https://market.example"
	describedAPI  = "https://api.market.example/api/v1"
)

// describedRenderer returns a Renderer of an empty marketplace.
func describedRenderer(m catalog.Marketplace) *Renderer {
	m.SiteURL, m.APIURL = describedSite, describedAPI
	c := catalog.New()
	c.Apply(catalog.Change{Marketplace: &m, Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	return NewRenderer(c, "")
}

func TestLLMsIsShortAndLinksToTheFiveAddressesThatMatter(t *testing.T) {
	text := string(describedRenderer(catalog.Marketplace{Name: "Bench & Byre"}).llms())
	if len(text) > 2500 {
		t.Errorf("llms.txt has %d bytes", len(text))
	}
	for _, address := range []string{
		describedAPI + "/marketplace/listings/search?q=", describedAPI + "/marketplace", describedAPI + "/openapi.json",
		describedSite + "/.well-known/api-catalog",
	} {
		if !strings.Contains(text, "]("+address+")") {
			t.Errorf("llms.txt does not lead to %s", address)
		}
	}
	// MCP only answers POST, so a program that follows links on a page would get an error.
	if !strings.Contains(text, "`POST https://api.market.example/mcp`") || strings.Contains(text, "(https://api.market.example/mcp)") {
		t.Errorf("llms.txt does not say how MCP is asked:\n%s", text)
	}
}

func TestLLMsNamesTheManifestOfTheSnapshotIfThereIsOne(t *testing.T) {
	r := describedRenderer(catalog.Marketplace{Name: "Souk"})
	for _, snapshot := range []bool{false, true} {
		text := string(r.WithSnapshot(snapshot).llms())
		if strings.Contains(text, "]("+describedAPI+strings.TrimPrefix("/"+SnapshotManifest, APIRoot)+")") != snapshot || strings.Contains(text, "snapshot") != snapshot {
			t.Errorf("with a snapshot %v it says:\n%s", snapshot, text)
		}
	}
}

func TestLLMsMentionsPagesIfTheReleaseHasThem(t *testing.T) {
	r := describedRenderer(catalog.Marketplace{Name: "Souk"})
	for pages, want := range map[bool]string{
		false: "maps. Each has a JSON document.\n", true: "maps. Each has a JSON document, and a page whose Markdown is at its address with `.md`.\n",
	} {
		text := string(r.WithPages(pages).llms())
		if !strings.Contains(text, want) {
			t.Errorf("with pages %v it does not say %q:\n%s", pages, want, text)
		}
		// The page of a slug's choices is not a category's, and is in no sitemap.
		want = map[bool]string{false: "article and market map\n", true: "article and market map, and their lists\n"}[pages]
		if !strings.Contains(text, "/sitemap.xml): the canonical page of each") || !strings.HasSuffix(text, want) {
			t.Errorf("with pages %v it does not say %q of the sitemap:\n%s", pages, want, text)
		}
	}
}

func TestTheAICatalogLinksToTheCardAndTheCardToMCP(t *testing.T) {
	r := describedRenderer(catalog.Marketplace{Name: "Bench & Byre"})
	var catalogue struct {
		SpecVersion string
		Entries     []struct{ Identifier, Type, URL string }
	}
	if err := json.Unmarshal(r.aiCatalog(nil), &catalogue); err != nil {
		t.Fatal(err)
	}
	if len(catalogue.Entries) != 1 || catalogue.Entries[0].URL != describedSite+"/"+ServerCardFile ||
		catalogue.Entries[0].Type != ContentType(ServerCardFile) || catalogue.Entries[0].Identifier != "urn:air:market.example:souk" {
		t.Errorf("the catalog is %s", r.aiCatalog(nil))
	}
	var card struct {
		Name, Version, Description, Title string
		Remotes                           []struct {
			Type, URL                 string
			SupportedProtocolVersions []string
		}
	}
	if err := json.Unmarshal(r.serverCard(), &card); err != nil {
		t.Fatal(err)
	}
	// SEP-2127, schema.ts.
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(card.Name) || len(card.Description) > 100 || len(card.Title) == 0 {
		t.Errorf("the card is %s", r.serverCard())
	}
	if len(card.Remotes) != 1 || card.Remotes[0].URL != "https://api.market.example/mcp" || card.Remotes[0].Type != "streamable-http" {
		t.Errorf("the card leads to %v", card.Remotes)
	}
}

func TestLLMsStartsWithNameAndDescription(t *testing.T) {
	text := string(describedRenderer(catalog.Marketplace{Name: "Bench & Byre", Description: catalog.Text{Source: "Robots,\n\n# and hands.\n"}}).llms())
	if want := "# Bench & Byre\n\n> Robots, and hands.\n\n"; !strings.HasPrefix(text, want) {
		t.Errorf("llms.txt begins with %q, want %q", text[:min(len(text), 80)], want)
	}
	if strings.Count(text, "\n# ") != 0 || strings.Contains(text, "\n\n\n") || !strings.HasSuffix(text, "\n") {
		t.Errorf("llms.txt is not laid out as llmstxt.org has it:\n%s", text)
	}
	for _, address := range []string{describedSite + "/sitemap.xml", describedAPI + "/openapi.json", describedSite + "/.well-known/api-catalog"} {
		if !strings.Contains(text, "("+address+")") {
			t.Errorf("llms.txt does not lead to %s", address)
		}
	}
}

func TestAPICatalogContainsEveryRelationOfTheEndpoints(t *testing.T) {
	type target struct{ Href, Type string }
	var catalogue struct {
		Linkset []map[string]json.RawMessage
	}
	data := describedRenderer(catalog.Marketplace{Name: "Souk"}).apiCatalog()
	if err := json.Unmarshal(data, &catalogue); err != nil {
		t.Fatal(err)
	}
	got := map[string][]target{}
	for _, context := range catalogue.Linkset {
		if string(context["anchor"]) != `"`+describedAPI+`"` {
			continue
		}
		delete(context, "anchor")
		for relation, links := range context {
			var list []target
			if err := json.Unmarshal(links, &list); err != nil {
				t.Fatal(err)
			}
			got[relation] = list
		}
	}
	want := map[string][]target{
		"service-doc":  {{describedSite + "/llms.txt", "text/plain"}},
		"service-meta": {{describedSite + "/.well-known/ai-catalog.json", "application/ai-catalog+json"}},
	}
	for _, e := range Endpoints() {
		if e.Relation != "" {
			want[e.Relation] = append(want[e.Relation], target{describedAPI + e.Path, "application/json"})
		}
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("the API catalog has %v, want %v", got, want)
	}
	if len(want["service-desc"]) != 1 || len(want["status"]) != 1 {
		t.Errorf("want one description and one status, got %v", want)
	}
}

func TestTheItemOfTheAPICatalogIsAnAddressThatAnswers(t *testing.T) {
	r := describedRenderer(catalog.Marketplace{Name: "Souk"})
	var catalogue struct {
		Linkset []struct {
			Anchor string
			Item   []struct{ Href, Type string }
		}
	}
	if err := json.Unmarshal(r.apiCatalog(), &catalogue); err != nil {
		t.Fatal(err)
	}
	first := catalogue.Linkset[0]
	if first.Anchor != describedSite+"/"+APICatalogFile || len(first.Item) != 1 || first.Item[0].Href != r.marketplace().APIURL || first.Item[0].Type != "application/json" {
		t.Errorf("the catalog leads to %+v", first)
	}
}

func TestRobotsTxtAllowsAllAndNamesTheSitemap(t *testing.T) {
	got := string(describedRenderer(catalog.Marketplace{Name: "Souk"}).robots())
	if want := "User-agent: *\nAllow: /\n\nSitemap: https://market.example/sitemap.xml\nAgentmap: https://market.example/.well-known/ard.json\n"; got != want {
		t.Errorf("robots.txt is %q, want %q", got, want)
	}
}

func TestStaticHealthIsOK(t *testing.T) {
	if got := string(describedRenderer(catalog.Marketplace{Name: "Souk"}).health()); got != `{"status":"ok"}`+"\n" {
		t.Errorf("health is %q", got)
	}
}

func TestRepresentativeQueriesAreTheLargestCategoriesAndAtLeastTwo(t *testing.T) {
	tree := func(names ...string) (roots []CategoryRoot) {
		root := CategoryRoot{}
		for i, name := range names {
			root.Categories = append(root.Categories, CategoryTree{CountedLink: CountedLink{Link: Link{Name: name}, ListingCount: i}})
		}
		return []CategoryRoot{root, root}
	}
	r := describedRenderer(catalog.Marketplace{Name: "Souk"})
	for _, tt := range []struct{ names, want []string }{
		{nil, []string{"Products", "Services"}},
		{[]string{"Robots"}, []string{"Robots", "Products"}},
		{[]string{"Products"}, []string{"Products", "Services"}},
		{[]string{"a", "b", "c", "d", "e", "f"}, []string{"f", "e", "d", "c", "b"}},
	} {
		if got := r.representativeQueries(tree(tt.names...)); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.names, got, tt.want)
		}
	}
}
