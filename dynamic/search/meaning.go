package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"souk/build/index/text"
)

// meanings are the words and phrases that say more than their words: those that
// name a category, and those that have synonyms. Their forms count as the same.
type meanings struct {
	// categories are those of a name or synonym, the one with the most listings
	// first; synonyms are what may be meant as well, each as its words.
	categories map[string][]int32
	synonyms   map[string][][]string
	// ofCategories are the stems of the words of all names and synonyms of categories.
	ofCategories map[string]bool
	// longest is the greatest number of words of any.
	longest int
}

// maxMeaning is the greatest number of words of a phrase that is known.
const maxMeaning = 6

func newMeanings(c *Corpus, stems *stems) *meanings {
	m := &meanings{categories: map[string][]int32{}, synonyms: map[string][][]string{}, ofCategories: map[string]bool{}}
	for at := range c.categories {
		item := c.categories[at].item
		for _, name := range append([]string{item.Name}, item.Synonyms...) {
			said := words(name)
			m.category(m.key(said, stems), int32(at))
			if joined := m.key([]string{strings.Join(said, "")}, stems); len(said) == 2 { // ebike, of E-bikes
				m.category(joined, int32(at))
				m.synonyms[joined] = append(m.synonyms[joined], said)
				m.ofCategories[joined] = true
			}
			for _, word := range said {
				m.ofCategories[stems.of(word)] = true
			}
		}
	}
	for _, list := range m.categories {
		slices.SortFunc(list, func(a, b int32) int {
			x, y := &c.categories[a], &c.categories[b]
			return cmp.Or(cmp.Compare(y.listings, x.listings), cmp.Compare(x.link.URL, y.link.URL))
		})
	}
	for _, s := range c.synonyms {
		key := m.key(words(s.from), stems)
		for _, to := range s.to {
			if list := words(to); key != "" && len(list) > 0 && len(list) <= maxMeaning {
				m.synonyms[key] = append(m.synonyms[key], list)
			}
		}
	}
	return m
}

func (m *meanings) category(key string, at int32) {
	if key != "" && !contains(m.categories[key], at) {
		m.categories[key] = append(m.categories[key], at)
	}
}

// words returns the words of a name.
func words(name string) []string {
	var list []string
	for _, t := range text.Tokens(nil, name) {
		list = append(list, t.Text)
	}
	return list
}

// key returns what the forms of a phrase have in common, "" if it is too long.
func (m *meanings) key(words []string, stems *stems) string {
	if len(words) > maxMeaning {
		return ""
	}
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = stems.of(w)
	}
	m.longest = max(m.longest, len(words))
	return strings.Join(list, " ")
}

// A span is the words of a query from one up to another, with what they mean.
type span struct {
	from, to   int
	categories []int32
	synonyms   [][]string
}

// spans finds what the runs of neighbouring words of a query mean, the longest
// first where they overlap.
func (m *meanings) spans(r *parsedQuery, stems *stems) []span {
	var list []span
	var at func(from, to int)
	at = func(from, to int) {
		for n := min(m.longest, to-from); n > 0; n-- {
			for i := from; i+n <= to; i++ {
				if s, found := m.span(r, i, i+n, stems); found {
					at(from, i)
					list = append(list, s)
					at(i+n, to)
					return
				}
			}
		}
	}
	at(0, len(r.words))
	return list
}

func (m *meanings) span(r *parsedQuery, from, to int, stems *stems) (span, bool) {
	list, told := make([]string, 0, to-from), false
	for i := from; i < to; i++ {
		w := &r.words[i]
		if i > from && !w.follows {
			return span{}, false
		}
		list, told = append(list, stems.of(w.text)), told || !w.stop
	}
	key := strings.Join(list, " ")
	s := span{from, to, m.categories[key], m.synonyms[key]}
	return s, told && len(s.categories)+len(s.synonyms) > 0
}

// either reports whether a query asks for either of two things: two categories, as in chainsaw
// or hedge trimmer, or two words.
func (x *Index) either(r *parsedQuery) bool {
	joins := func(i int) bool { return x.interpreter.Alternatives[r.words[i].text] }
	if len(r.words) == 3 && r.telling == 2 && joins(1) {
		return true
	}
	end := 0
	for _, s := range x.meanings.spans(r, x.stems) {
		if len(s.categories) == 0 {
			continue
		}
		if end > 0 && s.from == end+1 && joins(end) {
			return true
		}
		end = s.to
	}
	return false
}

// phrase returns the listings that have every word of a phrase.
func (x *Index) phrase(ctx context.Context, words []string, forms inflection) (*postings, error) {
	var all *postings
	for _, w := range words {
		p, err := x.inflected(ctx, w, forms)
		if err != nil {
			return nil, err
		}
		if all != nil {
			p = both(all, p)
		}
		all = p
	}
	return all, nil
}

// synonymFactor is the share of its impact that a synonym has.
const synonymFactor = 0.9

// commonShare is the share of all listings that hold a word which says nothing beside the name of
// a category, as Kubernetes does where all is about it. With half of it known items of the tests
// came later.
const commonShare = 0.3

// mean adds to the groups of words what they mean.
func (m *matcher) mean(r *parsedQuery, groups []*postings, forms inflection) error {
	x := m.index
	for i, p := range groups {
		if float64(m.visible.count(x, p)) > commonShare*float64(len(x.corpus.places)) {
			m.told.common = append(m.told.common, i)
		}
	}
	for _, s := range append(x.meanings.spans(r, x.stems), x.quantities(r)...) {
		// The names of its categories are words of every listing, so that one which
		// is recognised needs only be told.
		if len(s.categories) > 0 {
			m.told.categories = append(m.told.categories, recognised{s.from, s.to, s.categories[0]})
			m.told.leftOut = slices.DeleteFunc(m.told.leftOut, func(i int) bool { return s.from <= i && i < s.to && r.words[i].asks })
			r.tells(s.from, s.to)
		}
		var lists []weighted
		for _, words := range s.synonyms {
			p, err := x.phrase(m.ctx, words, forms)
			if err != nil {
				return err
			}
			if len(p.docs) > 0 {
				lists = append(lists, weighted{p, synonymFactor})
			}
		}
		if len(lists) == 0 {
			continue
		}
		for i := s.from; i < s.to; i++ {
			if !r.words[i].stop {
				groups[i] = x.scratch.union(append([]weighted{{groups[i], 1}}, lists...))
			}
		}
	}
	return nil
}
