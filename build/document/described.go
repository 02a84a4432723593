package document

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"souk/templates"
)

// A description is the data for the texts that describe the API.
type description struct {
	Name string
	// Summary is the marketplace's own description on one line, or "".
	Summary string
	// Description is the Summary, or else a text that fits any marketplace.
	Description string
	Site        string
	// MCP is the address at which a running program answers MCP.
	MCP string
	API string
	// Pages and Snapshot report whether the release contains them.
	Pages, Snapshot bool
}

func (r *Renderer) describe() description {
	market := r.catalog.Market()
	about := description{Name: oneLine(market.Name), Summary: market.Summary(), Site: r.site, API: r.api, MCP: r.Addresses().MCP(), Pages: r.pages, Snapshot: r.snapshot}
	about.Description = cmp.Or(about.Summary, "A marketplace of companies, their products and their services.")
	return about
}

// oneLine joins the lines of a text, because a line break would end a heading or quotation.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// text executes a template.
func (d description) text(name string) string {
	var b strings.Builder
	if err := templates.Text.ExecuteTemplate(&b, name, d); err != nil {
		// The templates are built in and tested.
		panic(fmt.Sprintf("document: %v", err))
	}
	return b.String()
}

// llms returns the description for agents, in the form of llmstxt.org.
func (r *Renderer) llms() []byte { return []byte(r.describe().text("llms.txt.tmpl")) }

// robots returns the rules for crawlers: everything is open, and the sitemap is the place to
// begin.
func (r *Renderer) robots() []byte { return []byte(r.describe().text("robots.txt.tmpl")) }

// health returns the response of a static host: it is up.
func (r *Renderer) health() []byte {
	body, err := NewEncoder().bytes(Health{Status: "ok"})
	if err != nil {
		panic(fmt.Sprintf("document: %v", err)) // a struct of strings can always be encoded
	}
	return body
}

// apiCatalog returns the API catalog (RFC 9727), a linkset (RFC 9264), which says where the
// API, its descriptions and its status are. The API is named by its root, which has no
// document; the item is the place to begin.
func (r *Renderer) apiCatalog() []byte {
	links := map[string][]orderedMap{
		"service-doc": {{{"href", r.site + "/" + LLMsFile}, {"type", "text/plain"}}},
	}
	for _, e := range Endpoints() {
		if e.Relation != "" {
			links[e.Relation] = append(links[e.Relation], orderedMap{{"href", r.api + e.Path}, {"type", jsonType}})
		}
	}
	links["service-meta"] = append(links["service-meta"], orderedMap{{"href", r.site + "/" + AICatalogFile}, {"type", aiCatalogType}})
	api := orderedMap{{"anchor", r.api}}
	for _, relation := range slices.Sorted(maps.Keys(links)) {
		api = api.set(relation, links[relation])
	}
	return indentedJSON(orderedMap{{"linkset", []orderedMap{
		{{"anchor", r.site + "/" + APICatalogFile}, {"item", []orderedMap{{{"href", r.documentURL("")}, {"type", jsonType}}}}},
		api,
	}}})
}
