package suggest

import (
	"cmp"
	"slices"
	"strings"

	"souk/build/index"
	"souk/build/index/naming"
	"souk/build/index/terms"
	"souk/dynamic/search/corpus"
)

// findOffersOfNamed finds the listings of the seller whose name the text begins with, by the
// rest of the text: apple lap. The longest such name counts.
func (f *finder) findOffersOfNamed(s spelling) {
	for n := len(s.words) - 1; n > 0; n-- {
		rest := spelling{compact: strings.Join(s.words[n:], ""), words: s.words[n:]}
		found := false
		for _, o := range f.options.Of(strings.Join(s.words[:n], "")) {
			one := &f.options.List[o.Option()]
			if one.Kind != OfSeller || naming.As(o&AsMask) != naming.Whole || f.visible.Hides(one.At) {
				continue
			}
			found, f.only = true, one.At
			f.eachList(func(l *corpus.Listed) { f.findListed(l, rest) })
		}
		if f.only = -1; found {
			return
		}
	}
}

// shortestSKU is the minimum typed length of a SKU, in bytes of its compact form.
const shortestSKU = 3

// A skuFound is a SKU with a product that has it, directly or in a variant.
type skuFound struct {
	sku string
	at  int32
}

// findSKUs finds the products with a SKU that equals or begins like the text: the first of
// these SKUs, as many as suggestions are allowed.
func (f *finder) findSKUs(compact string) {
	if len(compact) < shortestSKU || !f.wanted[ofProduct] {
		return
	}
	var all []skuFound
	for i := range f.corpus.Segments {
		all = append(all, f.firstSKUs(&f.corpus.Segments[i], index.ExactSKU+compact)...)
	}
	slices.SortFunc(all, func(a, b skuFound) int { return cmp.Or(strings.Compare(a.sku, b.sku), cmp.Compare(a.at, b.at)) })
	for _, one := range all[:min(len(all), f.most)] {
		c := candidate{kind: ofProduct, class: classBegins, at: one.at, rank: uint64(len(f.corpus.Name(uint32(one.at))))<<32 | uint64(one.at)}
		if one.sku == index.ExactSKU+compact {
			c.class = classExactOther
		}
		if !f.late(&c) {
			f.keep(c)
		}
	}
}

// firstSKUs returns the first SKUs of a segment with a beginning, of visible products.
func (f *finder) firstSKUs(s *corpus.Segment, prefix string) (first []skuFound) {
	exact := s.Terms().Lists[terms.Exact].Terms
	from, to := exact.Span(prefix)
	for i := from; i < to && len(first) < f.most; i++ {
		sku := exact.At(i)
		// Corruption is reported by the search that reads it.
		_ = s.Terms().Each(terms.Exact, sku, func(p terms.Posting) {
			if at := s.Listings[p.Document]; at >= 0 && !f.visible.Hides(f.corpus.SellerOf[at]) {
				first = append(first, skuFound{sku, at})
			}
		})
	}
	return first
}
