package search

import (
	"errors"
	"strings"
	"sync/atomic"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/processors"
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

// A seller is what of one is asked for all the time; the rest is read from its part.
type seller struct {
	place
	company       catalog.Company
	name, country string
	// offers is the number of its listings.
	offers int
}

type category struct {
	item   *catalog.Category
	pinned []index.Digest
	link   document.Link
	// lineage is the category itself and its current ancestors, nearest first.
	lineage  []int32
	listings int
	// pins are the listings that come first where the category is chosen, as long
	// as they are in it, in the author's order: indices.
	pins []int32
}

// A segmentRead is what a segment has of each kind, in the order of its documents.
type segmentRead struct {
	segment
	listings   []keyed
	sellers    []seller
	categories []index.Category
	articles   []article
}

// countedValues are the Values of a segment, by their numbers there: the seller or category of
// the corpus that each names, -1 for none, and how often the listings say it.
type countedValues struct {
	values []index.Value
	named  []int32
	times  []uint32
}

// newCorpus numbers the documents of a Set, which belongs to it from then on. It returns
// what the segments count by too.
func newCorpus(set *index.Set) (*Corpus, []countedValues) {
	c := &Corpus{
		set: set, addresses: set.Addresses, language: set.Language, texts: texts.New(set.Language, set.Texts),
		synonyms: synonymsOf(set.Synonyms), segments: make([]segment, len(set.Views)), categoryAt: map[catalog.Ref]int32{},
	}
	c.refs.Store(1)
	read := make([]segmentRead, len(set.Views))
	processors.Each(len(read), func(i int) { read[i] = c.read(uint32(i), set.Views[i]) })
	below := map[int32]catalog.Ref{}
	sellerAt := map[string]int32{}
	runs := make([][]keyed, len(read))
	for i := range read {
		c.segments[i], runs[i] = read[i].segment, read[i].listings
		for _, s := range read[i].sellers {
			sellerAt[s.company.Slug] = int32(len(c.sellers))
			c.sellers = append(c.sellers, s)
		}
		for _, one := range read[i].categories {
			at := int32(len(c.categories))
			below[at], c.categoryAt[one.Ref] = one.Below, at
			c.categories = append(c.categories, category{item: one.Category, pinned: one.Pins, link: c.addresses.Link(one.Ref, one.Name)})
		}
		c.articles = append(c.articles, read[i].articles...)
	}
	for at := range c.categories {
		for up, there := int32(at), true; there && len(c.categories[at].lineage) <= len(c.categories); up, there = c.at(below[up]) {
			c.categories[at].lineage = append(c.categories[at].lineage, up)
		}
	}
	c.order(runs)
	all := c.count(sellerAt)
	c.pin()
	return c, all
}

// read reads a segment, whose listings have no number yet.
func (c *Corpus) read(i uint32, v index.View) segmentRead {
	r := segmentRead{segment: segment{v, make([]int32, v.Documents())}, listings: make([]keyed, 0, v.Documents())}
	item := catalog.Seller{}
	for at := range r.segment.listings {
		r.segment.listings[at] = -1
		if !v.Lives(uint32(at)) {
			continue
		}
		if len(v.Said(at)) > 0 {
			r.listings = append(r.listings, keyed{v.KeyBeginning(at), place{i, uint32(at)}})
			continue
		}
		switch v.Kind(at) {
		case catalog.KindSeller:
			v.ReadSeller(at, &item)
			r.sellers = append(r.sellers, sellerOf(&item, place{i, uint32(at)}))
		case catalog.KindCategory:
			r.categories = append(r.categories, v.Category(at))
		default:
			one := v.Article(at)
			r.articles = append(r.articles, article{one, c.addresses.Link(one.Common().Ref, one.Common().Name), v.Digest(at)})
		}
	}
	return r
}

// sellerOf returns what is kept of a seller whose texts lie in a part.
func sellerOf(item *catalog.Seller, at place) seller {
	s := seller{place: at, company: item.Company(), name: strings.Clone(item.Name)}
	if h := item.Headquarters; h != nil {
		s.country = strings.Clone(h.Country)
	}
	for _, text := range [...]*string{&s.company.ID, &s.company.Slug, &s.company.Domain} {
		*text = strings.Clone(*text)
	}
	for _, list := range [...][]string{s.company.Former, s.company.Aliases} {
		for i := range list {
			list[i] = strings.Clone(list[i])
		}
	}
	return s
}

// count finds the seller of each listing, and what sellers and categories have.
func (c *Corpus) count(sellerAt map[string]int32) []countedValues {
	c.sellerOf = make([]int32, len(c.places))
	all, listings := make([]countedValues, len(c.segments)), make([][]int, len(c.segments))
	processors.Each(len(all), func(i int) { all[i], listings[i] = c.countSegment(&c.segments[i], sellerAt) })
	for i := range all {
		for n, times := range all[i].times {
			if all[i].values[n].Of == index.OfSeller && all[i].named[n] >= 0 {
				c.sellers[all[i].named[n]].offers += int(times)
			}
		}
		for at, n := range listings[i] {
			c.categories[at].listings += n
		}
	}
	return all
}

// countSegment counts the listings of a segment, in each category too, those below it
// among them.
func (c *Corpus) countSegment(s *segment, sellerAt map[string]int32) (all countedValues, listings []int) {
	all.values = s.Values()
	all.named, all.times = make([]int32, len(all.values)), make([]uint32, len(all.values))
	for n, v := range all.values {
		at, known := int32(-1), false
		switch v.Of {
		case index.OfSeller:
			at, known = sellerAt[v.Text]
		case index.OfCategory:
			root, _ := catalog.ParseKind(v.Name)
			at, known = c.at(catalog.CategoryRef(root, v.Text))
		}
		if all.named[n] = at; !known {
			all.named[n] = -1
		}
	}
	seen := make([]int32, len(c.categories)) // the listing that was met last in it, from 1
	listings = make([]int, len(c.categories))
	for document, at := range s.listings {
		if at < 0 {
			continue
		}
		for _, n := range s.Said(document) {
			all.times[n]++
			switch named := all.named[n]; {
			case named < 0:
			case all.values[n].Of == index.OfSeller:
				c.sellerOf[at] = named
			default:
				for _, up := range c.categories[named].lineage {
					if seen[up] != at+1 {
						seen[up] = at + 1
						listings[up]++
					}
				}
			}
		}
	}
	return all, listings
}

func (c *Corpus) at(ref catalog.Ref) (at int32, current bool) {
	at, current = c.categoryAt[ref]
	return at, current
}

// seller returns all that is known of a seller.
func (c *Corpus) seller(at int32) *catalog.Seller {
	s := &c.sellers[at]
	return c.segments[s.segment].Seller(int(s.document))
}

// eachSeller calls yield for all, with all that is known of them. One is valid until the next,
// and its texts only as long as the parts are open.
func (c *Corpus) eachSeller(yield func(at int32, item *catalog.Seller)) {
	item := catalog.Seller{}
	for at := range c.sellers {
		c.readSeller(int32(at), &item)
		yield(int32(at), &item)
	}
}

// readSeller reads all that is known of a seller into item. Its texts are there only as long
// as the parts are open.
func (c *Corpus) readSeller(at int32, item *catalog.Seller) {
	s := &c.sellers[at]
	c.segments[s.segment].ReadSeller(int(s.document), item)
}

// sellerLink returns the Link to a seller.
func (c *Corpus) sellerLink(at int32) document.Link {
	return c.addresses.SellerLink(c.sellers[at].company.Slug, c.sellers[at].name)
}

// listing returns one by its number, without its description.
func (c *Corpus) listing(at uint32) listing {
	p := c.places[at]
	l := listing{held: c.segments[p.segment].Listing(int(p.document))}
	l.categories = make([]int32, 0, len(l.held.In))
	c.place(at, &l)
	return l
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
	a := index.Analysed{Offer: l.offer, Seller: c.sellers[l.seller].name}
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
	pinned := map[index.Digest]int32{}
	for i := range c.categories {
		for _, pin := range c.categories[i].pinned {
			pinned[pin] = -1
		}
	}
	if len(pinned) == 0 {
		return
	}
	for i, p := range c.places {
		pin := index.PinOf(c.segments[p.segment].Ref(int(p.document)))
		if _, wanted := pinned[pin]; wanted {
			pinned[pin] = int32(i)
		}
	}
	for i := range c.categories {
		one := &c.categories[i]
		for _, pin := range one.pinned {
			if at := pinned[pin]; at >= 0 && c.in(c.listing(uint32(at)), int32(i)) {
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
	return c.addresses.Listing(l.offer, c.sellerLink(l.seller), categories, l.held.Image())
}

// link returns the Link to a listing.
func (c *Corpus) link(l listing) document.Link { return c.addresses.Link(l.offer.Ref, l.offer.Name) }

// categoryValue returns a category as filters name it, such as product/robots.
func categoryValue(l document.Link) string { return l.RootKind + "/" + l.Slug }
