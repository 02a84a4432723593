package catalog

import (
	"fmt"
	"sync"

	"souk/build/internal/markdown"
)

// Packed is an Item encoded as bytes: its Reference, then its other fields. It takes a third
// of the memory and contains no pointers, so that a million Items fit. Code that needs more
// than the Reference unpacks it, which takes a microsecond or two. Different versions of the
// program may encode it differently. The Item is a pointer to a Packed, because many Packed
// may be in one allocation.
type Packed string

var packers = sync.Pool{New: func() any { return new(packer) }}

// Pack packs an Item. A packed Item is returned as it is.
func Pack(item Item) Packed {
	if done, is := item.(*Packed); is {
		return *done
	}
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.out = p.out[:0]
	p.ref(&item.Common().Ref)
	p.item(item)
	return Packed(p.packed())
}

// Unpack returns the Item, or nil for one without a kind. Its strings share the packed memory.
func (one Packed) Unpack() Item {
	p, ref := packer{reading: true, in: string(one)}, Ref{}
	p.ref(&ref)
	item := emptyItem(ref.Kind)
	if item != nil {
		item.Common().Ref = ref
		p.item(item)
	}
	return item
}

// RefOf returns the Reference of an Item without unpacking all of it.
func RefOf(item Item) Ref {
	if packed, is := item.(*Packed); is {
		return packed.Ref()
	}
	return item.Common().Ref
}

// KindOf returns the kind of an Item without unpacking it.
func KindOf(item Item) Kind {
	packed, is := item.(*Packed)
	if !is {
		return item.Common().Ref.Kind
	}
	p, kinds := packer{reading: true, in: string(*packed)}, uint64(0)
	p.uint(&kinds)
	return Kind(kinds % uint64(len(kindNames)))
}

// Unpacked returns an Item for several accesses.
func Unpacked(item Item) Item {
	if packed, is := item.(*Packed); is {
		return packed.Unpack()
	}
	return item
}

// Ref returns the Reference of the Item.
func (one Packed) Ref() (ref Ref) {
	p := packer{reading: true, in: string(one)}
	p.ref(&ref)
	return ref
}

// Common returns the fields that all kinds share, without unpacking the others.
func (one *Packed) Common() *Head {
	p, h := packer{reading: true, in: string(*one)}, &Head{}
	p.ref(&h.Ref)
	p.cardFields(h)
	if h.Ref.Kind.Offer() {
		p.onCard(&Offer{})
	}
	p.otherFields(h)
	return h
}

// briefOf returns a Head with at least the fields that cards show: name, summary, status and
// dates.
func briefOf(item Item) *Head {
	packed, is := item.(*Packed)
	if !is {
		return item.Common()
	}
	p, h := packer{reading: true, in: string(*packed)}, &Head{}
	p.ref(&h.Ref)
	p.cardFields(h)
	return h
}

func (one *Packed) mentions(yield func(Mention, bool)) { one.Unpack().mentions(yield) }

func (one *Packed) pictures(yield func(string, Position)) { one.Unpack().pictures(yield) }

// emptyItem returns an empty Item of a kind, or nil.
func emptyItem(kind Kind) Item {
	switch kind {
	case KindSeller:
		return &Seller{}
	case KindProduct, KindService:
		return &Offer{}
	case KindCategory:
		return &Category{}
	case KindArticle:
		return &Article{}
	case KindMarketMap:
		return &MarketMap{}
	case KindPage:
		return &OwnPage{}
	case KindFile:
		return &OwnFile{}
	}
	return nil
}

// card returns an offer without the fields that only its own document shows.
func (one Packed) card() *Offer {
	p, o := packer{reading: true, in: string(one)}, &Offer{}
	p.ref(&o.Ref)
	p.cardFields(&o.Head)
	p.onCard(o)
	return o
}

// item reads or writes all fields but the Reference, beginning with those that cards show.
func (p *packer) item(item Item) {
	p.cardFields(item.Common())
	if o, is := item.(*Offer); is {
		p.onCard(o)
	}
	p.otherFields(item.Common())
	switch one := item.(type) {
	case *Seller:
		p.seller(one)
	case *Offer:
		p.offer(one)
	case *Category:
		p.category(one)
	case *Article:
		listOf(p, &one.Authors, (*packer).text)
		listOf(p, &one.Media, (*packer).picture)
	case *MarketMap:
		listOf(p, &one.Segments, (*packer).segment)
	case *OwnPage:
		p.text(&one.Menu)
		integer(p, &one.Order)
	case *OwnFile:
		for i := range one.Digest {
			integer(p, &one.Digest[i])
		}
	default:
		panic(fmt.Sprintf("catalog: %T cannot be packed", item))
	}
}

// cardFields reads or writes the fields of a head that cards show, and the position.
func (p *packer) cardFields(h *Head) {
	p.texts(&h.File, &h.Name, &h.Summary)
	integer(p, &h.Status)
	p.date(&h.PublishedAt)
	p.date(&h.UpdatedAt)
	p.date(&h.ExpiresAt)
}

func (p *packer) otherFields(h *Head) {
	listOf(p, &h.Aliases, (*packer).mention)
	listOf(p, &h.Related, func(p *packer, r *Relation) {
		p.mention(&r.Mention)
		integer(p, &r.Rel)
	})
	listOf(p, &h.Keywords, (*packer).text)
	p.text(&h.Description.Source)
	listOf(p, &h.Description.Edits, func(p *packer, e *markdown.Edit) {
		for _, v := range []*int{&e.Start, &e.End, &e.DestStart, &e.DestEnd, &e.Target} {
			integer(p, v)
		}
	})
	listOf(p, &h.Description.Targets, func(p *packer, t *Target) {
		p.ref(&t.Ref)
		p.texts(&t.File, &t.Web, &t.Alt)
		p.flag(&t.Image)
		p.position(&t.At)
	})
}

func (p *packer) seller(s *Seller) {
	p.texts(&s.ID, &s.OfficialDomain, &s.LegalName, &s.Tagline, &s.Website, &s.Employees)
	p.position(&s.IDAt)
	p.position(&s.DomainAt)
	listOf(p, &s.FormerDomains, (*packer).text)
	p.flag(&s.DomainDerived)
	p.flag(&s.ReplacesRemoved)
	integer(p, &s.Founded)
	p.position(&s.FoundedAt)
	maybe(p, &s.Headquarters, func(p *packer, h *Headquarters) { p.texts(&h.City, &h.Region, &h.Country) })
	maybe(p, &s.Logo, (*packer).picture)
	listOf(p, &s.Languages, (*packer).text)
	listOf(p, &s.Links, (*packer).labelled)
	listOf(p, &s.Categories, (*packer).mention)
	maybe(p, &s.Contact, func(p *packer, c *Contact) {
		p.texts(&c.Email, &c.Telephone, &c.URL)
		maybe(p, &c.Address, func(p *packer, a *Address) { p.texts(&a.Street, &a.PostalCode, &a.City, &a.Region, &a.Country) })
	})
	listOf(p, &s.Details, (*packer).labelled)
	listOf(p, &s.Proof, (*packer).proof)
}

// onCard reads or writes the fields of an offer that cards show besides its head.
func (p *packer) onCard(o *Offer) {
	listOf(p, &o.Categories, (*packer).mention)
	maybe(p, &o.Price, (*packer).price)
	listOf(p, &o.Media, (*packer).picture)
	listOf(p, &o.Proof, (*packer).proof)
	p.text(&o.Availability)
	listOf(p, &o.Attributes, (*packer).attribute)
}

func (p *packer) offer(o *Offer) {
	p.texts(&o.SKU, &o.GTIN, &o.Website)
	listOf(p, &o.Links, (*packer).labelled)
	listOf(p, &o.Files, func(p *packer, a *Attachment) {
		p.texts(&a.File, &a.Label, &a.Language)
		p.position(&a.At)
	})
	p.position(&o.SKUAt)
	listOf(p, &o.Variants, func(p *packer, v *Variant) {
		p.texts(&v.Name, &v.SKU, &v.GTIN, &v.Availability)
		p.position(&v.SKUAt)
		maybe(p, &v.Image, (*packer).picture)
		listOf(p, &v.Attributes, (*packer).attribute)
		maybe(p, &v.Price, (*packer).price)
	})
	p.text(&o.Delivery)
	listOf(p, &o.Regions, (*packer).text)
}

func (p *packer) category(c *Category) {
	maybe(p, &c.Parent, (*packer).mention)
	listOf(p, &c.Synonyms, (*packer).text)
	integer(p, &c.Order)
	listOf(p, &c.Pins, (*packer).mention)
	listOf(p, &c.CardAttributes, (*packer).text)
}

func (p *packer) segment(s *Segment) {
	p.texts(&s.Name, &s.Summary)
	maybe(p, &s.Category, (*packer).mention)
	listOf(p, &s.Entries, func(p *packer, e *Entry) {
		p.mention(&e.Mention)
		p.text(&e.Note)
	})
}

func (p *packer) date(d *Date) {
	p.moment(&d.Time)
	p.flag(&d.Day)
	integer(p, &d.Offset)
}

func (p *packer) mention(m *Mention) {
	p.ref(&m.Ref)
	p.position(&m.At)
}

func (p *packer) picture(one *Picture) {
	p.texts(&one.File, &one.URL, &one.Alt)
	p.position(&one.At)
}

func (p *packer) price(one *Price) {
	p.texts(&one.Amount, &one.Currency, &one.Unit, &one.List)
	p.flag(&one.From)
}

func (p *packer) attribute(a *Attribute) {
	p.texts(&a.Name, &a.Value, &a.Unit)
	integer(p, &a.Kind)
	p.flag(&a.Listed)
	integer(p, &a.Line)
	integer(p, &a.Column)
}

func (p *packer) labelled(l *Labelled) { p.texts(&l.Label, &l.Value) }

func (p *packer) proof(one *Proof) {
	p.texts(&one.Kind, &one.Title, &one.Issuer, &one.URL)
	p.date(&one.Date)
}
