package search

import (
	"strings"

	"souk/build/catalog"
	"souk/build/document"
)

// A Corpus is what search needs of one state of the catalog. It holds Items,
// which never change, and copies of everything else, so that it stays true
// while the catalog goes on.
type Corpus struct {
	site, api  string
	language   string
	listings   []listing
	sellers    []seller
	categories []category
}

// A listing is a current Product or Service.
type listing struct {
	offer *catalog.Offer
	// key is the name as lists are ordered by it.
	key string
	// seller and categories are indices; categories are the current ones in the
	// author's order.
	seller     int32
	categories []int32
	image      *document.Image
}

type seller struct {
	item    *catalog.Seller
	link    document.Link
	country string
	// offers is the number of its listings.
	offers int
}

type category struct {
	item *catalog.Category
	link document.Link
	// lineage is the category itself and its current ancestors, nearest first.
	lineage  []int32
	listings int
}

// Extract copies what search needs. It is to be called by the goroutine that
// owns the catalog; it reads every current offer once and renders nothing.
func Extract(c *catalog.Catalog, r *document.Renderer) *Corpus {
	x := &extraction{
		catalog: c, corpus: &Corpus{site: r.SiteURL(), api: r.APIURL(), language: c.Market().Language},
		sellers: map[*catalog.Node]int32{}, categories: map[*catalog.Node]int32{},
	}
	var offers []*catalog.Node
	c.Each(func(n *catalog.Node) {
		if !n.Current() {
			return
		}
		switch n.Ref().Kind {
		case catalog.KindSeller:
			x.seller(n, r.Link(n))
		case catalog.KindCategory:
			x.category(n, r.Link(n))
		case catalog.KindProduct, catalog.KindService:
			offers = append(offers, n)
		}
	})
	for n, at := range x.categories {
		line := []int32{at}
		for p := n.Parent(); p != nil; p = p.Parent() {
			line = append(line, x.categories[p])
		}
		x.corpus.categories[at].lineage = line
	}
	x.corpus.listings = make([]listing, 0, len(offers))
	for _, n := range offers {
		x.listing(n)
	}
	return x.corpus
}

type extraction struct {
	catalog    *catalog.Catalog
	corpus     *Corpus
	sellers    map[*catalog.Node]int32
	categories map[*catalog.Node]int32
}

func (x *extraction) seller(n *catalog.Node, link document.Link) {
	s := seller{item: n.Item().(*catalog.Seller), link: link}
	if h := s.item.Headquarters; h != nil {
		s.country = h.Country
	}
	x.sellers[n] = int32(len(x.corpus.sellers))
	x.corpus.sellers = append(x.corpus.sellers, s)
}

func (x *extraction) category(n *catalog.Node, link document.Link) {
	x.categories[n] = int32(len(x.corpus.categories))
	x.corpus.categories = append(x.corpus.categories, category{
		item: n.Item().(*catalog.Category), link: link, listings: len(n.List(catalog.Listings)),
	})
}

func (x *extraction) listing(n *catalog.Node) {
	o := n.Item().(*catalog.Offer)
	l := listing{offer: o, seller: x.sellers[n.Seller()], categories: make([]int32, 0, len(o.Categories))}
	for _, m := range o.Categories {
		if at, current := x.categories[x.catalog.Node(m.Ref)]; current && !contains(l.categories, at) {
			l.categories = append(l.categories, at)
		}
	}
	s := &x.corpus.sellers[l.seller]
	s.offers++
	l.image = x.image(o, s.item)
	x.corpus.listings = append(x.corpus.listings, l)
}

func contains(list []int32, one int32) bool {
	for _, x := range list {
		if x == one {
			return true
		}
	}
	return false
}

// image gives the picture of a card, as the Listings of documents have it: the
// first of the offer that is a file, else the seller's logo.
func (x *extraction) image(o *catalog.Offer, s *catalog.Seller) *document.Image {
	for _, p := range o.Media {
		if p.File == "" {
			continue
		}
		if m := x.catalog.Media(p.File); m != nil {
			return x.picture(m, p.Alt)
		}
	}
	switch {
	case s.Logo == nil:
		return nil
	case s.Logo.File == "":
		return &document.Image{URL: s.Logo.URL, Alt: s.Logo.Alt}
	}
	if m := x.catalog.Media(s.Logo.File); m != nil {
		return x.picture(m, s.Logo.Alt)
	}
	return nil
}

func (x *extraction) picture(m *catalog.Media, alt string) *document.Image {
	return &document.Image{
		URL: x.corpus.site + "/" + document.MediaFolder + m.Name, Alt: alt, Width: m.Width, Height: m.Height,
	}
}

// card gives the Listing of a listing, equal to that of the public documents.
func (c *Corpus) card(l *listing) document.Listing {
	o, ref := l.offer, l.offer.Ref
	path := ref.Path()
	card := document.Listing{
		Kind: ref.Kind.String(), CompanySlug: ref.Company, Slug: ref.Slug, Name: o.Name, Summary: o.Summary,
		URL: c.site + "/" + path, APIURL: c.api + "/marketplace/" + path,
		Seller: c.sellers[l.seller].link, Categories: make([]document.Link, 0, len(l.categories)),
		Image: l.image, UpdatedAt: o.UpdatedAt.String(),
	}
	for _, at := range l.categories {
		card.Categories = append(card.Categories, c.categories[at].link)
	}
	if p := o.Price; p != nil {
		card.Price = &document.Price{Amount: p.Amount, Currency: p.Currency, Unit: p.Unit, From: p.From}
	}
	return card
}

// link gives the Link to a listing.
func (c *Corpus) link(l *listing) document.Link {
	ref := l.offer.Ref
	path := ref.Path()
	return document.Link{
		Kind: ref.Kind.String(), CompanySlug: ref.Company, Slug: ref.Slug, Name: l.offer.Name,
		URL: c.site + "/" + path, APIURL: c.api + "/marketplace/" + path,
	}
}

// categoryValue gives a category as filters write it, as in product/robots.
func categoryValue(l document.Link) string { return l.RootKind + "/" + l.Slug }

// lowerKey gives the name by which lists are ordered.
func lowerKey(name string) string { return strings.ToLower(name) }
