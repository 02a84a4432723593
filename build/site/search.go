package site

import (
	"bytes"
	"net/url"
	"strconv"

	"souk/build/document"
)

// A found is what the page of a search shows. Without a Result a script fills the
// page.
type found struct {
	Result     *document.SearchResult
	parameters url.Values
}

// Search returns the page of what was found for the parameters of a request.
func (s *Site) Search(parameters url.Values, result document.SearchResult) ([]byte, error) {
	v := s.searching(found{&result, parameters})
	v.Query = result.Query
	if result.Offset > 0 {
		v.Previous = s.searchAt(parameters, max(0, result.Offset-result.Limit))
	}
	if result.Next != "" {
		v.Next = s.searchAt(parameters, result.Offset+result.Limit)
	}
	var b bytes.Buffer
	err := s.layout[v.Layout].Execute(&b, v)
	return b.Bytes(), err
}

func (s *Site) searching(f found) view {
	v := s.start("search", s.text("site.search"), "", s.market.SiteURL+"/search", "")
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
	return s.market.SiteURL + "/search?" + p.Encode()
}

// Selected reports whether a filter has a selected value.
func (f found) Selected(filter document.SearchFilter) bool {
	for _, v := range filter.Values {
		if v.Selected {
			return true
		}
	}
	return false
}
