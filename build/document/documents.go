package document

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"souk/build/catalog"
)

func (r *Renderer) seller(n *catalog.Node) Seller {
	doc := r.profile(n)
	doc.Products, doc.Services = r.firstListings(n, catalog.Products), r.firstListings(n, catalog.Services)
	return doc
}

// profile is a Seller without its lists.
func (r *Renderer) profile(n *catalog.Node) Seller {
	s := n.Item().(*catalog.Seller)
	l := r.Link(n)
	doc := Seller{
		Kind: l.Kind, Slug: l.Slug, Name: l.Name, URL: l.URL, APIURL: l.APIURL,
		LegalName: s.LegalName, Tagline: s.Tagline, Summary: s.Summary, Website: r.web(s.Website), Founded: s.Founded,
		Languages: listOf(s.Languages), Description: r.text(s.Description), Pictures: r.textMedia(s.Description, nil),
		Links: r.labelled(s.Links), Details: make([]Detail, 0, len(s.Details)),
		Logo: r.logo(s), Categories: r.links(s.Categories), Proof: r.proof(s.Proof[:min(maxProof, len(s.Proof))]),
		Related: r.related(n, &s.Head), Actions: r.sellerActions(n, s), UpdatedAt: date(s.UpdatedAt), Domain: DomainAsWritten(s.OfficialDomain),
	}
	if s.Employees != "" {
		doc.Employees = employees(s.Employees)
	}
	doc.Headquarters, doc.Contact = headquarters(s), r.contact(s)
	doc.ListingCount = len(n.List(catalog.Products)) + len(n.List(catalog.Services))
	for _, d := range s.Details {
		if !r.withdrawn(d.Value) {
			doc.Details = append(doc.Details, Detail{Label: d.Label, Value: d.Value})
		}
	}
	return doc
}

func headquarters(s *catalog.Seller) *Headquarters {
	if h := s.Headquarters; h != nil {
		return &Headquarters{City: h.City, Region: h.Region, Country: h.Country}
	}
	return nil
}

// contact returns how to reach a Seller, or nil.
func (r *Renderer) contact(s *catalog.Seller) *Contact {
	if s.Contact == nil {
		return nil
	}
	c := &Contact{Email: s.Contact.Email, Telephone: s.Contact.Telephone, URL: r.web(s.Contact.URL)}
	if a := s.Contact.Address; a != nil {
		c.Address = new(PostalAddress(*a))
	}
	if *c == (Contact{}) {
		return nil
	}
	return c
}

// sellerActions returns the actions of a Seller. Without an official domain, claims and
// removals cannot be proved by mail.
func (r *Renderer) sellerActions(n *catalog.Node, s *catalog.Seller) []Action {
	here := r.documentURL(n.Ref().Path())
	actions := []Action{}
	if s.OfficialDomain != "" && !r.catalog.Market().NoClaims {
		actions = append(actions, Action{Rel: "claim", Method: "POST", Href: here + "/claims", Title: r.texts.Text("action.claim")})
	}
	if s.OfficialDomain != "" {
		actions = append(actions, Action{Rel: "requestRemoval", Method: "POST", Href: here + "/removal-requests", Title: r.texts.Text("action.requestRemoval")})
	}
	if website := r.web(s.Website); website != "" {
		actions = append(actions, Action{Rel: "visitWebsite", Method: "GET", Href: website, Title: r.texts.Text("action.visitWebsite")})
	}
	return append(actions, r.contactActions(s)...)
}

// contactActions returns the first way to reach a Seller, if there is one.
func (r *Renderer) contactActions(s *catalog.Seller) []Action {
	c := r.contact(s)
	href := ""
	switch {
	case c == nil:
	case c.URL != "":
		href = c.URL
	case c.Email != "":
		href = "mailto:" + c.Email
	case c.Telephone != "":
		href = TelephoneURL(c.Telephone)
	}
	if href == "" {
		return nil
	}
	return []Action{{Rel: "contact", Method: "GET", Href: href, Title: r.texts.Text("action.contact")}}
}

// TelephoneURL returns the tel: address of a telephone number as people write it (RFC 3966).
func TelephoneURL(number string) string {
	number = strings.ReplaceAll(number, "(0)", "")
	return "tel:" + strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, number)
}

func (r *Renderer) offer(n *catalog.Node, o *catalog.Offer) offer {
	l := r.Link(n)
	seller, media := r.Link(n.Seller()), r.mediaList(o.Media)
	doc := offer{
		Slug: l.Slug, CompanySlug: l.CompanySlug, Name: l.Name, URL: l.URL, APIURL: l.APIURL,
		Summary: o.Summary, Description: r.text(o.Description), Pictures: r.textMedia(o.Description, media)[len(media):], Seller: seller,
		Categories: r.links(o.Categories), Price: price(o.Price), Attributes: attributes(o.Attributes),
		Media: media, Website: r.web(o.Website), Links: r.labelled(o.Links), Proof: r.proof(o.Proof), Related: r.related(n, &o.Head), UpdatedAt: date(o.UpdatedAt),
		Actions: []Action{{Rel: "viewSeller", Method: "GET", Href: seller.APIURL, Title: r.texts.Text("action.viewSeller", "company", seller.Name)}},
	}
	for _, f := range o.Files {
		if m := r.catalog.Picture(f.File); m != nil {
			doc.Files = append(doc.Files, File{f.Label, r.mediaURL(m), m.Type, m.Bytes, f.Language})
		}
	}
	s := n.Seller().Item().(*catalog.Seller)
	doc.By = Seller{
		Name: seller.Name, URL: seller.URL, Tagline: s.Tagline, Logo: r.logo(s), Headquarters: headquarters(s),
		Languages: s.Languages, Proof: r.proof(s.Proof[:min(maxNotes, len(s.Proof))]),
	}
	if website := cmp.Or(doc.Website, r.web(s.Website)); website != "" {
		doc.Actions = append(doc.Actions, Action{Rel: "visitWebsite", Method: "GET", Href: website, Title: r.texts.Text("action.visitWebsite")})
	}
	doc.Actions = append(doc.Actions, r.contactActions(s)...)
	return doc
}

func (r *Renderer) product(n *catalog.Node) Product {
	o := n.Item().(*catalog.Offer)
	doc := Product{Kind: "product", offer: r.offer(n, o), SKU: o.SKU, GTIN: o.GTIN, Availability: o.Availability, Variants: make([]Variant, 0, len(o.Variants))}
	for _, v := range o.Variants {
		one := Variant{
			Name: v.Name, SKU: v.SKU, GTIN: v.GTIN, Attributes: attributes(v.Attributes), Price: price(cmp.Or(v.Price, o.Price)),
			Availability: cmp.Or(v.Availability, o.Availability),
		}
		if v.Image != nil {
			one.Image = r.media(v.Image.File, v.Image.URL, v.Image.Alt)
		}
		doc.Variants = append(doc.Variants, one)
	}
	return doc
}

func (r *Renderer) service(n *catalog.Node) Service {
	o := n.Item().(*catalog.Offer)
	return Service{Kind: "service", offer: r.offer(n, o), Delivery: o.Delivery, Regions: listOf(o.Regions)}
}

func (r *Renderer) category(n *catalog.Node) Category {
	doc := r.branch(n)
	doc.Listings, doc.Companies = r.firstListings(n, catalog.Listings), r.firstCompanies(n)
	return doc
}

// branch is a Category without its lists.
func (r *Renderer) branch(n *catalog.Node) Category {
	c := n.Item().(*catalog.Category)
	l := r.Link(n)
	doc := Category{
		Kind: l.Kind, RootKind: l.RootKind, Slug: l.Slug, Name: l.Name, URL: l.URL, APIURL: l.APIURL,
		Summary: c.Summary, Description: r.text(c.Description), Pictures: r.textMedia(c.Description, nil),
		Parents: []Link{}, Children: []CountedLink{}, ListingCount: len(n.List(catalog.Listings)),
		CompanyCount: len(n.List(catalog.Companies)), Countries: []CountryCount{}, PriceRanges: []PriceRange{}, CardAttributes: c.CardAttributes, Attributes: []AttributeUse{},
		Related: r.related(n, &c.Head), UpdatedAt: date(c.UpdatedAt),
	}
	tallies := n.Tallies()
	for _, one := range tallies.Countries() {
		doc.Countries = append(doc.Countries, CountryCount{one.Country, one.Listings})
	}
	const mostCurrencies = 3
	for _, one := range tallies.PriceRanges(mostCurrencies) {
		doc.PriceRanges = append(doc.PriceRanges, PriceRange{one.Currency, one.Min, one.Max, one.Listings})
	}
	const mostAttributes, mostValues = 50, 20
	for _, one := range tallies.Attributes(mostAttributes, mostValues) {
		doc.Attributes = append(doc.Attributes, attributeUse(one))
	}
	for _, p := range n.Parents() {
		doc.Parents = append(doc.Parents, r.Link(p))
	}
	for _, child := range n.Children() {
		doc.Children = append(doc.Children, r.counted(child))
	}
	return doc
}

// employees returns a whole number as a JSON number (RFC 8259, section 6) if it has no leading
// zero, and anything else as text.
func employees(text string) any {
	if strings.Trim(text, "0123456789") != "" || len(text) > 1 && text[0] == '0' {
		return text
	}
	return json.Number(text)
}

func attributeUse(one catalog.AttributeUse) AttributeUse {
	use := AttributeUse{
		Name: one.Name, Type: [...]string{catalog.TextValue: "text", catalog.NumberValue: "number", catalog.BooleanValue: "boolean"}[one.Kind],
		Unit: one.Unit, Min: json.Number(one.Min), Max: json.Number(one.Max), Count: one.Listings,
	}
	for _, v := range one.Values {
		use.Values = append(use.Values, AttributeValue{v.Value, v.Listings})
	}
	return use
}

func (r *Renderer) tree(nodes []*catalog.Node) []CategoryTree {
	trees := make([]CategoryTree, 0, len(nodes))
	for _, n := range nodes {
		trees = append(trees, CategoryTree{CountedLink: r.counted(n), Children: r.tree(n.Children())})
	}
	return trees
}

func (r *Renderer) rootLink(root catalog.Kind) Link {
	name := r.texts.Text("name.products")
	if root == catalog.KindService {
		name = r.texts.Text("name.services")
	}
	return Link{
		Kind: "categoryRoot", RootKind: root.String(), Slug: root.String(), Name: name,
		URL: r.pageURL("categories/" + root.String()), APIURL: r.documentURL("category-roots/" + root.String()),
	}
}

func (r *Renderer) categoryRoot(root catalog.Kind) CategoryRoot {
	l := r.rootLink(root)
	return CategoryRoot{
		Kind: l.Kind, RootKind: l.RootKind, Slug: l.Slug, Name: l.Name, URL: l.URL, APIURL: l.APIURL,
		Categories: r.tree(r.catalog.Tops(root)),
	}
}

// categoryPage returns the page of a slug, or false if no current category has it.
func (r *Renderer) categoryPage(slug string) (CategoryPage, bool) {
	path := "categories/" + slug
	doc := CategoryPage{
		Kind: "categoryPage", Slug: slug, URL: r.pageURL(path), APIURL: r.documentURL(path),
		Types: []CountedLink{}, Related: []Link{},
	}
	for _, root := range catalog.Roots {
		n := r.catalog.Node(catalog.CategoryRef(root, slug))
		if n == nil || !n.Current() {
			continue
		}
		doc.Types = append(doc.Types, r.counted(n))
		doc.Name = cmp.Or(doc.Name, n.Head().Name)
		doc.Summary = cmp.Or(doc.Summary, n.Head().Summary)
		for _, l := range r.related(n, n.Head()) {
			if !slices.ContainsFunc(doc.Related, func(other Link) bool { return other.URL == l.URL }) && len(doc.Related) < maxRelated {
				doc.Related = append(doc.Related, l)
			}
		}
	}
	return doc, len(doc.Types) > 0
}

// categoryPageAt returns the page at the address of a slug: the slug's own page or, if no
// current category has the slug, the page of a category that had it before, products first.
func (r *Renderer) categoryPageAt(slug string) (CategoryPage, bool) {
	page, there := r.categoryPage(slug)
	for _, root := range catalog.Roots {
		if n := r.catalog.At(catalog.CategoryRef(root, slug)); !there && n != nil && n.Current() {
			page, there = r.categoryPage(n.Ref().Slug)
		}
	}
	return page, there
}

func (r *Renderer) article(n *catalog.Node) Article {
	a := n.Item().(*catalog.Article)
	l := r.Link(n)
	return Article{
		Kind: l.Kind, Slug: l.Slug, Title: l.Name, URL: l.URL, APIURL: l.APIURL,
		Summary: a.Summary, Authors: listOf(a.Authors), Source: r.text(a.Description), Media: r.articleMedia(a),
		Related: r.related(n, &a.Head), PublishedAt: date(a.PublishedAt), UpdatedAt: date(a.UpdatedAt),
		Actions: []Action{{Rel: "viewPage", Method: "GET", Href: l.URL, Title: r.texts.Text("action.viewArticle")}},
	}
}

// articleMedia returns the pictures that the author lists, then those that only the text
// shows.
func (r *Renderer) articleMedia(a *catalog.Article) []Media {
	return r.textMedia(a.Description, r.mediaList(a.Media))
}

// textMedia adds the pictures in a text.
func (r *Renderer) textMedia(text catalog.Text, all []Media) []Media {
	for _, t := range text.Targets {
		if t.File == "" || !t.Image {
			continue
		}
		m := r.media(t.File, "", t.Alt)
		if m != nil && !slices.ContainsFunc(all, func(other Media) bool { return other.URL == m.URL }) {
			all = append(all, *m)
		}
	}
	return all
}

// largeMap is the number of entries above which a Market Map is large.
const largeMap = 100

// Large reports whether the map is too large to show all of its entries on its page and to
// describe them in its document: every edit of a member would write all of it again.
func (m MarketMap) Large() bool {
	entries := 0
	for _, s := range m.Segments {
		entries += len(s.Entries)
	}
	return entries > largeMap
}

// brief returns the map with its entries reduced to Links and notes.
func (m MarketMap) brief() MarketMap {
	m.Segments = slices.Clone(m.Segments)
	for i, s := range m.Segments {
		m.Segments[i].Entries = make([]MapEntry, len(s.Entries))
		for at, e := range s.Entries {
			m.Segments[i].Entries[at] = MapEntry{Link: e.Link, Note: e.Note}
		}
	}
	return m
}

func (r *Renderer) marketMap(n *catalog.Node) MarketMap {
	m := n.Item().(*catalog.MarketMap)
	l := r.Link(n)
	doc := MarketMap{
		Kind: l.Kind, Slug: l.Slug, Title: l.Name, URL: l.URL, APIURL: l.APIURL,
		Summary: m.Summary, Description: r.text(m.Description), Pictures: r.textMedia(m.Description, nil), Segments: make([]Segment, 0, len(m.Segments)),
		Related: r.related(n, &m.Head), PublishedAt: date(m.PublishedAt), UpdatedAt: date(m.UpdatedAt),
		Actions: []Action{{Rel: "viewPage", Method: "GET", Href: l.URL, Title: r.texts.Text("action.viewMap")}},
	}
	for _, s := range m.Segments {
		segment := Segment{Name: s.Name, Summary: s.Summary, Entries: make([]MapEntry, 0, len(s.Entries))}
		if s.Category != nil {
			if c := r.catalog.Node(s.Category.Ref); c != nil && c.Current() {
				link := r.Link(c)
				segment.Category = &link
			}
		}
		for _, e := range s.Entries {
			if target := r.catalog.Node(e.Ref); target != nil && target.Current() {
				segment.Entries = append(segment.Entries, r.mapEntry(target, e.Note))
			}
		}
		doc.Segments = append(doc.Segments, segment)
	}
	return doc
}
