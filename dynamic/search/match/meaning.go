package match

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"souk/build/index/text"
	"souk/dynamic/search/corpus"
)

// meanings are the words and phrases with additional meaning: names of categories, and words
// with synonyms. Their forms count as the same.
type meanings struct {
	// categories are those with a name or synonym, the one with the most listings first.
	// synonyms are the alternatives, each as words.
	categories map[string][]int32
	synonyms   map[string][][]string
	// OfCategories are the stems of the words in names and synonyms of categories.
	OfCategories map[string]bool
	// longest is the maximum number of words in any phrase.
	longest int
}

// maxMeaning is the maximum number of words in a known phrase.
const maxMeaning = 6

func newMeanings(c *corpus.Corpus, stems *stems) *meanings {
	m := &meanings{categories: map[string][]int32{}, synonyms: map[string][][]string{}, OfCategories: map[string]bool{}}
	for at := range c.Categories {
		item := c.Categories[at].Item
		for _, name := range append([]string{item.Name}, item.Synonyms...) {
			said := WordsOf(name)
			m.category(m.key(said, stems), int32(at))
			if joined := m.key([]string{strings.Join(said, "")}, stems); len(said) == 2 { // ebike, of E-bikes
				m.category(joined, int32(at))
				m.synonyms[joined] = append(m.synonyms[joined], said)
				m.OfCategories[joined] = true
			}
			for _, word := range said {
				m.OfCategories[stems.Of(word)] = true
			}
		}
	}
	for _, list := range m.categories {
		slices.SortFunc(list, func(a, b int32) int {
			x, y := &c.Categories[a], &c.Categories[b]
			return cmp.Or(cmp.Compare(y.Listings, x.Listings), cmp.Compare(x.Link.URL, y.Link.URL))
		})
	}
	for _, s := range c.Synonyms {
		key := m.key(WordsOf(s.From), stems)
		for _, to := range s.To {
			if list := WordsOf(to); key != "" && len(list) > 0 && len(list) <= maxMeaning {
				m.synonyms[key] = append(m.synonyms[key], list)
			}
		}
	}
	return m
}

func (m *meanings) category(key string, at int32) {
	if key != "" && !corpus.Contains(m.categories[key], at) {
		m.categories[key] = append(m.categories[key], at)
	}
}

// WordsOf returns the words of a name.
func WordsOf(name string) []string {
	var list []string
	for _, t := range text.Tokens(nil, name) {
		list = append(list, t.Text)
	}
	return list
}

// key returns the common part of the forms of a phrase, or "" if it is too long.
func (m *meanings) key(words []string, stems *stems) string {
	if len(words) > maxMeaning {
		return ""
	}
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = stems.Of(w)
	}
	m.longest = max(m.longest, len(words))
	return strings.Join(list, " ")
}

// Called returns the categories that words name, in any form.
func (m *meanings) Called(words []string, stems *stems) []int32 {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = stems.Of(word)
	}
	return m.categories[strings.Join(list, " ")]
}

// A Span is the words of a query from one up to another, with their meaning.
type Span struct {
	from, to   int
	Categories []int32
	synonyms   [][]string
}

// Spans finds the meanings of runs of neighbouring words, the longest first if they overlap.
func (m *meanings) Spans(r *ParsedQuery, stems *stems) []Span {
	var list []Span
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
	at(0, len(r.Words))
	return list
}

func (m *meanings) span(r *ParsedQuery, from, to int, stems *stems) (Span, bool) {
	list, told := make([]string, 0, to-from), false
	for i := from; i < to; i++ {
		w := &r.Words[i]
		if i > from && !w.follows {
			return Span{}, false
		}
		list, told = append(list, stems.Of(w.Text)), told || !w.Stop
	}
	key := strings.Join(list, " ")
	s := Span{from, to, m.categories[key], m.synonyms[key]}
	return s, told && len(s.Categories)+len(s.synonyms) > 0
}

// either reports whether a query asks for either of two things: two categories, as in chainsaw
// or hedge trimmer, or two words.
func (x *Matcher) either(r *ParsedQuery) bool {
	joins := func(i int) bool { return x.phrases.Or(r.Words[i].Text) }
	if len(r.Words) == 3 && r.Telling == 2 && joins(1) {
		return true
	}
	end := 0
	for _, s := range x.Meanings.Spans(r, x.Stems) {
		if len(s.Categories) == 0 {
			continue
		}
		if end > 0 && s.from == end+1 && joins(end) {
			return true
		}
		end = s.to
	}
	return false
}

// Phrase returns the listings with every word of a phrase.
func (x *Lexicon) Phrase(ctx context.Context, words []string, forms inflection) (*Postings, error) {
	var all *Postings
	for _, w := range words {
		p, err := x.Inflected(ctx, w, forms)
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

// synonymFactor is the relative impact of a synonym.
const synonymFactor = 0.9

// commonShare is the share of all listings above which a word adds nothing to the name of a
// category, as Kubernetes where everything is about it. With half of it, known items of the
// tests ranked lower.
const commonShare = 0.3

// mean adds to the groups of words the meanings of the words.
func (m *matching) mean(r *ParsedQuery, groups []*Postings, forms inflection) error {
	x := m.Matcher
	for i, p := range groups {
		if float64(m.visible.Count(p.Docs)) > commonShare*float64(x.Corpus.Listings(m.visible)) {
			m.understood.common = append(m.understood.common, i)
		}
	}
	for _, s := range append(x.Meanings.Spans(r, x.Stems), x.quantities(r)...) {
		// The names of its categories are words of every listing, so a recognised category
		// only needs to be reported.
		if len(s.Categories) > 0 {
			m.understood.Categories = append(m.understood.Categories, recognised{s.from, s.to, s.Categories[0]})
			m.understood.LeftOut = slices.DeleteFunc(m.understood.LeftOut, func(i int) bool { return s.from <= i && i < s.to && r.Words[i].asks })
			r.tells(s.from, s.to)
		}
		var lists []weighted
		for _, words := range s.synonyms {
			p, err := x.Phrase(m.ctx, words, forms)
			if err != nil {
				return err
			}
			if len(p.Docs) > 0 {
				lists = append(lists, weighted{p, synonymFactor})
			}
		}
		if len(lists) == 0 {
			continue
		}
		for i := s.from; i < s.to; i++ {
			if !r.Words[i].Stop {
				groups[i] = x.Scratch.union(append([]weighted{{groups[i], 1}}, lists...))
			}
		}
	}
	return nil
}
