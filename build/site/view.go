package site

import (
	"cmp"
	"encoding/json"
	"html/template"
	"strings"

	"souk/build/document"
)

// A view is one page: the data of its frame and of its layout.
type view struct {
	file, Layout string

	Market *Config
	Policy template.HTMLAttr
	// Title and Description are plain text.
	Title, Description string
	// URL is the canonical address, or empty for a page without one. JSON is the address of
	// the document, and Markdown that of the page as Markdown, if there is one.
	URL, JSON, Markdown string
	// Type is an Open Graph type.
	Type string
	// Image is the social preview.
	Image string
	// Crumbs are the breadcrumbs from the market to this page, which is the last one.
	Crumbs []Crumb
	// Data is the page's schema.org data.
	Data any
	// Hidden pages are excluded from search engines.
	Hidden bool
	// Bare pages have no search and no feed, because there is only one thing to do on them.
	Bare bool
	// Refresh redirects to another page at once.
	Refresh template.HTMLAttr
	// Previous and Next are the neighbouring pages of a list.
	Previous, Next string
	// Query is the text of a search, Typed the content of a form.
	Query string
	Typed Typed
	Doc   any
}

// Way returns the breadcrumbs before the page's own.
func (v view) Way() []Crumb { return v.Crumbs[:len(v.Crumbs)-1] }

// Here returns the name of the page in its breadcrumbs.
func (v view) Here() string { return v.Crumbs[len(v.Crumbs)-1].Name }

// JSONLD returns the page's schema.org data.
func (v view) JSONLD() (template.JS, error) {
	var all []any
	switch {
	case v.Hidden:
		return "", nil
	case v.Data != nil:
		all = append(all, v.Data)
	}
	if len(v.Crumbs) > 0 {
		all = append(all, breadcrumbs(v.Crumbs))
	}
	// Marshal writes "<", ">" and "&" in a form that cannot end a script element.
	body, err := json.Marshal(all)
	return template.JS(body), err
}

// A group is related items with one relation. Name is empty for those that are just related.
type group struct {
	Name  string
	Links []document.Link
}

// related are the related items of a page, grouped: the first are shown, the rest is folded.
type related struct {
	Total       int
	First, Rest []group
}

const shownRelated = 12

func (s *Site) related(links []document.Link) related {
	n := min(shownRelated, len(links))
	return related{len(links), s.byRelation(links[:n]), s.byRelation(links[n:])}
}

// byRelation groups related items by their relation, in the order in which relations occur.
func (s *Site) byRelation(links []document.Link) (all []group) {
	places := map[string]int{}
	for _, l := range links {
		name := s.relation(l)
		at, known := places[name]
		if !known {
			at = len(all)
			places[name] = at
			all = append(all, group{Name: name})
		}
		all[at].Links = append(all[at].Links, l)
	}
	return all
}

// A Crumb is one breadcrumb.
type Crumb struct{ Name, URL string }

// view returns the pages of a public document, the one that is also Markdown first. ok is
// false for a value without pages.
func (s *Site) view(value any) (views []view, ok bool) {
	views, ok = s.pages(value)
	if _, reference := value.(document.APIReference); ok && !reference {
		views[0].Markdown = document.MarkdownOf(views[0].URL)
	}
	return views, ok
}

func (s *Site) pages(value any) (views []view, ok bool) {
	switch d := value.(type) {
	case document.Home:
		return s.home(d), true
	case document.Seller:
		return s.seller(d), true
	case document.Product:
		return s.product(d), true
	case document.Service:
		return s.service(d), true
	case document.Category:
		return s.category(d), true
	case document.CategoryPage:
		return s.categoryPage(d), true
	case document.CategoryRoot:
		return s.categoryRoot(d), true
	case document.SummaryList:
		return s.summaries(d), true
	case document.Article:
		return s.article(d), true
	case document.MarketMap:
		return s.marketMap(d), true
	case document.OwnPage:
		return s.own(d), true
	case document.ListingPageDocument:
		return s.furtherListings(d), true
	case document.SummaryPageDocument:
		return s.furtherSummaries(d), true
	case document.SellerList:
		return s.sellers(d), true
	case document.SellerPageDocument:
		return s.furtherSellers(d), true
	case document.APIReference:
		return s.reference(d), true
	}
	return nil, false
}

// start returns a view with the parts that every page has.
func (s *Site) start(layout, title, description, url, json string) view {
	return view{
		Layout: layout, file: document.HTMLFile(strings.TrimPrefix(url, s.market.SiteURL)),
		Market: &s.market, Policy: s.policy, Type: "website",
		Title: title, Description: description, URL: url, JSON: json, Image: s.preview(nil, nil),
	}
}

func (s *Site) crumbs(list ...Crumb) []Crumb {
	return append([]Crumb{{s.market.Name, s.market.SiteURL + "/"}}, list...)
}

func (s *Site) companies() Crumb {
	return Crumb{s.text("name.companies"), s.market.SiteURL + "/companies"}
}

func (s *Site) root(kind string) Crumb {
	return Crumb{s.text(rootTexts[kind]), s.market.SiteURL + "/categories/" + kind}
}

func crumb(l document.Link) Crumb { return Crumb{l.Name, l.URL} }

func (s *Site) home(d document.Home) []view {
	v := s.start("home", s.market.Name, s.market.Description, d.URL, d.APIURL)
	v.Doc = d
	v.Data = s.website()
	return []view{v}
}

func (s *Site) seller(d document.Seller) []view {
	v := s.start("seller", d.Name, cmp.Or(d.Summary, d.Tagline), d.URL, d.APIURL)
	v.Type, v.Image = "profile", s.preview(d.Logo, nil)
	v.Crumbs = s.crumbs(s.companies(), Crumb{d.Name, d.URL})
	v.Doc, v.Data = d, s.organization(d)
	company := document.Link{Kind: d.Kind, Slug: d.Slug, Name: d.Name, URL: d.URL, APIURL: d.APIURL}
	claim, remove := s.form(document.ClaimForm, company), s.form(document.RemoveForm, company)
	claim.Typed.Domain, remove.Typed.Domain = d.Domain, d.Domain
	if !d.Can("claim") {
		claim.Typed.Outcome = FormClosed
	}
	if !d.Can("requestRemoval") {
		remove.Typed.Outcome = FormClosed
	}
	return []view{v, claim, remove}
}

func (s *Site) product(d document.Product) []view {
	v := s.start("product", d.Name+" · "+d.Seller.Name, d.Summary, d.URL, d.APIURL)
	v.Type, v.Image = "product", s.preview(nil, d.Media)
	v.Crumbs = s.crumbs(s.companies(), crumb(d.Seller), Crumb{d.Name, d.URL})
	v.Doc, v.Data = d, s.productData(d)
	return []view{v}
}

func (s *Site) service(d document.Service) []view {
	v := s.start("service", d.Name+" · "+d.Seller.Name, d.Summary, d.URL, d.APIURL)
	v.Image = s.preview(nil, d.Media)
	v.Crumbs = s.crumbs(s.companies(), crumb(d.Seller), Crumb{d.Name, d.URL})
	v.Doc, v.Data = d, s.serviceData(d)
	return []view{v}
}

func (s *Site) category(d document.Category) []view {
	v := s.start("category", d.Name, cmp.Or(d.Summary, s.market.Description), d.URL, d.APIURL)
	v.Crumbs = s.crumbs(s.root(d.RootKind))
	for _, p := range d.Parents {
		v.Crumbs = append(v.Crumbs, crumb(p))
	}
	// Other categories may have the same name, under the other root or below another category.
	v.Title += " · " + v.Crumbs[len(v.Crumbs)-1].Name
	v.Crumbs = append(v.Crumbs, Crumb{d.Name, d.URL})
	v.Doc, v.Data = d, s.listing(d.Name, d.Listings.Items)
	v.Next = s.beside(d.Listings.Next)
	return []view{v, s.embed(d)}
}

func (s *Site) categoryPage(d document.CategoryPage) []view {
	v := s.start("categories", d.Name, cmp.Or(d.Summary, s.market.Description), d.URL, d.APIURL)
	v.Crumbs = s.crumbs(Crumb{d.Name, d.URL})
	v.Doc = d
	return []view{v}
}

func (s *Site) categoryRoot(d document.CategoryRoot) []view {
	v := s.start("root", d.Name, s.text(rootLeads[d.RootKind]), d.URL, d.APIURL)
	v.Crumbs = s.crumbs(s.root(d.RootKind))
	v.Doc = d
	return []view{v}
}

func (s *Site) summaries(d document.SummaryList) []view {
	v := s.start("summaries", d.Title, s.market.Description, d.URL, d.APIURL)
	v.Crumbs = s.crumbs(Crumb{v.Title, d.URL})
	v.Doc, v.Next = d, s.beside(d.Next)
	return []view{v}
}

func (s *Site) sellers(d document.SellerList) []view {
	v := s.start("sellers", s.text("name.companies"), s.market.Description, d.URL, d.APIURL)
	v.Crumbs = s.crumbs(s.companies())
	v.Doc, v.Next = d, s.beside(d.Next)
	return []view{v}
}

func (s *Site) furtherSellers(d document.SellerPageDocument) []view {
	v := s.start("moreSellers", further(s, d.Of, d.Items, func(c document.CompanyCard) string { return c.Name }), "", s.page(d.APIURL), d.APIURL)
	v.Crumbs = s.crumbs(s.companies(), Crumb{s.text("site.page"), v.URL})
	v.Doc, v.Previous, v.Next = d, s.beside(d.Previous), s.beside(d.Next)
	return []view{v}
}

func (s *Site) article(d document.Article) []view {
	v := s.start("article", d.Title, d.Summary, d.URL, d.APIURL)
	v.Type, v.Image = "article", s.preview(nil, d.Media)
	v.Crumbs = s.crumbs(Crumb{s.text("name.articles"), s.market.SiteURL + "/articles"}, Crumb{d.Title, d.URL})
	v.Doc, v.Data = d, s.articleData(d)
	return []view{v}
}

func (s *Site) marketMap(d document.MarketMap) []view {
	v := s.start("map", d.Title, d.Summary, d.URL, d.APIURL)
	v.Type = "article"
	v.Crumbs = s.crumbs(Crumb{s.text("name.maps"), s.market.SiteURL + "/market-maps"}, Crumb{d.Title, d.URL})
	v.Doc, v.Data = d, s.mapData(d)
	return []view{v, s.embed(d)}
}

// own returns one of the operator's own pages.
func (s *Site) own(d document.OwnPage) []view {
	v := s.start("page", d.Title, d.Summary, d.URL, "")
	v.Image = s.preview(nil, d.Media)
	v.Crumbs = s.crumbs(Crumb{d.Title, d.URL})
	v.Doc = d
	return []view{v}
}

func (s *Site) furtherListings(d document.ListingPageDocument) []view {
	v := s.start("listings", further(s, d.Of, d.Items, func(l document.Listing) string { return l.Name }), "", s.page(d.APIURL), d.APIURL)
	v.Crumbs = s.crumbs(crumb(d.Of))
	if d.Of.Kind == "seller" {
		v.Crumbs = s.crumbs(s.companies(), crumb(d.Of))
	}
	v.Crumbs = append(v.Crumbs, Crumb{s.text("site.page"), v.URL})
	v.Doc, v.Previous, v.Next = d, s.beside(d.Previous), s.beside(d.Next)
	return []view{v}
}

func (s *Site) furtherSummaries(d document.SummaryPageDocument) []view {
	v := s.start("moreSummaries", further(s, d.Of, d.Items, func(one document.Summary) string { return one.Title }), "", s.page(d.APIURL), d.APIURL)
	v.Crumbs = s.crumbs(crumb(d.Of), Crumb{s.text("site.page"), v.URL})
	v.Doc, v.Previous, v.Next = d, s.beside(d.Previous), s.beside(d.Next)
	return []view{v}
}

// further returns the title of a further page of a list. Its first and last item distinguish
// it from the others.
func further[T any](s *Site, of document.Link, items []T, name func(T) string) string {
	title := s.text("site.further", "name", of.Name)
	switch n := len(items); n {
	case 0:
		return title
	case 1:
		return title + ": " + name(items[0])
	default:
		return title + ": " + name(items[0]) + " – " + name(items[n-1])
	}
}

// beside returns the page for the document of another page of the list, if there is one.
func (s *Site) beside(apiURL string) string {
	if apiURL == "" {
		return ""
	}
	return s.page(apiURL)
}

// missing returns the page for unknown addresses. It has no address of its own.
func (s *Site) missing() view {
	v := s.start("missing", s.text("site.missing"), "", "", "")
	v.file, v.Hidden = document.MissingFile, true
	return v
}

// removed returns the page for removed addresses.
func (s *Site) removed() view {
	v := s.missing()
	v.Layout, v.Title, v.file = "gone", s.text("site.gone"), document.RemovedFile
	return v
}
