package search

import (
	"cmp"
	"slices"
)

// wholes finds the seller or category that a whole query names, without case,
// accents, punctuation and spacing.
type wholes struct {
	// sellers holds every seller that a compact text names.
	sellers    map[string][]int32
	categories map[string]int32
}

func newWholes(c *Corpus) wholes {
	w := wholes{sellers: map[string][]int32{}, categories: map[string]int32{}}
	for i := range c.sellers {
		s := c.sellers[i].item
		for _, text := range [...]string{s.Name, s.LegalName, s.Ref.Slug, s.OfficialDomain} {
			if key := compact(text); key != "" && !slices.Contains(w.sellers[key], int32(i)) {
				w.sellers[key] = append(w.sellers[key], int32(i))
			}
		}
	}
	w.fill(c)
	return w
}

// fill finds the category of each name and synonym. Where several share one, a
// name goes before a synonym, then the one with more listings, then the
// address.
func (w *wholes) fill(c *Corpus) {
	order := make([]int32, len(c.categories))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &c.categories[a], &c.categories[b]
		return cmp.Or(cmp.Compare(y.listings, x.listings), cmp.Compare(x.link.URL, y.link.URL))
	})
	set := func(text string, at int32) {
		key := compact(text)
		if _, taken := w.categories[key]; key != "" && !taken {
			w.categories[key] = at
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

// seller gives the one seller that a compact query names, or -1.
func (w *wholes) seller(query string, s *screen) int32 {
	found := int32(-1)
	for _, at := range w.sellers[query] {
		if s.hides(at) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = at
	}
	return found
}

// category gives the category that a compact query names, or -1.
func (w *wholes) category(query string) int32 {
	if at, found := w.categories[query]; found {
		return at
	}
	return -1
}
