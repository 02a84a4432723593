package site

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/export/mappicture"
	"souk/templates"
	"souk/templates/texts"
)

// An overview is a Market Map, or a Category as one: what its picture and its page
// for frames show.
type overview struct {
	Title, Summary string
	URL, APIURL    string
	Parts          []part
}

// A part is a segment of an overview.
type part struct {
	Name string
	// URL is where its name leads, if anywhere.
	URL string
	// Count is of all its members, of which Entries may be the first; all of them
	// are in what All names.
	Count   int
	All     string
	Entries []document.MapEntry
}

// overview returns that of a public document; ok is false for one that has none.
func (s *Site) overview(value any) (o overview, ok bool) {
	switch d := value.(type) {
	case document.MarketMap:
		o = overview{Title: d.Title, Summary: d.Summary, URL: d.URL, APIURL: d.APIURL}
		for _, segment := range d.Segments {
			p := part{Name: segment.Name, All: segment.Name, Count: len(segment.Entries), Entries: segment.Entries}
			if segment.Category != nil {
				p.URL = segment.Category.URL
			}
			o.Parts = append(o.Parts, p)
		}
		return o, true
	case document.Category:
		return s.categoryOverview(d), true
	}
	return o, false
}

// categoryOverview shows the listings that the document of a Category has, which is
// the first page of them, and its companies.
func (s *Site) categoryOverview(d document.Category) overview {
	listings := part{Name: s.named(rootTexts)(d.RootKind), URL: d.URL, All: d.Name, Count: d.Listings.Total}
	for _, l := range d.Listings.Items {
		listings.Entries = append(listings.Entries, document.MapEntry{
			Link: document.Link{Kind: l.Kind, Name: l.Name, URL: l.URL, APIURL: l.APIURL}, Image: l.Image,
		})
	}
	o := overview{Title: d.Name, Summary: d.Summary, URL: d.URL, APIURL: d.APIURL}
	companies := part{Name: s.text("name.companies"), URL: d.URL, All: d.Name, Count: d.CompanyCount}
	for _, c := range d.Companies.Items {
		companies.Entries = append(companies.Entries, document.MapEntry{
			Link: document.Link{Kind: c.Kind, Name: c.Name, URL: c.URL, APIURL: c.APIURL}, Logo: c.Logo,
		})
	}
	o.Parts = slices.DeleteFunc([]part{listings, companies}, func(p part) bool { return p.Count == 0 })
	return o
}

// picture returns the picture of an overview: link returns the address that a link
// has in it, and logo that of a picture, each of an address of a document.
func (s *Site) picture(o overview, link, logo func(address string) string) []byte {
	m := mappicture.Map{
		Title: o.Title, Summary: o.Summary, Language: s.market.Language, URL: led(o.URL, link), Generator: document.Generator,
		RightToLeft: texts.DirectionOf(s.market.Language) == "rtl", Light: s.light, Dark: s.dark, Segments: make([]mappicture.Segment, 0, len(o.Parts)),
	}
	for _, p := range o.Parts {
		segment := mappicture.Segment{Name: p.Name, URL: led(p.URL, link), Count: p.Count, Tiles: make([]mappicture.Tile, 0, len(p.Entries)+1)}
		for _, e := range p.Entries {
			tile := mappicture.Tile{Name: e.Name, URL: led(e.URL, link), Mark: templates.Initial(e.Name)}
			if address := logoOf(e); safe(address, true) {
				tile.Logo = logo(address)
			}
			segment.Tiles = append(segment.Tiles, tile)
		}
		if more := p.Count - len(p.Entries); more > 0 {
			segment.Tiles = append(segment.Tiles, mappicture.Tile{
				Name: s.text("site.allIn", "category", p.All), URL: led(p.URL, link), Mark: "+" + s.format.count(more),
			})
		}
		m.Segments = append(m.Segments, segment)
	}
	return mappicture.Draw(m)
}

// logoOf returns the address of the picture of an entry, or "".
func logoOf(e document.MapEntry) string {
	switch {
	case e.Logo != nil:
		return e.Logo.URL
	case e.Image != nil:
		return e.Image.URL
	}
	return ""
}

// led returns what a link to an address has, or nothing where none may lead there.
func led(address string, link func(string) string) string {
	if !safe(address, false) {
		return ""
	}
	return link(address)
}

// Picture returns the picture of a Market Map for use apart from the site: links
// are whole addresses, and logo returns what is in the place of a logo's address;
// where that is empty, an initial is shown.
func (s *Site) Picture(d document.MarketMap, logo func(address string) string) []byte {
	o, _ := s.overview(d)
	return s.picture(o, func(address string) string { return address }, logo)
}

// embed returns the page of an overview that is made for the frames of other sites.
func (s *Site) embed(value any) view {
	o, _ := s.overview(value)
	o.Parts = shortened(o.Parts)
	v := s.start("embed", o.Title, o.Summary, s.embedURL(o.URL), o.APIURL)
	v.Hidden, v.Doc = true, o
	return v
}

// mostEmbedded is about how many entries a page for frames has at most: with the
// digests in the addresses of logos, more would be more than 30 KB compressed.
const mostEmbedded = 600

// shortened returns parts with their first entries where there are too many in all.
func shortened(parts []part) []part {
	total := 0
	for _, p := range parts {
		total += len(p.Entries)
	}
	if total <= mostEmbedded {
		return parts
	}
	share := max(1, mostEmbedded/len(parts))
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Entries = parts[i].Entries[:min(share, len(parts[i].Entries))]
	}
	return parts
}

// embedURL returns the address of the page for frames, given that of the page.
func (s *Site) embedURL(url string) string {
	return s.market.SiteURL + document.EmbedPath(strings.TrimPrefix(url, s.market.SiteURL))
}

// embedCode returns the HTML with which another site shows the page for frames.
func (s *Site) embedCode(url, title string) string {
	return fmt.Sprintf(`<iframe src="%s" title="%s" width="100%%" height="600" loading="lazy" style="border:0"></iframe>`,
		html.EscapeString(s.embedURL(url)), html.EscapeString(title))
}
