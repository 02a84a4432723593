package site

import (
	"cmp"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"souk/build/document"
)

// A found is the content of a search page. Without a Result, Bad or Away, a script fills the
// page.
type found struct {
	// Search says what is searched for.
	Search document.Search
	// Result of a search of companies has these as its Companies.
	Result *document.SearchResult
	// Browse are categories to begin with if nothing was found.
	Browse []document.CategoryDirection
	// Bad means that the parameters are wrong; Faults says why. Away means that search is
	// unavailable.
	Bad, Away bool
	Faults    []document.FieldError
	// Plain is the address of the same search without filters, or "" if it has none.
	Plain string
	// Sets are the filters, Orders the orders of the results.
	Sets   sets
	Orders []choice
	// Chips are the chosen values, each with the address of the search without it.
	Chips []document.Link
	// Literal is the address of the same search for the literal words, if the text was
	// interpreted.
	Literal string
	// Limit is the number of results requested, if it is not the default.
	Limit string
}

// Search returns the page of results for the parameters of a request. If nothing was found, it
// shows the categories that have listings.
func (s *Site) Search(of document.Search, parameters url.Values, result document.SearchResult, browse []document.CategoryDirection) ([]byte, error) {
	f := found{Search: of, Result: &result, Browse: browse, Limit: parameters.Get("limit")}
	for _, filter := range of.Filters {
		if parameters.Has(filter) {
			f.Plain = s.searchAt(of, url.Values{"q": parameters["q"]}, 0)
		}
	}
	f.Sets, f.Orders = s.sets(result.Filters, result.Total), s.orders(of, parameters, result.Filters)
	f.Chips = s.chips(of, parameters, f.Sets)
	if f.Understood() != nil {
		words := maps.Clone(parameters)
		words.Set("interpret", "off")
		f.Literal = s.searchAt(of, words, 0)
	}
	v := s.searching(result.Query, f)
	if result.Offset > 0 && result.Limit > 0 {
		v.Previous = s.searchAt(of, parameters, max(0, result.Offset-result.Limit))
	}
	if result.Next != "" {
		v.Next = s.searchAt(of, parameters, result.Offset+result.Limit)
	}
	return s.rendered(v)
}

// SearchRefused returns the page for wrong parameters, with the faults and categories to begin
// with instead.
func (s *Site) SearchRefused(of document.Search, query string, faults []document.FieldError, browse []document.CategoryDirection) ([]byte, error) {
	plain := s.searchAt(of, url.Values{"q": {query}}, 0)
	return s.rendered(s.searching(query, found{Search: of, Bad: true, Faults: faults, Browse: browse, Plain: plain}))
}

// SearchAway returns the page for times when search is unavailable.
func (s *Site) SearchAway(of document.Search, query string) ([]byte, error) {
	return s.rendered(s.searching(query, found{Search: of, Away: true}))
}

// searching returns the page of a search. Its title begins with the query, which identifies it
// in tabs and the browser's history.
func (s *Site) searching(query string, f found) view {
	f.Browse = s.toldApart(f.Browse)
	v := s.start("search", s.text("site.search"), "", s.market.SiteURL+f.Search.Path, "")
	v.Crumbs = s.crumbs(Crumb{v.Title, v.URL})
	if f.OfCompanies() {
		v.Title = s.text("site.search.companies")
		v.Crumbs = s.crumbs(s.companies(), Crumb{s.text("site.search"), v.URL})
	}
	v.Hidden, v.Query, v.Doc = true, query, f
	if asked := strings.TrimSpace(query); asked != "" {
		v.Title = asked + " · " + v.Title
	}
	return v
}

// OfCompanies reports whether it is companies that are searched for.
func (f found) OfCompanies() bool { return f.Search.Of == document.CompanySearch().Of }

// Idle reports whether there is nothing to narrow or to order.
func (f found) Idle() bool { return f.Result == nil || f.Result.Total == 0 && len(f.Sets) == 0 }

// Companies returns the companies that the page shows; beside listings, only on the first page.
func (f found) Companies() []document.CompanyHit {
	if f.Result.Offset > 0 && !f.OfCompanies() {
		return nil
	}
	return f.Result.Companies.Items
}

// Count returns how many listings were found, or else how many companies.
func (f found) Count() int { return cmp.Or(f.Result.Total, f.Result.Companies.Total) }

// searchAt returns the address of another page of the same search.
func (s *Site) searchAt(of document.Search, parameters url.Values, offset int) string {
	p := url.Values{}
	for name, values := range parameters {
		p[name] = values
	}
	p.Del("offset")
	if offset > 0 {
		p.Set("offset", strconv.Itoa(offset))
	}
	return s.market.SiteURL + of.Path + "?" + p.Encode()
}

// A piece is a part of a text. Hit means that it matches a word of the query.
type piece struct {
	Text string
	Hit  bool
}

// marked splits a text at its matches, given in Unicode code points.
func marked(text string, found [][2]int) (pieces []piece) {
	letters, at := []rune(text), 0
	add := func(to int, hit bool) {
		if to = min(to, len(letters)); to > at {
			pieces = append(pieces, piece{string(letters[at:to]), hit})
			at = to
		}
	}
	for _, part := range found {
		add(part[0], false)
		add(part[1], true)
	}
	add(len(letters), false)
	return pieces
}

// Name returns the name of a result with the matches marked.
func (f found) Name(hit document.SearchHit) []piece {
	if hit.Highlight == nil {
		return marked(hit.Name, nil)
	}
	return marked(hit.Name, hit.Highlight.Name)
}

// Snippet returns the matching part of a result's text, or else its summary.
func (f found) Snippet(hit document.SearchHit) []piece {
	if hit.Highlight == nil || hit.Highlight.Snippet == "" {
		return marked(hit.Summary, nil)
	}
	return marked(hit.Highlight.Snippet, hit.Highlight.SnippetHighlight)
}
