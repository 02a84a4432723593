package corpus

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/kit/processors"
	"souk/templates/texts"
)

// A Corpus is the numbered documents of a release: its listings or, if OfCompanies is set, its
// companies in their place. Data stored once for each listing is read from the parts when
// needed.
type Corpus struct {
	Set *index.Set
	// OfCompanies means that companies are numbered, matched and counted as listings.
	OfCompanies bool
	// Spilled contains the index data that is kept out of the heap.
	Spilled Spill
	refs    atomic.Int64

	Addresses document.Addresses
	Language  string
	Texts     *texts.Catalogue
	Synonyms  []synonym
	Segments  []Segment
	// Places are the positions of the listings, in the order of lists, so that the number of a
	// listing breaks ties of score.
	Places []Place
	// SellerOf is the seller of each listing.
	SellerOf   []int32
	Sellers    []seller
	Categories []category
	Articles   []Article
	// categoryAt maps References to categories.
	categoryAt map[catalog.Ref]int32
}

// A Place is a document of a segment.
type Place struct{ Segment, Document uint32 }

// A Segment is a part of the release, with the listing number of each document, or -1 for a
// document that is no listing or not living.
type Segment struct {
	index.View
	Listings []int32
}

// A synonym says that a search for from may also match any of to. Both are words or phrases.
// Equal words each have a synonym for all the others.
type synonym struct {
	From string
	To   []string
}

// synonymsOf returns the operator's synonyms, each word or phrase with everything that it may
// mean. Words that mean the same are in from and to.
func synonymsOf(groups []catalog.Synonyms) (list []synonym) {
	for _, g := range groups {
		for _, from := range g.From {
			one := synonym{From: from}
			for _, to := range g.To {
				if to != from {
					one.To = append(one.To, to)
				}
			}
			list = append(list, one)
		}
	}
	return list
}

// A Listing is a current Product or Service.
type Listing struct {
	Offer *catalog.Offer
	held  index.Listing
	// Seller and categories are indexes. categories are the current ones in the author's
	// order.
	Seller     int32
	Categories []int32
}

// A seller contains the data that is needed often. The rest is read from its part.
type seller struct {
	Place
	Company       catalog.Company
	Name, Country string
	// Offers is the number of its listings.
	Offers int
}

type category struct {
	Item   *catalog.Category
	pinned []index.Digest
	Link   document.Link
	// Lineage is the category itself and its current ancestors, nearest first.
	Lineage  []int32
	Listings int
	// Pins are the indexes of the listings that come first if the category is chosen, in the
	// author's order, as long as they are in it.
	Pins []int32
}

// A segmentRead contains the documents of a segment by kind, in order.
type segmentRead struct {
	Segment
	listings   []keyed
	sellers    []seller
	categories []index.Category
	articles   []Article
}

// CountedValues are the Values of a segment by number. Of each it has the seller or category
// of the corpus that it names, or -1, and the number of its occurrences.
type CountedValues struct {
	Values []index.Value
	Named  []int32
	Times  []uint32
}

// NewCorpus numbers the documents of a Set, and takes ownership of the Set. It also returns
// the values by which the segments are counted.
func NewCorpus(set *index.Set) (*Corpus, []CountedValues) {
	c := &Corpus{
		Set: set, Addresses: set.Addresses, Language: set.Language, Texts: texts.New(set.Language, set.Texts),
		Synonyms: synonymsOf(set.Synonyms), Segments: make([]Segment, len(set.Views)), categoryAt: map[catalog.Ref]int32{},
	}
	c.refs.Store(1)
	read := make([]segmentRead, len(set.Views))
	processors.Each(len(read), func(i int) { read[i] = c.read(uint32(i), set.Views[i]) })
	below := map[int32]catalog.Ref{}
	sellerAt := map[string]int32{}
	runs := make([][]keyed, len(read))
	for i := range read {
		c.Segments[i], runs[i] = read[i].Segment, read[i].listings
		for _, s := range read[i].sellers {
			sellerAt[s.Company.Slug] = int32(len(c.Sellers))
			c.Sellers = append(c.Sellers, s)
		}
		for _, one := range read[i].categories {
			at := int32(len(c.Categories))
			below[at], c.categoryAt[one.Ref] = one.Below, at
			c.Categories = append(c.Categories, category{Item: one.Category, pinned: one.Pins, Link: c.Addresses.Link(one.Ref, one.Name)})
		}
		c.Articles = append(c.Articles, read[i].articles...)
	}
	for at := range c.Categories {
		for up, there := int32(at), true; there && len(c.Categories[at].Lineage) <= len(c.Categories); up, there = c.at(below[up]) {
			c.Categories[at].Lineage = append(c.Categories[at].Lineage, up)
		}
	}
	c.order(runs)
	all := c.Count(sellerAt)
	c.pin()
	return c, all
}

// Companies returns the Corpus of the companies in a corpus of listings. It has the same parts
// and keeps them open. Each company is its own only listing, and sellers and categories have
// the same numbers in both.
func (c *Corpus) Companies() (*Corpus, []CountedValues) {
	of := &Corpus{
		Set: c.Set, OfCompanies: true, Addresses: c.Addresses, Language: c.Language, Texts: c.Texts, Synonyms: c.Synonyms,
		Segments: slices.Clone(c.Segments), Sellers: slices.Clone(c.Sellers), Categories: slices.Clone(c.Categories), categoryAt: c.categoryAt,
	}
	of.refs.Store(1)
	sellerAt, runs := make(map[string]int32, len(of.Sellers)), make([][]keyed, len(of.Segments))
	for at := range of.Sellers {
		s := &of.Sellers[at]
		s.Offers = 0
		sellerAt[s.Company.Slug] = int32(at)
		runs[s.Segment] = append(runs[s.Segment], keyed{c.Segments[s.Segment].KeyBeginning(int(s.Document)), s.Place})
	}
	for i := range of.Segments {
		s := &of.Segments[i]
		s.Listings = slices.Repeat([]int32{-1}, len(s.Listings))
		slices.SortFunc(runs[i], func(a, b keyed) int { return cmp.Compare(a.Document, b.Document) })
	}
	for at := range of.Categories {
		of.Categories[at].Listings, of.Categories[at].Pins = 0, nil
	}
	of.order(runs)
	return of, of.Count(sellerAt)
}

// read reads a segment, whose listings have no numbers yet.
func (c *Corpus) read(i uint32, v index.View) segmentRead {
	r := segmentRead{Segment: Segment{v, make([]int32, v.Documents())}, listings: make([]keyed, 0, v.Documents())}
	item, values := catalog.Seller{}, v.Values()
	for at := range r.Segment.Listings {
		r.Segment.Listings[at] = -1
		if !v.Lives(uint32(at)) {
			continue
		}
		if said := v.ListingValues(at); len(said) > 0 && values[said[0]].Of == index.OfKind {
			r.listings = append(r.listings, keyed{v.KeyBeginning(at), Place{i, uint32(at)}})
			continue
		}
		switch v.Kind(at) {
		case catalog.KindSeller:
			v.ReadSeller(at, &item)
			r.sellers = append(r.sellers, sellerOf(&item, Place{i, uint32(at)}))
		case catalog.KindCategory:
			r.categories = append(r.categories, v.Category(at))
		default:
			one := v.Article(at)
			r.articles = append(r.articles, Article{one, c.Addresses.Link(one.Common().Ref, one.Common().Name), v.Digest(at)})
		}
	}
	return r
}

// sellerOf returns the stored data of a seller whose texts are in a part.
func sellerOf(item *catalog.Seller, at Place) seller {
	s := seller{Place: at, Company: item.Company(), Name: strings.Clone(item.Name)}
	if h := item.Headquarters; h != nil {
		s.Country = strings.Clone(h.Country)
	}
	for _, text := range [...]*string{&s.Company.ID, &s.Company.Slug, &s.Company.Domain} {
		*text = strings.Clone(*text)
	}
	for _, list := range [...][]string{s.Company.Former, s.Company.Aliases, s.Company.Web} {
		for i := range list {
			list[i] = strings.Clone(list[i])
		}
	}
	return s
}

// Count sets the seller of each listing, and counts the listings of sellers and categories.
func (c *Corpus) Count(sellerAt map[string]int32) []CountedValues {
	c.SellerOf = make([]int32, len(c.Places))
	all, listings := make([]CountedValues, len(c.Segments)), make([][]int, len(c.Segments))
	processors.Each(len(all), func(i int) { all[i], listings[i] = c.countSegment(&c.Segments[i], sellerAt) })
	for i := range all {
		for n, times := range all[i].Times {
			if all[i].Values[n].Of == index.OfSeller && all[i].Named[n] >= 0 {
				c.Sellers[all[i].Named[n]].Offers += int(times)
			}
		}
		for at, n := range listings[i] {
			c.Categories[at].Listings += n
		}
	}
	return all
}

// countSegment counts the listings of a segment, by seller and by category, including those in
// subcategories.
func (c *Corpus) countSegment(s *Segment, sellerAt map[string]int32) (all CountedValues, listings []int) {
	all.Values = s.Values()
	all.Named, all.Times = make([]int32, len(all.Values)), make([]uint32, len(all.Values))
	for n, v := range all.Values {
		at, known := int32(-1), false
		switch v.Of {
		case index.OfSeller:
			at, known = sellerAt[v.Text]
		case index.OfCategory:
			root, _ := catalog.ParseKind(v.Name)
			at, known = c.at(catalog.CategoryRef(root, v.Text))
		}
		if all.Named[n] = at; !known {
			all.Named[n] = -1
		}
	}
	seen := make([]int32, len(c.Categories)) // by category, the last listing counted, from 1
	listings = make([]int, len(c.Categories))
	for document, at := range s.Listings {
		if at < 0 {
			continue
		}
		for _, n := range s.ListingValues(document) {
			all.Times[n]++
			switch named := all.Named[n]; {
			case named < 0:
			case all.Values[n].Of == index.OfSeller:
				c.SellerOf[at] = named
			default:
				for _, up := range c.Categories[named].Lineage {
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

// Seller returns a complete seller.
func (c *Corpus) Seller(at int32) *catalog.Seller {
	s := &c.Sellers[at]
	return c.Segments[s.Segment].Seller(int(s.Document))
}

// EachSeller calls yield with every complete seller. It is valid until the next one, and its
// texts only as long as the parts are open.
func (c *Corpus) EachSeller(yield func(at int32, item *catalog.Seller)) {
	item := catalog.Seller{}
	for at := range c.Sellers {
		c.ReadSeller(int32(at), &item)
		yield(int32(at), &item)
	}
}

// ReadSeller reads a complete seller into item. Its texts are valid only as long as the parts
// are open.
func (c *Corpus) ReadSeller(at int32, item *catalog.Seller) {
	s := &c.Sellers[at]
	c.Segments[s.Segment].ReadSeller(int(s.Document), item)
}

// SellerLink returns the Link to a seller.
func (c *Corpus) SellerLink(at int32) document.Link {
	return c.Addresses.SellerLink(c.Sellers[at].Company.Slug, c.Sellers[at].Name)
}

// Listing returns a listing by its number, without its description.
func (c *Corpus) Listing(at uint32) Listing {
	p := c.Places[at]
	l := Listing{held: c.Segments[p.Segment].Listing(int(p.Document))}
	l.Categories = make([]int32, 0, len(l.held.In))
	c.place(at, &l)
	return l
}

// place completes a listing after reading.
func (c *Corpus) place(at uint32, l *Listing) {
	l.Offer, l.Categories = l.held.Offer, l.Categories[:0]
	for _, ref := range l.held.In {
		if at, current := c.categoryAt[ref]; current {
			l.Categories = append(l.Categories, at)
		}
	}
	if c.SellerOf != nil {
		l.Seller = c.SellerOf[at]
	}
}

// Described returns a listing with its description, as plain words.
func (c *Corpus) Described(at uint32) Listing {
	l, p := c.Listing(at), c.Places[at]
	l.Offer.Description.Source = c.Segments[p.Segment].Description(int(p.Document))
	return l
}

// Name returns the name of a listing.
func (c *Corpus) Name(at uint32) string {
	p := c.Places[at]
	return c.Segments[p.Segment].Name(int(p.Document))
}

// Analysed returns a listing with the sources of its words.
func (c *Corpus) Analysed(l Listing) index.Analysed {
	a := index.Analysed{Offer: l.Offer, Described: l.Offer.Description.Source, Seller: c.Sellers[l.Seller].Name}
	for _, at := range l.Categories {
		var line []*catalog.Category
		for _, up := range c.Categories[at].Lineage {
			line = append(line, c.Categories[up].Item)
		}
		a.Lineages = append(a.Lineages, line)
	}
	return a
}

// Acquire keeps the parts open until Release. It returns false if they are closed.
func (c *Corpus) Acquire() bool {
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

// Release undoes one Acquire or, once, NewCorpus. The last one closes the parts.
func (c *Corpus) Release() error {
	if c.refs.Add(-1) > 0 {
		return nil
	}
	return errors.Join(c.Set.Close(), c.Spilled.close())
}

// pin finds the listings that the categories pin.
func (c *Corpus) pin() {
	pinned := map[index.Digest]int32{}
	for i := range c.Categories {
		for _, pin := range c.Categories[i].pinned {
			pinned[pin] = -1
		}
	}
	if len(pinned) == 0 {
		return
	}
	for i, p := range c.Places {
		pin := index.PinOf(c.Segments[p.Segment].Ref(int(p.Document)))
		if _, wanted := pinned[pin]; wanted {
			pinned[pin] = int32(i)
		}
	}
	for i := range c.Categories {
		one := &c.Categories[i]
		for _, pin := range one.pinned {
			if at := pinned[pin]; at >= 0 && c.in(c.Listing(uint32(at)), int32(i)) {
				one.Pins = append(one.Pins, at)
			}
		}
	}
}

// in reports whether a listing is in a category or one of its descendants.
func (c *Corpus) in(l Listing, category int32) bool {
	for _, at := range l.Categories {
		if Contains(c.Categories[at].Lineage, category) {
			return true
		}
	}
	return false
}

func Contains(list []int32, one int32) bool {
	for _, x := range list {
		if x == one {
			return true
		}
	}
	return false
}

// Card returns the Listing of a listing, equal to the one in the documents.
func (c *Corpus) Card(l Listing) document.Listing {
	categories := make([]document.Link, 0, len(l.Categories))
	var shown []string
	for i, at := range l.Categories {
		categories = append(categories, c.Categories[at].Link)
		if i == 0 {
			shown = c.Categories[at].Item.CardAttributes
		}
	}
	return c.Addresses.Listing(l.Offer, c.SellerLink(l.Seller), categories, shown, l.held.Image())
}

// CompanyCard returns the card of a seller, equal to the one in the documents.
func (c *Corpus) CompanyCard(at int32) document.CompanyCard {
	p := c.Sellers[at].Place
	s, held := c.Segments[p.Segment].Company(int(p.Document))
	categories := make([]document.Link, 0, held.Named)
	for _, ref := range held.In[:held.Named] {
		if at, current := c.categoryAt[ref]; current {
			categories = append(categories, c.Categories[at].Link)
		}
	}
	return c.Addresses.CompanyCard(s, categories, held.Logo())
}

// Link returns the Link to a listing.
func (c *Corpus) Link(l Listing) document.Link { return c.Addresses.Link(l.Offer.Ref, l.Offer.Name) }

// CategoryValue returns a category in the form of filters, such as product/robots.
func CategoryValue(l document.Link) string { return l.RootKind + "/" + l.Slug }

// An Article is a current Article or Market Map.
type Article struct {
	Item   catalog.Item
	Link   document.Link
	Digest index.Digest
}

func (a *Article) Head() *catalog.Head { return a.Item.Common() }

// Spill moves the data stored for each listing out of the heap.
func (c *Corpus) Spill(s *Spill) {
	SpillList(s, &c.Places)
	SpillList(s, &c.SellerOf)
	for i := range c.Segments {
		SpillList(s, &c.Segments[i].Listings)
	}
}
