package source

import (
	"strings"
	"sync"

	"souk/build/catalog"
)

// A pool holds one copy of each short text that many items have: slugs, names,
// values and units of attributes, currencies. A marketplace repeats few of them
// over and over. It is for one reading of many files and is dropped afterwards, so
// that nothing of it outlives the items.
type pool struct {
	mu    sync.Mutex
	texts map[string]string
}

func newPool() *pool { return &pool{texts: map[string]string{}} }

// share makes the readings of files share their texts, before anybody else has
// them; readings has that of each of paths.
func (p *pool) share(paths []string, readings ...*reading) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, r := range readings {
		if r == nil || r.Item == nil {
			continue
		}
		p.item(r.Item)
		if h := r.Item.Common(); h.File == paths[i] {
			h.File = paths[i]
		}
	}
}

func (p *pool) text(texts ...*string) {
	for _, t := range texts {
		if *t == "" {
			continue
		}
		held, known := p.texts[*t]
		if !known {
			held = strings.Clone(*t) // it may be a part of a file's text, and would keep the whole of it
			p.texts[held] = held
		}
		*t = held
	}
}

func (p *pool) list(texts []string) {
	for i := range texts {
		p.text(&texts[i])
	}
}

func (p *pool) ref(r *catalog.Ref) { p.text(&r.Company, &r.Slug) }

func (p *pool) mentions(list []catalog.Mention) {
	for i := range list {
		p.ref(&list[i].Ref)
	}
}

func (p *pool) price(price *catalog.Price) {
	if price != nil {
		p.text(&price.Amount, &price.Currency, &price.Unit)
	}
}

func (p *pool) attributes(list []catalog.Attribute) {
	for i := range list {
		p.text(&list[i].Name, &list[i].Value, &list[i].Unit)
	}
}

func (p *pool) proof(list []catalog.Proof) {
	for i := range list {
		p.text(&list[i].Kind, &list[i].Title, &list[i].Issuer)
	}
}

func (p *pool) item(item catalog.Item) {
	h := item.Common()
	p.ref(&h.Ref)
	p.mentions(h.Aliases)
	p.list(h.Keywords)
	for i := range h.Related {
		p.ref(&h.Related[i].Ref)
	}
	for i := range h.Description.Targets {
		p.ref(&h.Description.Targets[i].Ref)
	}
	switch one := item.(type) {
	case *catalog.Offer:
		p.offer(one)
	case *catalog.Seller:
		p.mentions(one.Categories)
		p.proof(one.Proof)
		p.list(one.Languages)
		p.text(&one.Employees)
		if hq := one.Headquarters; hq != nil {
			p.text(&hq.City, &hq.Region, &hq.Country)
		}
	}
}

func (p *pool) offer(o *catalog.Offer) {
	p.mentions(o.Categories)
	p.text(&o.SKU, &o.Delivery)
	p.list(o.Regions)
	p.price(o.Price)
	p.attributes(o.Attributes)
	p.proof(o.Proof)
	for i := range o.Variants {
		v := &o.Variants[i]
		p.text(&v.Name, &v.SKU)
		p.attributes(v.Attributes)
		p.price(v.Price)
	}
}
