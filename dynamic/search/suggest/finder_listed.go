package suggest

import (
	"slices"

	"souk/build/index/naming"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/match"
)

// This file finds listings in the lists of names of the parts. In each list the best uses of a
// word come first, so that only the first use of a word is read from most parts.

// eachList calls yield with the names of the requested kinds.
func (f *finder) eachList(yield func(*corpus.Listed)) {
	if f.wanted[ofProduct] || f.wanted[ofService] {
		f.corpus.EachList(func(l *corpus.Listed) {
			if f.wanted[placeOf(l.Kind)] {
				yield(l)
			}
		})
	}
}

// Classes map the role of a word in a name to the class of the name.
type classes [naming.Within + 1]uint8

var (
	wholeText = classes{naming.Whole: classExact, naming.First: classBegins, naming.Within: classWord}
	oneBegun  = classes{naming.Whole: classBegins, naming.First: classBegins, naming.Within: classWord}
	allBegun  = classes{classWord, classWord, classWord}
	misspelt  = classes{classTypo, classTypo, classTypo}
)

func (f *finder) findListed(l *corpus.Listed, s spelling) {
	begun := spanOf(l, s.compact)
	if begun.from < begun.to && l.Words.At(begun.from) == s.compact {
		f.offerWord(l, begun.from, wholeText, nil, "")
	}
	f.offerSpan(l, begun, oneBegun, nil)
	switch {
	case len(s.words) == 1 && s.words[0] != s.compact:
		f.offerSpan(l, spanOf(l, s.words[0]), oneBegun, nil)
	case len(s.words) > 1:
		spans, all := spansOf(l, s.words)
		if having, any := having(l, spans); all && any {
			f.offerSpan(l, spans[0], allBegun, having)
		}
	}
}

// A wordSpan is the index range of words with the same beginning.
type wordSpan struct{ from, to int }

func spanOf(l *corpus.Listed, prefix string) wordSpan {
	from, to := l.Words.Span(prefix)
	return wordSpan{from, to}
}

// spansOf returns the spans of the beginnings of words, the one with the fewest uses first,
// and whether all exist. Most parts do not contain most words.
func spansOf(l *corpus.Listed, words []string) (list []wordSpan, all bool) {
	for _, w := range words {
		s := spanOf(l, w)
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

// offerSpan offers the names with a word of a span.
func (f *finder) offerSpan(l *corpus.Listed, s wordSpan, as classes, having ranks) {
	for at := s.from; at < s.to; at++ {
		f.offerWord(l, at, as, having, "")
	}
}

// offerWord offers the names with the word at an index that are in a set, if it is not nil.
func (f *finder) offerWord(l *corpus.Listed, at int, as classes, having ranks, typo string) {
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

// offerUse offers a name. It returns false if the names that rank after it are useless too.
func (f *finder) offerUse(l *corpus.Listed, rank int, class uint8, having ranks, typo string) (goOn bool) {
	at := l.Listing(rank)
	if at < 0 || having != nil && !having.has(rank) {
		return true
	}
	if f.only >= 0 && f.corpus.SellerOf[at] != f.only {
		return true
	}
	c := candidate{kind: placeOf(l.Kind), class: class, at: at, rank: uint64(l.Lengths[rank])<<32 | uint64(at), typo: typo}
	if f.spellingCounts(class) {
		// The closest name may have any rank, but none is closer than this.
		if c.likeness = match.SameSpelling; class == classBegins {
			c.likeness = match.SameBeginning
		}
		if f.late(&c) {
			return false
		}
		if c.likeness = f.likenessOf(f.corpus.Name(uint32(at)), class); f.late(&c) {
			return true
		}
	}
	if f.late(&c) {
		return false
	}
	if !f.visible.Hides(f.corpus.SellerOf[at]) {
		f.keep(c)
	}
	return true
}

func (f *finder) findMisspeltListed(l *corpus.Listed, word string, others []string) {
	spans, all := spansOf(l, others)
	having, any := having(l, spans)
	if !all || !any {
		return
	}
	misspellings(l.Words, word, func(held string, at int) { f.offerWord(l, at, misspelt, having, held) })
}

// offerCompound offers the names with a word. The joined form of a whole name does not count
// as a word.
func (f *finder) offerCompound(l *corpus.Listed, word string) {
	at, _ := l.Words.Find(word)
	for _, u := range l.Of(at, at+1) {
		if doc := l.Listing(u.Rank()); u.As() == naming.Whole && doc >= 0 && !hasWord(f.corpus.Name(uint32(doc)), word) {
			continue
		}
		if !f.offerUse(l, u.Rank(), classCompound, nil, word) {
			return
		}
	}
}

// hasWord reports whether a folded word occurs in a name, in either spelling.
func hasWord(name, word string) bool {
	return slices.ContainsFunc(text.Tokens(nil, name), func(t text.Token) bool { return t.Text == word || t.Digraphs == word })
}

// Ranks are a set of ranks; nil stands for all.
type ranks []uint64

func (r ranks) has(rank int) bool { return r[rank/64]&(1<<(rank%64)) != 0 }

// having returns the names that have a word of each span, and whether there are any.
func having(l *corpus.Listed, spans []wordSpan) (all ranks, any bool) {
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
