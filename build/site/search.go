package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"souk/build/document"
)

// A found is what the page of a search shows. Without a Result a script fills the
// page, if it says nothing.
type found struct {
	Result *document.SearchResult
	// Browse are categories to begin with, where nothing was found.
	Browse []document.CategoryDirection
	// Bad: what was asked for means nothing. Away: there is no answer now.
	Bad, Away bool
	// Plain is the address of the same search without filters, if it has any.
	Plain string
	// Limit is how many results were asked for, if that is not what a page has.
	Limit string
}

// Search returns the page of what was found for the parameters of a request. Where
// nothing was found, it shows the categories in which anything lies.
func (s *Site) Search(parameters url.Values, result document.SearchResult, browse []document.CategoryDirection) ([]byte, error) {
	f := found{Result: &result, Browse: browse, Limit: parameters.Get("limit")}
	for _, filter := range document.SearchFilters() {
		if parameters.Has(filter) {
			f.Plain = s.searchAt(url.Values{"q": parameters["q"]}, 0)
		}
	}
	v := s.searching(f)
	v.Query = result.Query
	if result.Offset > 0 && result.Limit > 0 {
		v.Previous = s.searchAt(parameters, max(0, result.Offset-result.Limit))
	}
	if result.Next != "" {
		v.Next = s.searchAt(parameters, result.Offset+result.Limit)
	}
	return s.rendered(v)
}

// SearchRefused returns the page for a search that means nothing, with categories
// to begin with instead.
func (s *Site) SearchRefused(query string, browse []document.CategoryDirection) ([]byte, error) {
	v := s.searching(found{Bad: true, Browse: browse, Plain: s.searchAt(url.Values{"q": {query}}, 0)})
	v.Query = query
	return s.rendered(v)
}

// SearchAway returns the page for the moments in which search cannot answer.
func (s *Site) SearchAway(query string) ([]byte, error) {
	v := s.searching(found{Away: true})
	v.Query = query
	return s.rendered(v)
}

func (s *Site) searching(f found) view {
	v := s.start("search", s.text("site.search"), "", s.market.SiteURL+document.SearchPath, "")
	v.Crumbs, v.Hidden, v.Doc = s.crumbs(Crumb{v.Title, v.URL}), true, f
	return v
}

// searchAt returns the address of another page of the same search.
func (s *Site) searchAt(parameters url.Values, offset int) string {
	p := url.Values{}
	for name, values := range parameters {
		p[name] = values
	}
	p.Del("offset")
	if offset > 0 {
		p.Set("offset", strconv.Itoa(offset))
	}
	return s.market.SiteURL + document.SearchPath + "?" + p.Encode()
}

// Selected reports whether a filter has a selected value.
func (f found) Selected(filter document.SearchFilter) bool { return selected(filter.Values) }

func selected(values []document.SearchFilterValue) bool {
	return slices.ContainsFunc(values, func(v document.SearchFilterValue) bool { return v.Selected })
}

// shownValues is how many values of a filter are shown before the rest is folded.
const shownValues = 8

// First returns the values of a filter that are always shown.
func (f found) First(filter document.SearchFilter) []document.SearchFilterValue {
	return filter.Values[:min(shownValues, len(filter.Values))]
}

// Rest returns the values that are folded.
func (f found) Rest(filter document.SearchFilter) []document.SearchFilterValue {
	return filter.Values[min(shownValues, len(filter.Values)):]
}

// Open reports whether folded values are to be seen at once: one is selected.
func (f found) Open(rest []document.SearchFilterValue) bool { return selected(rest) }

// A piece is a part of a name; Hit is where a word of the query is.
type piece struct {
	Text string
	Hit  bool
}

// marked cuts a name where its words begin with a word of the query of at least two
// letters or digits, whatever their case and accents. templates/site/script.js does
// the same; a test holds the two together.
func marked(name, query string) (pieces []piece) {
	var asked []string
	for _, word := range strings.FieldsFunc(folded(query), between) {
		if utf8.RuneCountInString(word) > 1 {
			asked = append(asked, word)
		}
	}
	add := func(text string) {
		if text == "" {
			return
		}
		word := folded(text)
		hit := slices.ContainsFunc(asked, func(a string) bool { return strings.HasPrefix(word, a) })
		if last := len(pieces) - 1; last >= 0 && !hit && !pieces[last].Hit {
			pieces[last].Text += text
			return
		}
		pieces = append(pieces, piece{text, hit})
	}
	from, within := 0, false
	for i, r := range name {
		if word := !between(r); word != within {
			add(name[from:i])
			from, within = i, word
		}
	}
	add(name[from:])
	return pieces
}

// between reports whether a character is between words. Accents of their own belong
// to their letter.
func between(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }

// folded folds case and takes accents off.
func folded(text string) string {
	without, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), text)
	if err != nil {
		without = text
	}
	return strings.ToLower(without)
}

// A choice is a value of a filter, with the filter's name.
type choice struct {
	Name string
	document.SearchFilterValue
}

func choose(name string, v document.SearchFilterValue) choice { return choice{name, v} }
