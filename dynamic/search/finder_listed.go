package search

import (
	"slices"

	"souk/build/catalog"
	"souk/build/index/naming"
	"souk/build/index/text"
)

// This file finds listings in the lists of names of the parts. In each the uses of a word
// stand best first, so that of a word most parts are asked no more than for its first.

// Listed are the names of the Products or of the Services of a segment.
type listed struct {
	*naming.List
	segment *segment
	kind    uint8
}

// eachList calls yield for all names.
func (c *Corpus) eachList(yield func(*listed)) {
	for i := range c.segments {
		s := &c.segments[i]
		yield(&listed{s.Names(catalog.KindProduct), s, ofProduct})
		yield(&listed{s.Names(catalog.KindService), s, ofService})
	}
}

// eachList calls yield for the names of the kinds that are asked for.
func (f *finder) eachList(yield func(*listed)) {
	if f.wanted[ofProduct] || f.wanted[ofService] {
		f.corpus.eachList(func(l *listed) {
			if f.wanted[l.kind] {
				yield(l)
			}
		})
	}
}

// listing returns the number of the listing that has the name of a rank, -1 if it is not
// living.
func (l *listed) listing(rank int) int32 {
	if rank < len(l.Documents) && int(l.Documents[rank]) < len(l.segment.listings) {
		return l.segment.listings[l.Documents[rank]]
	}
	return -1
}

// living returns how many uses are of living listings.
func (l *listed) living(uses []naming.Use) int {
	if l.segment.Whole() {
		return len(uses)
	}
	n := 0
	for _, u := range uses {
		if l.listing(u.Rank()) >= 0 {
			n++
		}
	}
	return n
}

// Classes say what a name is found as, by what the word is to it.
type classes [naming.Within + 1]uint8

var (
	wholeText = classes{naming.Whole: classExact, naming.First: classBegins, naming.Within: classWord}
	oneBegun  = classes{naming.Whole: classBegins, naming.First: classBegins, naming.Within: classWord}
	allBegun  = classes{classWord, classWord, classWord}
	misspelt  = classes{classTypo, classTypo, classTypo}
)

func (f *finder) findListed(l *listed, s spelling) {
	begun := l.span(s.compact)
	if begun.from < begun.to && l.Words.At(begun.from) == s.compact {
		f.offerWord(l, begun.from, wholeText, nil, "")
	}
	f.offerSpan(l, begun, oneBegun, nil)
	switch {
	case len(s.words) == 1 && s.words[0] != s.compact:
		f.offerSpan(l, l.span(s.words[0]), oneBegun, nil)
	case len(s.words) > 1:
		spans, all := l.spans(s.words)
		if having, any := l.having(spans); all && any {
			f.offerSpan(l, spans[0], allBegun, having)
		}
	}
}

// A wordSpan is words with the same beginning, from one place up to another.
type wordSpan struct{ from, to int }

func (l *listed) span(prefix string) wordSpan {
	from, to := l.Words.Span(prefix)
	return wordSpan{from, to}
}

// spans returns those of the beginnings of words, the one with the fewest uses first, and
// whether all have one; of most words most parts have none.
func (l *listed) spans(words []string) (list []wordSpan, all bool) {
	for _, w := range words {
		s := l.span(w)
		if s.from == s.to {
			return nil, false
		}
		list = append(list, s)
		if first := &list[0]; len(l.Of(s.from, s.to)) < len(l.Of(first.from, first.to)) {
			*first, list[len(list)-1] = s, *first
		}
	}
	return list, true
}

// offerSpan offers the names that have a word of a span.
func (f *finder) offerSpan(l *listed, s wordSpan, as classes, having ranks) {
	for at := s.from; at < s.to; at++ {
		f.offerWord(l, at, as, having, "")
	}
}

// offerWord offers the names that have the word at a place, and are of a set unless that is
// nil.
func (f *finder) offerWord(l *listed, at int, as classes, having ranks, typo string) {
	uses := l.Of(at, at+1)
	for len(uses) > 0 {
		u := uses[0]
		if f.offerUse(l, u.Rank(), as[u.As()], having, typo) {
			uses = uses[1:]
		} else {
			uses = naming.After(uses)
		}
	}
}

// offerUse offers a name. It returns false if those that rank after it are of no use
// either.
func (f *finder) offerUse(l *listed, rank int, class uint8, having ranks, typo string) (goOn bool) {
	at := l.listing(rank)
	if at < 0 || having != nil && !having.has(rank) {
		return true
	}
	c := candidate{kind: l.kind, class: class, at: at, rank: uint64(l.Lengths[rank])<<32 | uint64(at), typo: typo}
	if f.spellingCounts(class) {
		// What is closest to the text may come at any rank, but nothing is closer than that.
		if c.likeness = sameSpelling; class == classBegins {
			c.likeness = sameBeginning
		}
		if f.late(&c) {
			return false
		}
		if c.likeness = f.likenessOf(f.corpus.name(uint32(at)), class); f.late(&c) {
			return true
		}
	}
	if f.late(&c) {
		return false
	}
	if !f.visible.hides(f.corpus.sellerOf[at]) {
		f.keep(c)
	}
	return true
}

func (f *finder) findMisspeltListed(l *listed, word string, others []string) {
	spans, all := l.spans(others)
	having, any := l.having(spans)
	if !all || !any {
		return
	}
	misspellings(l.Words, word, func(held string, at int) { f.offerWord(l, at, misspelt, having, held) })
}

// offerCompound offers the names that have a word. What a whole name is when it is written
// together is none of its words.
func (f *finder) offerCompound(l *listed, word string) {
	at, _ := l.Words.Find(word)
	for _, u := range l.Of(at, at+1) {
		if doc := l.listing(u.Rank()); u.As() == naming.Whole && doc >= 0 && !hasWord(f.corpus.name(uint32(doc)), word) {
			continue
		}
		if !f.offerUse(l, u.Rank(), classCompound, nil, word) {
			return
		}
	}
}

// hasWord reports whether a folded word is one of a name, in either spelling.
func hasWord(name, word string) bool {
	return slices.ContainsFunc(text.Tokens(nil, name), func(t text.Token) bool { return t.Text == word || t.Digraphs == word })
}

// Ranks are a set of them; nil is all.
type ranks []uint64

func (r ranks) has(rank int) bool { return r[rank/64]&(1<<(rank%64)) != 0 }

// having returns the names that have a word of each span, and whether there are any.
func (l *listed) having(spans []wordSpan) (all ranks, any bool) {
	any = true
	for _, s := range spans {
		one := make(ranks, len(l.Documents)/64+1)
		for _, u := range l.Of(s.from, s.to) {
			if rank := u.Rank(); rank < len(l.Documents) {
				one[rank/64] |= 1 << (rank % 64)
			}
		}
		any = false
		for i := range one {
			if all != nil {
				one[i] &= all[i]
			}
			any = any || one[i] != 0
		}
		if all = one; !any {
			return nil, false
		}
	}
	return all, any
}
