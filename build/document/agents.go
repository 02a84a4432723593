package document

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// This file describes MCP to agents that do not know the marketplace yet.

// MCPVersion is the version of the MCP tools.
const MCPVersion = "1.0.0"

// MCPProtocols returns the supported versions of the protocol, newest first.
func MCPProtocols() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

const (
	aiCatalogType    = "application/ai-catalog+json"
	serverCardType   = "application/mcp-server-card+json"
	serverCardSchema = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
	// serverName is the name of the server below the marketplace's domain.
	serverName = "souk"
)

// MCP returns the address at which a running program answers MCP: at the origin of the API,
// like search, below the same folder.
func (a Addresses) MCP() string {
	if root, ok := strings.CutSuffix(a.API, APIRoot); ok {
		return root + MCPPath
	}
	return a.Site + MCPPath
}

// host returns the host of the site.
func (a Addresses) host() string {
	if u, err := url.Parse(a.Site); err == nil {
		return u.Hostname()
	}
	return "localhost" // cannot happen: siteUrl has been checked
}

// aiCatalog returns the AI Catalog (github.com/Agent-Card/ai-catalog). It says that the
// marketplace answers MCP and where its card is.
func (r *Renderer) aiCatalog(roots []CategoryRoot) []byte {
	about, at := r.describe(), r.Addresses()
	return indentedJSON(orderedMap{
		{"specVersion", "1.0"},
		{"host", orderedMap{{"displayName", about.Name}, {"identifier", at.host()}}},
		{"entries", []orderedMap{{
			{"identifier", "urn:air:" + at.host() + ":" + serverName},
			{"displayName", about.Name},
			{"description", serverDescription},
			{"type", serverCardType},
			{"url", r.site + "/" + ServerCardFile},
			{"representativeQueries", r.representativeQueries(roots)},
		}}},
	})
}

// representativeQueries returns 2 to 5 queries that the market answers: the names of its
// largest categories, then what every market has.
func (r *Renderer) representativeQueries(roots []CategoryRoot) (queries []string) {
	const fewest, most = 2, 5
	var largest []CategoryTree
	for _, root := range roots {
		largest = append(largest, root.Categories...)
	}
	slices.SortStableFunc(largest, func(a, b CategoryTree) int { return cmp.Compare(b.ListingCount, a.ListingCount) })
	for _, c := range largest {
		if len(queries) < most && !slices.Contains(queries, c.Name) {
			queries = append(queries, c.Name)
		}
	}
	for _, text := range []string{"name.products", "name.services"} {
		if one := r.texts.Text(text); len(queries) < fewest && !slices.Contains(queries, one) {
			queries = append(queries, one)
		}
	}
	return queries
}

const serverDescription = "Search and read the market's sellers, products and services. Read-only; no key needed."

// serverCard returns the card of the MCP server (SEP-2127). It describes the server and its
// address, not its tools.
func (r *Renderer) serverCard() []byte {
	about, at := r.describe(), r.Addresses()
	labels := strings.Split(at.host(), ".")
	slices.Reverse(labels)
	return indentedJSON(orderedMap{
		{"$schema", serverCardSchema},
		{"name", strings.Join(labels, ".") + "/" + serverName},
		{"version", MCPVersion},
		{"description", serverDescription},
		{"title", ServerTitle(about.Name)},
		{"websiteUrl", r.site},
		{"remotes", []orderedMap{{
			{"type", "streamable-http"}, {"url", about.MCP}, {"supportedProtocolVersions", MCPProtocols()},
		}}},
	})
}

// ServerTitle returns the title of the MCP server of a market with this name, cut to the 100
// characters that a card allows. The card and the server itself use it.
func ServerTitle(market string) string {
	r := []rune(oneLine(market))
	return string(r[:min(len(r), 100)])
}
