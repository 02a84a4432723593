package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"souk/build/document"
	"strings"
	"unicode/utf8"
)

// MaxQuery is the greatest length of a query in characters. Since the words of
// a query are at most as many, it bounds what one costs.
const MaxQuery = document.MaxQuery

// A reading is a query as words.
type reading struct {
	words []queryWord
	// whole is the compact query.
	whole string
	// open: nothing ends the last word, so that it may be unfinished.
	open bool
	// blank: there is nothing but spaces, which asks for everything.
	blank bool
}

type queryWord struct {
	text string
	// stop: the word says nothing and need not be there.
	stop bool
	// joined are the words that it makes together with its neighbours.
	joined []string
}

// read takes a query apart. It is text and never syntax.
func (g *grammar) read(text string) *reading {
	r := &reading{whole: compact(text), blank: strings.TrimSpace(text) == ""}
	list := tokens(nil, text)
	last, _ := utf8.DecodeLastRuneInString(fold(text))
	r.open = isWordRune(last)
	seen := map[string]int{}
	telling := 0
	for i, t := range list {
		at, known := seen[t.text]
		if !known {
			at = len(r.words)
			seen[t.text] = at
			r.words = append(r.words, queryWord{text: t.text, stop: g.stop[t.text]})
			if !g.stop[t.text] {
				telling++
			}
		}
		// Every run of neighbours that the word is part of.
		for from := max(0, i-maxJoined+1); from <= i; from++ {
			for n := i - from + 1; n <= maxJoined && from+n <= len(list); n++ {
				if n > 1 && !slices.ContainsFunc(list[from:from+n], func(t token) bool { return t.pair }) {
					r.words[at].joined = append(r.words[at].joined, join(list[from:from+n]))
				}
			}
		}
	}
	if telling == 0 {
		for i := range r.words {
			r.words[i].stop = false
		}
	}
	return r
}

// A group is one word of a query with everything that passes for it.
type group struct {
	*postings
	idf  float64
	stop bool
}

// idf is the inverse document frequency of BM25.
func (x *Index) idf(p *postings) float64 {
	n, df := float64(len(x.corpus.listings)), float64(len(p.docs))
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// strict gives the listings that have a word in any of its forms, alone or
// joined with its neighbours.
func (x *Index) strict(ctx context.Context, w queryWord) (*postings, error) {
	p, err := x.class(ctx, w.text)
	if err != nil || len(w.joined) == 0 {
		return p, err
	}
	lists := []weighted{{p, 1}}
	for _, j := range w.joined {
		q, err := x.class(ctx, j)
		if err != nil {
			return nil, err
		}
		if len(q.docs) > 0 {
			lists = append(lists, weighted{q, 1})
		}
	}
	return x.scratch.union(lists), nil
}

// unfinished gives the listings that have a word which begins so. A single
// letter says too little, unless it is one of an unspaced script.
func (x *Index) unfinished(ctx context.Context, word string) (*postings, error) {
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) && !isUnspaced(first) {
		return &postings{}, nil
	}
	return x.cached("p"+word, func() (*postings, error) {
		var words []string
		for _, p := range x.parts {
			from, to := p.words.span(word)
			words = append(words, p.words[from:to]...)
		}
		slices.Sort(words)
		return x.words(ctx, slices.Compact(words), word)
	})
}

// namedSo gives the listings that have a word in their name, or as their whole
// name, which begins so. What a name has to say is known without bluge.
func (x *Index) namedSo(word string) *postings {
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) && !isUnspaced(first) {
		return &postings{}
	}
	p, _ := x.cached("n"+word, func() (*postings, error) {
		g, s := x.suggest, x.scratch.get()
		defer x.scratch.put(s)
		from, to := g.words.span(word)
		for i := from; i < to; i++ {
			impact := uint16(beginning(word, g.words[i])*namedImpact*impactUnit)<<1 | namedBit
			for _, l := range g.leads[g.first[i]:g.first[i+1]] {
				o := &g.options[l>>2]
				if o.kind != ofProduct && o.kind != ofService {
					continue
				}
				if s.mark(uint32(o.at)) || s.impacts[o.at] < impact {
					s.impacts[o.at] = impact
				}
			}
		}
		p := &postings{}
		s.each(func(doc uint32) { p.add(doc, s.impacts[doc]) })
		return p, nil
	})
	return p
}

// namedImpact is about the impact of a word in a name.
const namedImpact = 0.8

// beginning gives the factor of a word that was typed as far as prefix: the
// less of it is missing, the more it counts.
func beginning(prefix, word string) float64 {
	return prefixFactor * max(0.4, float64(len(prefix))/float64(len(word)))
}

// The share of its impact that a word keeps where it was not typed as it is.
const (
	prefixFactor     = 0.8
	oneErrorFactor   = 0.8
	twoErrorsFactor  = 0.6
	firstWrongFactor = 0.7
	splitFactor      = 0.9
)

// words joins the listings of words that begin with a prefix.
func (x *Index) words(ctx context.Context, words []string, prefix string) (*postings, error) {
	lists := make([]weighted, 0, len(words))
	for _, w := range words {
		p, err := x.word(ctx, w)
		if err != nil {
			return nil, err
		}
		if len(p.docs) > 0 {
			lists = append(lists, weighted{p, beginning(prefix, w)})
		}
	}
	return x.joinLists(lists), nil
}

// misspelt gives the listings of the words that a word may be a misspelling
// of, those nearest to it, and of two held words that it is made of.
func (x *Index) misspelt(ctx context.Context, word string, s *screen) (*postings, error) {
	key := "f" + word
	if s != nil {
		key = "" // which words may be shown depends on who is withheld
	}
	if p := x.cache.get(key); p != nil && key != "" {
		return p, nil
	}
	var lists []weighted
	split, err := x.split(ctx, word)
	if err != nil {
		return nil, err
	}
	if len(split.docs) > 0 {
		lists = append(lists, weighted{split, splitFactor})
	}
	for most := 1; most <= allowed(word); most++ {
		near, err := x.near(ctx, word, most, s)
		if err != nil {
			return nil, err
		}
		if lists = append(lists, near...); len(lists) > 0 {
			break
		}
	}
	p := x.joinLists(lists)
	if key != "" {
		x.cache.put(key, p)
	}
	return p, nil
}

// near gives the words that are exactly so many errors away.
func (x *Index) near(ctx context.Context, word string, errors int, s *screen) ([]weighted, error) {
	var found []neighbour
	for _, p := range x.parts {
		found = append(found, p.words.neighbours(word, errors, false)...)
	}
	slices.SortFunc(found, func(a, b neighbour) int { return cmp.Compare(a.word, b.word) })
	found = slices.Compact(found)
	var lists []weighted
	for _, n := range found {
		if n.errors != errors {
			continue
		}
		p, err := x.class(ctx, n.word)
		if err != nil {
			return nil, err
		}
		if !s.shows(x, p) {
			continue
		}
		factor := oneErrorFactor
		if n.errors == 2 {
			factor = twoErrorsFactor
		}
		if a, _ := utf8.DecodeRuneInString(n.word); !strings.HasPrefix(word, string(a)) {
			factor *= firstWrongFactor
		}
		lists = append(lists, weighted{p, factor})
	}
	return lists, nil
}

// minSplit is the least length of the halves that a word is split into.
const minSplit = 2

// split gives the listings that have both halves of a word, for the way to
// halve it that leads to most.
func (x *Index) split(ctx context.Context, word string) (*postings, error) {
	best := &postings{}
	for at := range word {
		if at < minSplit || len(word)-at < minSplit {
			continue
		}
		left, right := word[:at], word[at:]
		if !x.spelled(left) || !x.spelled(right) {
			continue
		}
		a, err := x.word(ctx, left)
		if err != nil {
			return nil, err
		}
		b, err := x.word(ctx, right)
		if err != nil {
			return nil, err
		}
		if p := both(a, b); len(p.docs) > len(best.docs) {
			best = p
		}
	}
	return best, nil
}

func (x *Index) spelled(word string) bool {
	return slices.ContainsFunc(x.parts, func(p *part) bool { return p.words.holds(word) })
}
