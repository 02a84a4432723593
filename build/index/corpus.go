package index

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/terms"
	"souk/build/kit/processors"
)

// Settings are the settings of the marketplace that search needs.
type Settings struct {
	// Language is a BCP 47 tag, empty for English. Texts are the operator's wording.
	Language  string
	Texts     map[string]map[string]string
	Addresses document.Addresses
	Synonyms  []catalog.Synonyms
}

// A Digest identifies a document. Two documents have the same Digest only if search reads and
// indexes the same from both.
type Digest [16]byte

func digestOf(data []byte) Digest {
	sum := sha256.Sum256(data)
	return Digest(sum[:16])
}

// A Corpus is the data that search needs of one state of the catalog. It holds Items, which
// never change, and copies of everything else, so that it stays valid while the catalog
// changes.
type Corpus struct {
	Settings
	documents  []current
	sellers    map[string]*catalog.Seller
	lineages   map[catalog.Ref][]*catalog.Category
	categories map[catalog.Ref]Digest // of the names that their listings are indexed under
}

// A current is a current document, with the data that depends on other documents.
type current struct {
	ref  catalog.Ref
	item catalog.Item // may be packed
	key  string
	// in are the current Categories of an offer, or those that a Seller belongs to. The first
	// named ones are in the Seller's own file.
	in    []catalog.Ref
	named int
	image *document.Image
	// logo is a Seller's logo, and offered are the names of its offers.
	logo    *document.Media
	offered []string
}

// Extract copies the data that search needs. Only the goroutine that owns the catalog may call
// it. It renders nothing.
func Extract(c *catalog.Catalog, r *document.Renderer) *Corpus {
	x := newCorpus(c, r)
	var sellers, offers []*catalog.Node
	c.Each(func(n *catalog.Node) {
		switch n.Ref().Kind {
		case catalog.KindProduct, catalog.KindService:
		case catalog.KindSeller:
			sellers = append(sellers, n)
			fallthrough
		default:
			x.add(c, r, n)
		}
	})
	// Items are stored in the order of their files.
	slices.SortFunc(sellers, func(a, b *catalog.Node) int { return strings.Compare(a.Ref().Slug, b.Ref().Slug) })
	for _, s := range sellers {
		for _, o := range s.Offers() {
			if o.Current() {
				offers = append(offers, o)
			}
		}
	}
	// By now, all current sellers and categories that offers refer to are known.
	made := make([]current, len(offers))
	processors.EachShare(len(offers), func(from, to int) {
		for i := from; i < to; i++ {
			made[i] = x.current(c, r, offers[i])
		}
	})
	x.documents = append(x.documents, made...)
	return x
}

// extractOnly copies the data of the given documents that are current.
func extractOnly(c *catalog.Catalog, r *document.Renderer, refs map[catalog.Ref]bool) *Corpus {
	x := newCorpus(c, r)
	for ref := range refs {
		if n := c.Node(ref); n != nil && n.There() {
			x.add(c, r, n)
		}
	}
	return x
}

func newCorpus(c *catalog.Catalog, r *document.Renderer) *Corpus {
	m := c.Market()
	return &Corpus{
		Settings: Settings{Language: m.Language, Texts: m.Texts, Addresses: r.Addresses(), Synonyms: c.Synonyms()},
		sellers:  map[string]*catalog.Seller{}, lineages: map[catalog.Ref][]*catalog.Category{},
		categories: map[catalog.Ref]Digest{},
	}
}

// add adds a document if it is current.
func (x *Corpus) add(c *catalog.Catalog, r *document.Renderer, n *catalog.Node) {
	if n.Current() {
		x.documents = append(x.documents, x.current(c, r, n))
	}
}

// current returns a current document. The documents that it refers to need not have been
// added.
func (x *Corpus) current(c *catalog.Catalog, r *document.Renderer, n *catalog.Node) current {
	d := current{ref: n.Ref(), item: n.Held()}
	switch d.ref.Kind {
	case catalog.KindProduct, catalog.KindService:
		x.seller(n.Seller())
		o := n.Card()
		d.key, d.image, d.in = n.Key(), r.CardImage(n), make([]catalog.Ref, 0, len(o.Categories))
		for _, mention := range o.Categories {
			d.enter(x, c.Node(mention.Ref))
		}
	case catalog.KindSeller:
		s := x.seller(n)
		d.item, d.key, d.logo = s, n.Key(), r.Logo(s)
		for _, mention := range s.Categories {
			d.enter(x, c.Node(mention.Ref))
		}
		d.named = len(d.in)
		for _, category := range n.Within() {
			d.enter(x, category)
		}
		for which := range 2 {
			for _, o := range n.List(which) {
				d.offered = append(d.offered, o.Name())
			}
		}
	case catalog.KindCategory:
		x.lineage(n)
	}
	return d
}

// enter adds a Category to a document's Categories if it is current.
func (d *current) enter(x *Corpus, category *catalog.Node) {
	if category != nil && category.Current() && !slices.Contains(d.in, category.Ref()) {
		x.lineage(category)
		d.in = append(d.in, category.Ref())
	}
}

// seller returns the Seller of a node.
func (x *Corpus) seller(n *catalog.Node) *catalog.Seller {
	s := x.sellers[n.Ref().Slug]
	if s == nil {
		s = n.Item().(*catalog.Seller)
		x.sellers[s.Ref.Slug] = s
	}
	return s
}

// lineage adds a current Category with its current ancestors, the nearest first.
func (x *Corpus) lineage(n *catalog.Node) {
	if x.lineages[n.Ref()] != nil {
		return
	}
	var line []*catalog.Category
	var spelled []byte
	for up := n; up != nil; up = up.Parent() {
		c := up.Item().(*catalog.Category)
		line = append(line, c)
		spelled = fmt.Appendf(spelled, "%q%q", c.Name, c.Synonyms)
	}
	x.lineages[n.Ref()], x.categories[n.Ref()] = line, digestOf(spelled)
}

// parent returns the parent of a Category of the Corpus, if there is one.
func (x *Corpus) parent(ref catalog.Ref) (parent catalog.Ref) {
	if line := x.lineages[ref]; len(line) > 1 {
		parent = line[1].Ref
	}
	return parent
}

// sort groups documents by seller.
func (x *Corpus) sort() {
	processors.Sort(x.documents, func(a, b current) int {
		return cmp.Or(strings.Compare(company(a.ref), company(b.ref)), a.ref.ComparePath(b.ref))
	})
}

// company returns the companySlug of a seller or of one of its offers, otherwise "".
func company(ref catalog.Ref) string {
	if ref.Kind == catalog.KindSeller {
		return ref.Slug
	}
	return ref.Company
}

// schema identifies the contents of a Part that this code writes. It is part of every Digest,
// so that a new value makes every document a changed one.
const schema = "souk search 17"

// digests returns the Digests of all documents.
func (x *Corpus) digests() []Digest {
	all := make([]Digest, len(x.documents))
	processors.EachShare(len(all), func(from, to int) {
		var e encoder
		for i := from; i < to; i++ {
			all[i] = x.digest(&e, &x.documents[i])
		}
	})
	return all
}

// digest returns the digest of a document.
func (x *Corpus) digest(e *encoder, d *current) Digest {
	// Pack the Item instead of unpacking a packed one.
	e.data = append(e.data[:0], catalog.Pack(d.item)...)
	item := digestOf(e.data)
	e.data = append(append(append(e.data[:0], schema...), 0), item[:]...)
	switch d.ref.Kind {
	case catalog.KindProduct, catalog.KindService:
		e.text(x.Language)
		e.text(x.sellers[d.ref.Company].Name)
		e.texts(SellerWords(x.sellers[d.ref.Company]))
		e.text(d.key)
		x.categoriesOf(e, d)
		if d.image != nil {
			picture, _ := json.Marshal(d.image)
			e.text(string(picture))
		}
	case catalog.KindSeller:
		e.text(x.Language)
		e.text(d.key)
		e.number(uint64(d.named))
		x.categoriesOf(e, d)
		e.texts(d.offered)
		if d.logo != nil {
			picture, _ := json.Marshal(d.logo)
			e.text(string(picture))
		}
	case catalog.KindCategory:
		e.text(x.parent(d.ref).Slug)
	}
	return digestOf(e.data)
}

// categoriesOf appends the Categories of a document and the names that it is indexed under in
// them.
func (x *Corpus) categoriesOf(e *encoder, d *current) {
	for _, ref := range d.in {
		group := x.categories[ref]
		e.text(ref.Slug)
		e.data = append(e.data, group[:]...)
	}
}

// record appends the record of a document with this Item.
func (x *Corpus) record(e *encoder, d *current, item catalog.Item) {
	switch item := item.(type) {
	case *catalog.Offer:
		e.listing(item, d.key, d.in, d.image)
	case *catalog.Seller:
		e.seller(item, d)
	case *catalog.Category:
		e.category(item, x.parent(d.ref))
	default:
		e.article(item)
	}
}

// entry returns the index entry of a document, given the words of its description. Listings
// and companies have one.
func (x *Corpus) entry(a *Analyser, d *current, item catalog.Item, described string) terms.Entry {
	var lineages [][]*catalog.Category
	for _, ref := range d.in {
		lineages = append(lineages, x.lineages[ref])
	}
	switch item := item.(type) {
	case *catalog.Offer:
		s := x.sellers[item.Ref.Company]
		return a.Entry(Analysed{Offer: item, Described: described, Seller: s.Name, SellerWords: SellerWords(s), Lineages: lineages})
	case *catalog.Seller:
		return a.company(item, described, lineages[:d.named], lineages[d.named:], d.offered)
	}
	return terms.Entry{}
}

// Documents returns the number of documents.
func (x *Corpus) Documents() int { return len(x.documents) }
