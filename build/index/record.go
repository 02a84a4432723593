package index

import (
	"encoding/json"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/text"
	"souk/build/internal/markdown"
)

// A Listing is the data that search has of a Product or Service. Its Offer contains only what
// is searched, shown on its card or counted.
type Listing struct {
	*catalog.Offer
	// Key is the sort key in lists.
	Key string
	// In are its current Categories, in the author's order.
	In    []catalog.Ref
	image string
}

// Image returns the picture of its card, or nil.
func (l *Listing) Image() *document.Image {
	if l.image == "" {
		return nil
	}
	image := &document.Image{}
	if json.Unmarshal([]byte(l.image), image) != nil {
		return nil
	}
	return image
}

// maxSource is the maximum stored length of a description, in bytes, and maxArticle that of an
// Article. Search reads no more.
const (
	maxSource  = 8 << 10
	maxArticle = 32 << 10
)

// A record begins with the kind, the companySlug, the slug and the name of a document. The
// description is separate, because few readers need it.

func (e *encoder) head(h *catalog.Head) {
	e.number(uint64(h.Ref.Kind))
	e.text(h.Ref.Company)
	e.text(h.Ref.Slug)
	e.text(h.Name)
}

func (d *decoder) head() (h catalog.Head) {
	h.Ref.Kind = d.kind()
	h.Ref.Company = d.text()
	h.Ref.Slug = d.text()
	h.Name = d.text()
	return h
}

// listing appends a Product or Service, beginning with the data that is read for every one of
// them when parts are opened: its sort key and its categories.
func (e *encoder) listing(o *catalog.Offer, key string, in []catalog.Ref, image *document.Image) {
	e.head(&o.Head)
	e.text(key)
	e.categoriesOf(in)
	e.text(o.Summary)
	e.date(o.PublishedAt)
	e.date(o.UpdatedAt)
	e.texts(o.Keywords)
	e.text(o.SKU)
	e.text(o.GTIN)
	e.text(o.Availability)
	e.text(o.Delivery)
	e.texts(o.Regions)
	e.price(o.Price)
	e.attributes(o.Attributes)
	e.number(uint64(len(o.Variants)))
	for i := range o.Variants {
		v := &o.Variants[i]
		e.text(v.Name)
		e.text(v.SKU)
		e.text(v.GTIN)
		e.text(v.Availability)
		e.price(v.Price)
		e.attributes(v.Attributes)
	}
	e.proof(o.Proof)
	picture := ""
	if image != nil {
		data, _ := json.Marshal(image) // strings and numbers can always be encoded
		picture = string(data)
	}
	e.text(picture)
}

// listing reads a listing into l, reusing its memory.
func (d *decoder) listing(l *Listing) {
	o := l.Offer
	o.Head, l.Key = d.head(), d.text()
	l.In = slices.AppendSeq(l.In[:0], d.categories)
	o.Summary = d.text()
	o.PublishedAt, o.UpdatedAt = d.date(), d.date()
	o.Keywords = d.texts(o.Keywords)
	o.SKU, o.GTIN, o.Availability, o.Delivery = d.text(), d.text(), d.text(), d.text()
	o.Regions = d.texts(o.Regions)
	o.Price = d.price()
	o.Attributes = d.attributes(o.Attributes)
	o.Variants = sized(o.Variants, d.length(4))
	for i := range o.Variants {
		v := &o.Variants[i]
		v.Name, v.SKU, v.GTIN, v.Availability = d.text(), d.text(), d.text(), d.text()
		v.Price, v.Attributes = d.price(), d.attributes(v.Attributes)
	}
	o.Proof = d.proof(o.Proof)
	l.image = d.text()
}

// categories calls yield with all Categories of a listing.
func (d *decoder) categories(yield func(catalog.Ref) bool) {
	for range d.length(2) {
		root := d.kind()
		if !yield(catalog.CategoryRef(root, d.text())) {
			return
		}
	}
}

func (e *encoder) price(p *catalog.Price) {
	e.truth(p != nil)
	if p != nil {
		e.text(p.Amount)
		e.text(p.Currency)
		e.text(p.Unit)
		e.truth(p.From)
		e.text(p.List)
	}
}

func (d *decoder) price() *catalog.Price {
	if !d.truth() {
		return nil
	}
	return &catalog.Price{Amount: d.text(), Currency: d.text(), Unit: d.text(), From: d.truth(), List: d.text()}
}

func (e *encoder) attributes(list []catalog.Attribute) {
	e.number(uint64(len(list)))
	for i := range list {
		a := &list[i]
		e.number(uint64(a.Kind))
		e.truth(a.Listed)
		e.text(a.Name)
		e.text(a.Value)
		e.text(a.Unit)
	}
}

func (d *decoder) attributes(into []catalog.Attribute) []catalog.Attribute {
	list := sized(into, d.length(4))
	for i := range list {
		a := &list[i]
		a.Kind, a.Listed = d.valueKind(), d.truth()
		a.Name, a.Value, a.Unit = d.text(), d.text(), d.text()
	}
	return list
}

func (e *encoder) proof(list []catalog.Proof) {
	e.number(uint64(len(list)))
	for i := range list {
		p := &list[i]
		e.text(p.Kind)
		e.text(p.Title)
		e.text(p.Issuer)
		e.date(p.Date)
	}
}

func (d *decoder) proof(into []catalog.Proof) []catalog.Proof {
	list := sized(into, d.length(4))
	for i := range list {
		list[i] = catalog.Proof{Kind: d.text(), Title: d.text(), Issuer: d.text(), Date: d.date()}
	}
	return list
}

// categoriesOf appends Categories.
func (e *encoder) categoriesOf(in []catalog.Ref) {
	e.number(uint64(len(in)))
	for _, ref := range in {
		e.number(uint64(ref.Root))
		e.text(ref.Slug)
	}
}

// seller appends a Seller. As for listings, its sort key and its categories come first.
func (e *encoder) seller(s *catalog.Seller, d *current) {
	e.head(&s.Head)
	e.text(d.key)
	e.categoriesOf(d.in)
	e.number(uint64(d.named))
	logo := ""
	if d.logo != nil {
		data, _ := json.Marshal(d.logo) // strings and numbers can always be encoded
		logo = string(data)
	}
	e.text(logo)
	e.text(s.Tagline)
	e.text(s.Summary)
	e.text(s.ID)
	e.text(s.OfficialDomain)
	e.truth(s.DomainDerived)
	e.texts(s.FormerDomains)
	e.number(uint64(len(s.Aliases)))
	for _, a := range s.Aliases {
		e.text(a.Ref.Slug)
	}
	e.truth(s.ReplacesRemoved)
	e.text(s.Website)
	e.truth(s.Contact != nil)
	if s.Contact != nil { // only what removals compare
		e.text(s.Contact.URL)
		e.text(s.Contact.Email)
	}
	e.text(s.LegalName)
	e.truth(s.Headquarters != nil)
	if h := s.Headquarters; h != nil {
		e.text(h.City)
		e.text(h.Region)
		e.text(h.Country)
	}
	e.texts(s.Languages)
	e.texts(s.Keywords)
	e.proof(s.Proof)
}

// A Company is the data that search has of a Seller, besides the Seller itself.
type Company struct {
	// Key is the sort key in lists.
	Key string
	// In are the Categories that it belongs to. The first Named ones are in its own file.
	In    []catalog.Ref
	Named int
	logo  string
}

// Logo returns the logo of its card, or nil.
func (c *Company) Logo() *document.Media {
	if c.logo == "" {
		return nil
	}
	logo := &document.Media{}
	if json.Unmarshal([]byte(c.logo), logo) != nil {
		return nil
	}
	return logo
}

// seller reads a Seller into s.
func (d *decoder) seller(s *catalog.Seller) (c Company) {
	*s = catalog.Seller{Head: d.head()}
	c.Key = d.text()
	c.In = slices.Collect(d.categories)
	c.Named = min(int(d.number()), len(c.In))
	c.logo = d.text()
	s.Tagline, s.Summary = d.text(), d.text()
	s.ID, s.OfficialDomain, s.DomainDerived, s.FormerDomains = d.text(), d.text(), d.truth(), d.texts(nil)
	for _, slug := range d.texts(nil) {
		s.Aliases = append(s.Aliases, catalog.Mention{Ref: catalog.SellerRef(slug)})
	}
	s.ReplacesRemoved, s.Website = d.truth(), d.text()
	if d.truth() {
		s.Contact = &catalog.Contact{URL: d.text(), Email: d.text()}
	}
	s.LegalName = d.text()
	if d.truth() {
		s.Headquarters = &catalog.Headquarters{City: d.text(), Region: d.text(), Country: d.text()}
	}
	s.Languages = d.texts(nil)
	s.Keywords = d.texts(nil)
	s.Proof = d.proof(nil)
	return c
}

// A Category is the data that search has of a Category.
type Category struct {
	*catalog.Category
	// Below is its nearest current ancestor. Its Kind is KindNone at the top.
	Below catalog.Ref
	// Pins are the listings that come first.
	Pins []Digest
}

// PinOf returns the stored form of a pinned listing. It does not name the seller in clear,
// because a Category is rewritten when it is edited, and not when a seller that it names is
// removed.
func PinOf(listing catalog.Ref) Digest { return digestOf([]byte(listing.String())) }

func (e *encoder) category(c *catalog.Category, below catalog.Ref) {
	e.head(&c.Head)
	e.number(uint64(c.Ref.Root))
	e.texts(c.Synonyms)
	e.texts(c.CardAttributes)
	e.number(uint64(below.Root))
	e.text(below.Slug)
	e.number(uint64(len(c.Pins)))
	for _, p := range c.Pins {
		pin := PinOf(p.Ref)
		e.data = append(e.data, pin[:]...)
	}
}

func (d *decoder) category() Category {
	c := Category{Category: &catalog.Category{Head: d.head()}}
	c.Ref.Root = d.kind()
	c.Synonyms, c.CardAttributes = d.texts(nil), d.texts(nil)
	if root, slug := d.kind(), d.text(); slug != "" {
		c.Below = catalog.CategoryRef(root, slug)
	}
	c.Pins = make([]Digest, d.length(len(Digest{})))
	for i := range c.Pins {
		c.Pins[i] = Digest([]byte(d.data[:len(Digest{})]))
		d.data = d.data[len(Digest{}):]
	}
	return c
}

// article appends an Article, or a Market Map with the texts of its segments. Entries and
// their notes are about sellers, who may be withheld, so they are left out.
func (e *encoder) article(item catalog.Item) {
	h := item.Common()
	e.head(h)
	e.text(h.Summary)
	e.date(h.PublishedAt)
	var segments []string
	if m, is := item.(*catalog.MarketMap); is {
		for _, s := range m.Segments {
			segments = append(segments, s.Name, s.Summary)
		}
	}
	e.texts(segments)
}

func (d *decoder) article() catalog.Item {
	h := d.head()
	h.Summary = d.text()
	h.PublishedAt = d.date()
	segments := d.texts(nil)
	if h.Ref.Kind == catalog.KindArticle {
		return &catalog.Article{Head: h}
	}
	m := &catalog.MarketMap{Head: h}
	for i := 0; i+1 < len(segments); i += 2 {
		m.Segments = append(m.Segments, catalog.Segment{Name: segments[i], Summary: segments[i+1]})
	}
	return m
}

// described returns the description of an Item as plain words on one line, or "" if search
// does not read it, and the maximum number of bytes to store. It omits link targets, which may
// be a removed seller's; documents too keep only the words of such links.
func described(item catalog.Item) (words string, kept int) {
	switch item.(type) {
	case *catalog.Offer, *catalog.Seller:
		kept = maxSource
	case *catalog.Article, *catalog.MarketMap:
		kept = maxArticle
	default:
		return "", 0
	}
	return text.WithoutAddresses(markdown.Plain(item.Common().Description.Unlinked())), kept
}

// beginning returns at most the given number of bytes of plain words, up to a space.
func beginning(words string, most int) string {
	if len(words) <= most {
		return words
	}
	return words[:strings.LastIndexByte(words[:most], ' ')+1]
}
