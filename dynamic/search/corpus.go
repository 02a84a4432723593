package search

import (
	"souk/build/catalog"
	"souk/build/document"
	"souk/templates/texts"
)

// A Corpus is what search needs of one state of the catalog. It holds Items,
// which never change, and copies of everything else, so that it stays valid
// while the catalog changes.
type Corpus struct {
	addresses  document.Addresses
	language   string
	texts      *texts.Catalogue
	listings   []listing
	sellers    []seller
	categories []category
	articles   []article
	synonyms   []synonym
}

// A synonym says that whoever asks for from may also mean any of to; both are a
// word or a phrase. Equals have a synonym each, to all the others.
type synonym struct {
	from string
	to   []string
}

// synonymsOf returns those of the operator, each word or phrase with all that it may
// mean: words that mean the same are from and to at once.
func synonymsOf(groups []catalog.Synonyms) (list []synonym) {
	for _, g := range groups {
		for _, from := range g.From {
			one := synonym{from: from}
			for _, to := range g.To {
				if to != from {
					one.to = append(one.to, to)
				}
			}
			list = append(list, one)
		}
	}
	return list
}

// A listing is a current Product or Service.
type listing struct {
	offer *catalog.Offer
	// key is the Node's: lists are ordered by it.
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
	// pins are the listings that come first where the category is chosen, as long
	// as they are in it, in the author's order: indices, known once the corpus is
	// sorted.
	pins []int32
}

// Extract copies what search needs. Only the goroutine that owns the catalog
// may call it; it reads every current offer once and renders nothing.
func Extract(c *catalog.Catalog, r *document.Renderer) *Corpus {
	x := &extraction{
		catalog: c, renderer: r, corpus: &Corpus{
			addresses: r.Addresses(), language: c.Market().Language, texts: r.Texts(), synonyms: synonymsOf(c.Synonyms()),
		},
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
		case catalog.KindArticle, catalog.KindMarketMap:
			x.corpus.articles = append(x.corpus.articles, article{n.Item(), r.Link(n)})
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
	renderer   *document.Renderer
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
	l := listing{offer: o, key: n.Key(), image: x.renderer.CardImage(n), seller: x.sellers[n.Seller()], categories: make([]int32, 0, len(o.Categories))}
	for _, m := range o.Categories {
		if at, current := x.categories[x.catalog.Node(m.Ref)]; current && !contains(l.categories, at) {
			l.categories = append(l.categories, at)
		}
	}
	x.corpus.sellers[l.seller].offers++
	x.corpus.listings = append(x.corpus.listings, l)
}

// pin finds the listings that the categories pin.
func (c *Corpus) pin() {
	pinned := map[catalog.Ref]int32{}
	for i := range c.categories {
		for _, m := range c.categories[i].item.Pins {
			pinned[m.Ref] = -1
		}
	}
	if len(pinned) == 0 {
		return
	}
	for i := range c.listings {
		if _, wanted := pinned[c.listings[i].offer.Ref]; wanted {
			pinned[c.listings[i].offer.Ref] = int32(i)
		}
	}
	for i := range c.categories {
		one := &c.categories[i]
		for _, m := range one.item.Pins {
			if at := pinned[m.Ref]; at >= 0 && c.in(&c.listings[at], int32(i)) {
				one.pins = append(one.pins, at)
			}
		}
	}
}

// in reports whether a listing is in a category or one of its descendants.
func (c *Corpus) in(l *listing, category int32) bool {
	for _, at := range l.categories {
		if contains(c.categories[at].lineage, category) {
			return true
		}
	}
	return false
}

func contains(list []int32, one int32) bool {
	for _, x := range list {
		if x == one {
			return true
		}
	}
	return false
}

// card returns the Listing of a listing, equal to the one in the documents.
func (c *Corpus) card(l *listing) document.Listing {
	categories := make([]document.Link, 0, len(l.categories))
	for _, at := range l.categories {
		categories = append(categories, c.categories[at].link)
	}
	return c.addresses.Listing(l.offer, c.sellers[l.seller].link, categories, l.image)
}

// link returns the Link to a listing.
func (c *Corpus) link(l *listing) document.Link { return c.addresses.Link(l.offer.Ref, l.offer.Name) }

// categoryValue returns a category as filters name it, such as product/robots.
func categoryValue(l document.Link) string { return l.RootKind + "/" + l.Slug }
