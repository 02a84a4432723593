package site

import (
	"fmt"
	"strings"

	"souk/build/document"
)

// list writes the home page, a category, a list or a page of the operator's own.
func (w *writer) list(value any) {
	s := w.site
	switch d := value.(type) {
	case document.Home:
		w.heading(1, d.Name)
		w.source(d.Description, underTitle)
		w.companies(s.text("site.featured"), d.Chosen.Companies)
		w.cards(s.text("site.featured"), d.Chosen.Listings)
		w.summaries(s.text("site.featured"), d.Chosen.Summaries)
		for _, root := range d.Roots {
			w.tree(2, root)
		}
		w.cards(s.text("site.newest"), d.Newest)
		w.paragraph(link(fmt.Sprintf("%s (%d)", s.text("name.companies"), d.Counts.Sellers), s.market.SiteURL+"/companies"))
		w.summaries(s.text("name.articles"), d.Articles)
		w.summaries(s.text("name.maps"), d.MarketMaps)
	case document.CategoryRoot:
		w.tree(1, d)
	case document.CategoryPage:
		w.heading(1, d.Name)
		w.paragraph(plain(d.Summary))
		w.counted(d.Types)
		w.related(d.Related)
	case document.Category:
		w.heading(1, d.Name)
		w.paragraph(plain(d.Summary))
		w.source(d.Description, underTitle)
		for _, p := range d.Parents {
			w.line("- %s", link(p.Name, p.URL))
		}
		w.counted(d.Children)
		w.listings(s.text(rootTexts[d.RootKind]), d.Listings, true)
		w.companies(fmt.Sprintf("%s (%d)", s.text("name.companies"), d.Companies.Total), d.Companies.Items)
		w.next(d.Companies.Next)
		w.related(d.Related)
	case document.SellerList:
		w.heading(1, fmt.Sprintf("%s (%d)", s.text("name.companies"), d.Total))
		w.companies("", d.Items)
		w.next(d.Next)
	case document.SellerPageDocument:
		w.heading(1, d.Of.Name)
		w.companies("", d.Items)
		w.next(d.Next)
	case document.ListingPageDocument:
		w.heading(1, d.Of.Name)
		w.cards("", d.Items)
		w.next(d.Next)
	case document.SummaryList:
		w.heading(1, fmt.Sprintf("%s (%d)", d.Title, d.Total))
		w.summaries("", d.Items)
		w.next(d.Next)
	case document.SummaryPageDocument:
		w.heading(1, d.Of.Name)
		w.summaries("", d.Items)
		w.next(d.Next)
	case document.OwnPage:
		w.heading(1, d.Title)
		w.paragraph(plain(d.Summary))
		w.source(d.Source, underTitle)
	}
}

// titled writes a heading, if there is one, for a list that is not empty, and reports
// whether it is not.
func (w *writer) titled(title string, items int) bool {
	if items > 0 && title != "" {
		w.heading(2, title)
	}
	return items > 0
}

func (w *writer) tree(level int, root document.CategoryRoot) {
	w.heading(level, root.Name)
	for _, c := range root.Categories {
		w.line("- %s (%d)", link(c.Name, c.URL), c.ListingCount)
		for _, child := range c.Children {
			w.line("  - %s (%d)", link(child.Name, child.URL), child.ListingCount)
		}
	}
	w.line("")
}

func (w *writer) counted(links []document.CountedLink) {
	for _, l := range links {
		w.line("- %s (%d)", link(l.Name, l.URL), l.ListingCount)
	}
	w.line("")
}

// entry writes an item of a list: a line, and what is said about it, if anything.
func (w *writer) entry(line, about string) {
	if about != "" {
		line += ": " + plain(about)
	}
	w.line("- %s", line)
}

func (w *writer) companies(title string, cards []document.CompanyCard) {
	if !w.titled(title, len(cards)) {
		return
	}
	for _, c := range cards {
		line := link(c.Name, c.URL)
		if c.Headquarters != nil {
			line += ", " + plain(w.site.place(c.Headquarters))
		}
		w.entry(line, strings.TrimSpace(c.Tagline+" "+c.Summary))
	}
	w.line("")
}

func (w *writer) cards(title string, cards []document.Listing) {
	if w.titled(title, len(cards)) {
		w.items(cards, true)
		w.line("")
	}
}

func (w *writer) summaries(title string, all []document.Summary) {
	if !w.titled(title, len(all)) {
		return
	}
	for _, one := range all {
		w.entry(link(one.Title, one.URL), one.Summary)
	}
	w.line("")
}

// next writes a link to the next page of a list, given its document, if there is one.
func (w *writer) next(apiURL string) {
	if apiURL != "" {
		w.paragraph(link(w.site.text("site.next"), w.site.page(apiURL)))
	}
}
