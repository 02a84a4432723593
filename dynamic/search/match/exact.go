package match

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"souk/build/catalog"
	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
)

// exactMatches finds the seller or category that a whole query names, ignoring case, accents,
// punctuation and spacing.
type exactMatches struct {
	// sellers is the first seller with a compact name, further all others.
	sellers    map[string]int32
	further    map[string][]int32
	categories map[string]int32
}

func newExactMatches(c *corpus.Corpus) *exactMatches {
	m := &exactMatches{sellers: make(map[string]int32, 4*len(c.Sellers)), further: map[string][]int32{}, categories: map[string]int32{}}
	c.EachSeller(func(at int32, s *catalog.Seller) {
		for _, name := range [...]string{s.Name, s.LegalName, s.Ref.Slug, s.OfficialDomain, typedDomain(s.OfficialDomain), asciiDomain(s.OfficialDomain)} {
			for _, key := range text.Compacts(name) {
				m.add(key, at)
			}
		}
	})
	m.fill(c)
	return m
}

// add adds a name of a seller.
func (m *exactMatches) add(key string, at int32) {
	switch first, known := m.sellers[key]; {
	case !known:
		m.sellers[strings.Clone(key)] = at // it may be in a part's memory
	case first != at && !slices.Contains(m.further[key], at):
		m.further[strings.Clone(key)] = append(m.further[key], at)
	}
}

// named returns the sellers that a text names.
func (m *exactMatches) named(key string) []int32 {
	first, known := m.sellers[key]
	if !known {
		return nil
	}
	return append([]int32{first}, m.further[key]...)
}

// fill finds the category for each name and synonym. If several share one, a name takes
// precedence over a synonym, then the category with more listings, then the lower address.
func (m *exactMatches) fill(c *corpus.Corpus) {
	order := make([]int32, len(c.Categories))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &c.Categories[a], &c.Categories[b]
		return cmp.Or(cmp.Compare(y.Listings, x.Listings), cmp.Compare(x.Link.URL, y.Link.URL))
	})
	set := func(name string, at int32) {
		for _, key := range text.Compacts(name) {
			if _, taken := m.categories[key]; !taken {
				m.categories[key] = at
			}
		}
	}
	for _, at := range order {
		set(c.Categories[at].Item.Name, at)
	}
	for _, at := range order {
		for _, synonym := range c.Categories[at].Item.Synonyms {
			set(synonym, at)
		}
	}
}

// typedDomain returns a domain as people type it, with umlauts (IDNA, RFC 5891), and
// asciiDomain in DNS form, or "" if that equals the domain.
func typedDomain(domain string) string {
	if !strings.Contains(domain, "xn--") {
		return ""
	}
	typed, err := idna.ToUnicode(domain)
	if err != nil {
		return ""
	}
	return typed
}

func asciiDomain(domain string) string {
	if !strings.ContainsFunc(domain, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return ""
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return ""
	}
	return ascii
}

// Seller returns the only seller that a text names, in its compact spellings, or -1.
func (m *exactMatches) Seller(name []string, v *corpus.Visibility) int32 {
	found := int32(-1)
	for _, key := range name {
		for _, at := range m.named(key) {
			switch {
			case v.Hides(at) || at == found:
			case found >= 0:
				return -1
			default:
				found = at
			}
		}
	}
	return found
}

// Category returns the category that a text names in the same way, or -1.
func (m *exactMatches) Category(name []string) int32 {
	for _, key := range name {
		if at, found := m.categories[key]; found {
			return at
		}
	}
	return -1
}

// NamesOffer reports whether a text, in its compact spellings, is the full name of a visible
// seller or listing.
func (x *Matcher) NamesOffer(ctx context.Context, name []string, v *corpus.Visibility) (bool, error) {
	if x.Exact.Seller(name, v) >= 0 {
		return true, nil
	}
	list, err := x.ListingsNamed(ctx, name, v)
	return len(list) > 0, err
}

// ListingsNamed returns the visible listings with a name, in its compact spellings.
func (x *Lexicon) ListingsNamed(ctx context.Context, name []string, v *corpus.Visibility) (list []uint32, err error) {
	for _, key := range name {
		p, err := x.exactly(ctx, index.ExactName+key)
		if err != nil {
			return nil, err
		}
		for _, doc := range p.Docs {
			if !v.Hides(x.Corpus.SellerOf[doc]) && !slices.Contains(list, doc) {
				list = append(list, doc)
			}
		}
	}
	return list, nil
}
