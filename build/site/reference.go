package site

import (
	"html/template"
	"strings"

	"souk/build/document"
)

// reference returns the API reference.
func (s *Site) reference(d document.APIReference) []view {
	v := s.start("reference", s.text("site.reference"), s.text("site.reference.lead"), s.market.SiteURL+document.ReferencePath, s.market.APIURL+"/openapi.json")
	v.Crumbs = s.crumbs(Crumb{v.Title, v.URL})
	v.Doc = d
	return []view{v}
}

// described renders the program's own Markdown about the API and caches the result; there is a
// fixed number of such texts.
func (s *Site) described(text string) template.HTML {
	if !strings.ContainsAny(text, "`*[\n") {
		return template.HTML("<p>" + template.HTMLEscapeString(text) + "</p>")
	}
	if made, known := s.told.Load(text); known {
		return made.(template.HTML)
	}
	made := s.prose(text, "noopener", nil, false)
	s.told.Store(text, made)
	return made
}
