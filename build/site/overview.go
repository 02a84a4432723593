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

// An overview is a Market Map, or a Category in the form of one, as its picture and its page
// for frames show it.
type overview struct {
	Title, Summary string
	URL, APIURL    string
	Parts          []part
}

// A part is a segment of an overview.
type part struct {
	Name string
	// URL is the target of its name, or "".
	URL string
	// Count is the number of all members. Entries may be only the first of them; All names the
	// place that lists all.
	Count   int
	All     string
	Entries []document.MapEntry
}

// overview returns the overview of a public document. ok is false if it has none.
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

// categoryOverview shows the listings in a Category's document, which are the first page, and
// its companies.
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

// picture returns the picture of an overview. link returns the target in the picture for a
// document's address; logo does the same for a logo's address.
func (s *Site) picture(o overview, link, logo func(address string) string) []byte {
	m := mappicture.Map{
		Title: o.Title, Summary: o.Summary, Language: s.market.Language, URL: led(o.URL, link), Generator: document.Generator,
		RightToLeft: texts.DirectionOf(s.market.Language) == "rtl", Light: s.light, Dark: s.dark, Segments: make([]mappicture.Segment, 0, len(o.Parts)),
	}
	for _, p := range o.Parts {
		segment := mappicture.Segment{Name: p.Name, URL: led(p.URL, link), Count: p.Count, Tiles: make([]mappicture.Tile, 0, len(p.Entries)+1)}
		for _, e := range p.Entries {
			tile := mappicture.Tile{Name: e.Name, URL: led(e.URL, link), Mark: templates.Initial(e.Name), Note: e.Note}
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

// logoOf returns the address of an entry's picture, or "".
func logoOf(e document.MapEntry) string {
	switch {
	case e.Logo != nil:
		return e.Logo.URL
	case e.Image != nil:
		return e.Image.URL
	}
	return ""
}

// led returns the attributes of a link to an address, or nothing if a link must not point
// there.
func led(address string, link func(string) string) string {
	if !safe(address, false) {
		return ""
	}
	return link(address)
}

// Picture returns the picture of a Market Map for use outside the site: links are absolute,
// and logo returns the source for a logo's address, or "" to show an initial.
func (s *Site) Picture(d document.MarketMap, logo func(address string) string) []byte {
	o, _ := s.overview(d)
	return s.picture(o, func(address string) string { return address }, logo)
}

// embed returns the page of an overview for frames on other sites.
func (s *Site) embed(value any) view {
	o, _ := s.overview(value)
	o.Parts = shortened(o.Parts)
	v := s.start("embed", o.Title, o.Summary, s.embedURL(o.URL), o.APIURL)
	v.Hidden, v.Doc = true, o
	return v
}

// mostEmbedded is roughly the maximum number of entries on a page for frames. More would
// exceed 30 KB compressed, because addresses of logos contain digests.
const mostEmbedded = 600

// shortened returns parts with only their first entries if there are too many in total.
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

// embedURL returns the address of the page for frames, given the page's address.
func (s *Site) embedURL(url string) string {
	return s.market.SiteURL + document.EmbedPath(strings.TrimPrefix(url, s.market.SiteURL))
}

// embedCode returns the HTML that embeds the page for frames in another site.
func (s *Site) embedCode(url, title string) string {
	return fmt.Sprintf(`<iframe src="%s" title="%s" width="100%%" height="600" loading="lazy" style="border:0"></iframe>`,
		html.EscapeString(s.embedURL(url)), html.EscapeString(title))
}
