package suggest

import (
	"slices"

	"souk/build/index/naming"
	"souk/dynamic/search/corpus"
)

// This file finds categories and sellers.

func (f *finder) findOptions(s spelling) {
	if !f.wanted[ofCategory] && !f.wanted[OfSeller] {
		return
	}
	for _, o := range f.options.Of(s.compact) {
		f.offer(o, wholeClass(o), nil, "")
	}
	f.offerBegun(s.compact, nil)
	switch {
	case len(s.words) == 1 && s.words[0] != s.compact:
		f.offerBegun(s.words[0], nil)
	case len(s.words) > 1 && f.optionHas(s.words):
		f.offerBegun(rarest(s.words, f.uses))
	}
}

// wholeClass returns the class of a name with the whole text as a word.
func wholeClass(o occurrence) uint8 {
	other := o&OfOtherName != 0
	switch as := naming.As(o & AsMask); {
	case as == naming.Whole && other:
		return classExactOther
	case as == naming.Whole:
		return classExact
	default:
		return begunClass(o, nil)
	}
}

// begunClass returns the class of a name with a word that begins like the text or, with
// others, a part of it.
func begunClass(o occurrence, others []string) uint8 {
	switch {
	case o&OfOtherName != 0:
		return classOther
	case naming.As(o&AsMask) != naming.Within && len(others) == 0:
		return classBegins
	default:
		return classWord
	}
}

// optionHas reports whether any option has, for each of some beginnings, a word with it.
func (f *finder) optionHas(words []string) bool {
	word, others := rarest(words, func(w string) int { return len(f.options.begun(w)) })
	return slices.ContainsFunc(f.options.begun(word), func(o occurrence) bool {
		return f.options.has(&f.options.List[o.Option()], others)
	})
}

// rarest returns the word with the fewest uses, and the others.
func rarest(words []string, uses func(word string) int) (word string, others []string) {
	at, fewest := 0, -1
	for i, w := range words {
		if n := uses(w); fewest < 0 || n < fewest {
			at, fewest = i, n
		}
	}
	return words[at], slices.Delete(slices.Clone(words), at, at+1)
}

// uses returns how often words with a beginning are in names of any kind.
func (f *finder) uses(word string) int {
	n := len(f.options.begun(word))
	f.corpus.EachList(func(l *corpus.Listed) { n += l.Living(l.Of(l.Words.Span(word))) })
	return n
}

// offerBegun offers the options with a word that begins with prefix, and one for each of the
// others.
func (f *finder) offerBegun(prefix string, others []string) {
	for _, o := range f.options.begun(prefix) {
		f.offer(o, begunClass(o, others), others, "")
	}
}

// offer offers an option that also has the others. The cheap checks come first.
func (f *finder) offer(occurrence occurrence, class uint8, others []string, typo string) {
	at := occurrence.Option()
	o := &f.options.List[at]
	if !f.wanted[o.Kind] {
		return
	}
	c := candidate{kind: o.Kind, class: class, at: o.At, rank: uint64(at), typo: typo}
	if f.spellingCounts(class) {
		c.likeness = f.likenessOf(f.nameOf(o), class)
	}
	if !f.late(&c) && f.options.has(o, others) && !(o.Kind == OfSeller && f.visible.Hides(o.At)) {
		f.keep(c)
	}
}

func (f *finder) nameOf(o *option) string {
	if o.Kind == ofCategory {
		return f.corpus.Categories[o.At].Item.Name
	}
	return f.corpus.Sellers[o.At].Name
}

func (f *finder) findMisspeltOptions(word string, others []string) {
	misspellings(f.options.words, word, func(held string, at int) {
		for _, o := range f.options.between(at, at+1) {
			f.offer(o, classTypo, others, held)
		}
	})
}

// offerCompoundOptions offers the options that have a word in their name.
func (f *finder) offerCompoundOptions(word string) {
	at, _ := f.options.words.Find(word)
	for _, o := range f.options.between(at, at+1) {
		if hasWord(f.nameOf(&f.options.List[o.Option()]), word) {
			f.offer(o, classCompound, nil, word)
		}
	}
}
