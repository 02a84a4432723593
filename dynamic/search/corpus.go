package search

import (
	"cmp"
	"encoding/binary"
	"errors"
	"sync/atomic"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/templates/texts"
)

// A Corpus is the documents of a release as search numbers them. What there is one of
// for each listing is read from the parts when it is asked for.
type Corpus struct {
	set *index.Set
	// spilled is what the index of it keeps out of the heap.
	spilled spill
	refs    atomic.Int64

	addresses document.Addresses
	language  string
	texts     *texts.Catalogue
	synonyms  []synonym
	segments  []segment
	// places are where the listings are, in the order of lists: so the number of a
	// listing breaks ties of score.
	places []place
	// sellerOf is the seller of each listing.
	sellerOf   []int32
	sellers    []seller
	categories []category
	articles   []article
	// categoryAt leads to categories by their References.
	categoryAt map[catalog.Ref]int32
}

// A place is a document of a segment.
type place struct{ segment, document uint32 }

// A segment is a part of the release, with the number of the listing that each
// document is, -1 for what is none or is not living.
type segment struct {
	index.View
	listings []int32
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
	held  index.Listing
	// seller and categories are indices; categories are the current ones in the
	// author's order.
	seller     int32
	categories []int32
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
	// as they are in it, in the author's order: indices.
	pins []int32
}

// newCorpus numbers the documents of a Set, which belongs to it from then on.
func newCorpus(set *index.Set) *Corpus {
	c := &Corpus{
		set: set, addresses: set.Addresses, language: set.Language, texts: texts.New(set.Language, set.Texts),
		synonyms: synonymsOf(set.Synonyms), segments: make([]segment, len(set.Views)), categoryAt: map[catalog.Ref]int32{},
	}
	c.refs.Store(1)
	below := map[int32]catalog.Ref{}
	bySlug := map[string]int32{}
	for i := range set.Views {
		s := segment{set.Views[i], make([]int32, set.Views[i].Documents())}
		for at := range s.listings {
			s.listings[at] = -1
			if !s.Lives(uint32(at)) {
				continue
			}
			switch s.Kind(at) {
			case catalog.KindProduct, catalog.KindService:
				c.places = append(c.places, place{uint32(i), uint32(at)})
			case catalog.KindSeller:
				bySlug[c.seller(s.Seller(at))] = int32(len(c.sellers) - 1)
			case catalog.KindCategory:
				one := s.Category(at)
				below[int32(len(c.categories))] = one.Below
				c.categoryAt[one.Ref] = int32(len(c.categories))
				c.categories = append(c.categories, category{item: one.Category, link: c.addresses.Link(one.Ref, one.Name)})
			default:
				item := s.Article(at)
				c.articles = append(c.articles, article{item, c.addresses.Link(item.Common().Ref, item.Common().Name), s.Digest(at)})
			}
		}
		c.segments[i] = s
	}
	for at := range c.categories {
		for up, there := int32(at), true; there && len(c.categories[at].lineage) <= len(c.categories); up, there = c.at(below[up]) {
			c.categories[at].lineage = append(c.categories[at].lineage, up)
		}
	}
	c.sort()
	c.sellerOf = make([]int32, len(c.places))
	seen := make([]int32, len(c.categories))
	for i, p := range c.places {
		c.segments[p.segment].listings[p.document] = int32(i)
		company := c.segments[p.segment].Placed(int(p.document), func(ref catalog.Ref) {
			at, current := c.categoryAt[ref]
			if !current {
				return
			}
			for _, up := range c.categories[at].lineage {
				if seen[up] != int32(i)+1 {
					seen[up] = int32(i) + 1
					c.categories[up].listings++
				}
			}
		})
		c.sellerOf[i] = bySlug[company]
		c.sellers[c.sellerOf[i]].offers++
	}
	c.pin()
	return c
}

func (c *Corpus) at(ref catalog.Ref) (at int32, current bool) {
	at, current = c.categoryAt[ref]
	return at, current
}

// seller adds a seller and returns its companySlug.
func (c *Corpus) seller(item *catalog.Seller) (slug string) {
	s := seller{item: item, link: c.addresses.SellerLink(item.Ref.Slug, item.Name)}
	if h := item.Headquarters; h != nil {
		s.country = h.Country
	}
	c.sellers = append(c.sellers, s)
	return item.Ref.Slug
}

// sort puts the listings into the order of lists. Those of a part are in order, so it
// merges: each time every two runs that are neighbours.
func (c *Corpus) sort() {
	// Compare the first eight bytes of what they are sorted by before they are read
	// themselves, elsewhere in memory.
	type keyed struct {
		first uint64
		place
	}
	order, other := make([]keyed, len(c.places)), make([]keyed, len(c.places))
	runs := []int{0} // where each begins, and the end
	for i, p := range c.places {
		var first [8]byte
		c.segments[p.segment].Key(int(p.document), first[:])
		order[i] = keyed{binary.BigEndian.Uint64(first[:]), p}
		if i > 0 && p.segment != c.places[i-1].segment {
			runs = append(runs, i)
		}
	}
	runs = append(runs, len(order))
	compare := func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.first, b.first), c.segments[a.segment].Compare(int(a.document), c.segments[b.segment].Part, int(b.document)))
	}
	for len(runs) > 2 {
		merged := []int{0}
		for i := 0; i+1 < len(runs); i += 2 {
			from, middle, to := runs[i], runs[i+1], runs[min(i+2, len(runs)-1)]
			into := other[from:from]
			for a, b := from, middle; a < middle || b < to; {
				if b == to || a < middle && compare(order[a], order[b]) <= 0 {
					into, a = append(into, order[a]), a+1
				} else {
					into, b = append(into, order[b]), b+1
				}
			}
			merged = append(merged, to)
		}
		order, other, runs = other, order, merged
	}
	for i := range order {
		c.places[i] = order[i].place
	}
}

// listing returns one by its number, without its description.
func (c *Corpus) listing(at uint32) listing {
	p := c.places[at]
	l := listing{held: c.segments[p.segment].Listing(int(p.document))}
	l.categories = make([]int32, 0, len(l.held.In))
	c.place(at, &l)
	return l
}

// eachListing calls yield for all, in their order, without their descriptions. A listing is
// valid until the next one, and its texts only as long as the parts are open.
func (c *Corpus) eachListing(yield func(at uint32, l *listing)) {
	l := listing{held: index.Listing{Offer: &catalog.Offer{}}}
	for at, p := range c.places {
		c.segments[p.segment].ReadListing(int(p.document), &l.held)
		c.place(uint32(at), &l)
		yield(uint32(at), &l)
	}
}

// place completes a listing that was read.
func (c *Corpus) place(at uint32, l *listing) {
	l.offer, l.categories = l.held.Offer, l.categories[:0]
	for _, ref := range l.held.In {
		if at, current := c.categoryAt[ref]; current {
			l.categories = append(l.categories, at)
		}
	}
	if c.sellerOf != nil {
		l.seller = c.sellerOf[at]
	}
}

// described returns a listing with its description.
func (c *Corpus) described(at uint32) listing {
	l, p := c.listing(at), c.places[at]
	l.offer.Description.Source = c.segments[p.segment].Description(int(p.document))
	return l
}

// name returns the name of a listing.
func (c *Corpus) name(at uint32) string {
	p := c.places[at]
	return c.segments[p.segment].Name(int(p.document))
}

// analysed returns what the words of a listing are of.
func (c *Corpus) analysed(l listing) index.Analysed {
	a := index.Analysed{Offer: l.offer, Seller: c.sellers[l.seller].item.Name}
	for _, at := range l.categories {
		var line []*catalog.Category
		for _, up := range c.categories[at].lineage {
			line = append(line, c.categories[up].item)
		}
		a.Lineages = append(a.Lineages, line)
	}
	return a
}

// acquire keeps the parts open until release. It returns false if they are closed.
func (c *Corpus) acquire() bool {
	for {
		n := c.refs.Load()
		if n <= 0 {
			return false
		}
		if c.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release undoes one acquire or, once, newCorpus. The last one closes the parts.
func (c *Corpus) release() error {
	if c.refs.Add(-1) > 0 {
		return nil
	}
	return errors.Join(c.set.Close(), c.spilled.close())
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
	for i, p := range c.places {
		ref := c.segments[p.segment].Ref(int(p.document))
		if _, wanted := pinned[ref]; wanted {
			pinned[ref] = int32(i)
		}
	}
	for i := range c.categories {
		one := &c.categories[i]
		for _, m := range one.item.Pins {
			if at := pinned[m.Ref]; at >= 0 && c.in(c.listing(uint32(at)), int32(i)) {
				one.pins = append(one.pins, at)
			}
		}
	}
}

// in reports whether a listing is in a category or one of its descendants.
func (c *Corpus) in(l listing, category int32) bool {
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
func (c *Corpus) card(l listing) document.Listing {
	categories := make([]document.Link, 0, len(l.categories))
	for _, at := range l.categories {
		categories = append(categories, c.categories[at].link)
	}
	return c.addresses.Listing(l.offer, c.sellers[l.seller].link, categories, l.held.Image())
}

// link returns the Link to a listing.
func (c *Corpus) link(l listing) document.Link { return c.addresses.Link(l.offer.Ref, l.offer.Name) }

// categoryValue returns a category as filters name it, such as product/robots.
func categoryValue(l document.Link) string { return l.RootKind + "/" + l.Slug }
