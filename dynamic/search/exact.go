package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"souk/build/catalog"
	"souk/build/index/text"
)

// exactMatches finds the seller or category that a whole query names, ignoring
// case, accents, punctuation and spacing.
type exactMatches struct {
	// sellers has the first seller that a compact text names, further all others.
	sellers    map[string]int32
	further    map[string][]int32
	categories map[string]int32
}

func newExactMatches(c *Corpus) *exactMatches {
	m := &exactMatches{sellers: make(map[string]int32, 4*len(c.sellers)), further: map[string][]int32{}, categories: map[string]int32{}}
	c.eachSeller(func(at int32, s *catalog.Seller) {
		for _, name := range [...]string{s.Name, s.LegalName, s.Ref.Slug, s.OfficialDomain, typedDomain(s.OfficialDomain), asciiDomain(s.OfficialDomain)} {
			for _, key := range text.Compacts(name) {
				m.add(key, at)
			}
		}
	})
	m.fill(c)
	return m
}

// add has a text name a seller, after those that it names already.
func (m *exactMatches) add(key string, at int32) {
	switch first, known := m.sellers[key]; {
	case !known:
		m.sellers[strings.Clone(key)] = at // it may be the name itself, in a part
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

// fill finds the category of each name and synonym. Where several share one, a
// name wins over a synonym, then the one with more listings, then the lower
// address.
func (m *exactMatches) fill(c *Corpus) {
	order := make([]int32, len(c.categories))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &c.categories[a], &c.categories[b]
		return cmp.Or(cmp.Compare(y.listings, x.listings), cmp.Compare(x.link.URL, y.link.URL))
	})
	set := func(name string, at int32) {
		for _, key := range text.Compacts(name) {
			if _, taken := m.categories[key]; !taken {
				m.categories[key] = at
			}
		}
	}
	for _, at := range order {
		set(c.categories[at].item.Name, at)
	}
	for _, at := range order {
		for _, synonym := range c.categories[at].item.Synonyms {
			set(synonym, at)
		}
	}
}

// typedDomain returns a domain as people type it, with its umlauts (IDNA, RFC
// 5891), and asciiDomain as DNS has it; "" if that is the domain itself.
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

// seller returns the one seller that a text names, in its compact spellings, or -1.
func (m *exactMatches) seller(name []string, v *visibility) int32 {
	found := int32(-1)
	for _, key := range name {
		for _, at := range m.named(key) {
			switch {
			case v.hides(at) || at == found:
			case found >= 0:
				return -1
			default:
				found = at
			}
		}
	}
	return found
}

// category returns the category that a text names likewise, or -1.
func (m *exactMatches) category(name []string) int32 {
	for _, key := range name {
		if at, found := m.categories[key]; found {
			return at
		}
	}
	return -1
}
