package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/match"
)

// A finder finds suggestions for one text: categories and sellers among the options, listings
// in the parts.
type finder struct {
	corpus   *corpus.Corpus
	options  *options
	language *text.Language
	visible  *corpus.Visibility
	wanted   [suggestKinds]bool
	most     int
	// spellings are the text and, if it has umlauts, the text with each as two letters.
	spellings []spelling
	// typed and compacts are the words and the compact texts of all spellings.
	typed, compacts []string
	// text is the text; spelled is it without case and accents. If it has punctuation, names
	// that begin exactly like it rank above those that only share its letters.
	text, spelled string
	punctuated    bool
	// only is the seller whose listings are suggested, or -1 for all.
	only int32
	best [suggestKinds][]candidate
}

// A spelling is a text as words, any of which may be unfinished, and in compact form.
type spelling struct {
	compact string
	words   []string
}

// A candidate is a possible suggestion. Its class says how it was found; lower is better.
type candidate struct {
	kind  uint8
	class uint8
	// likeness says how its name is spelled, if that matters.
	likeness match.Likeness
	// at is its index among the categories, sellers or listings of the corpus.
	at int32
	// rank is its rank among all of its kind, the most relevant first.
	rank uint64
	// typo is the word of its name, or whose end, matched a misspelled one.
	typo string
}

func newFinder(x *Suggester, q Query, v *corpus.Visibility) *finder {
	f := &finder{corpus: x.corpus, options: x.Options, language: x.language, visible: v, most: q.Limit, only: -1, text: q.Text, spelled: match.Spelled(q.Text)}
	for kind, name := range suggestKindNames {
		f.wanted[kind] = len(q.Kinds) == 0 || slices.Contains(q.Kinds, name)
	}
	f.punctuated = strings.ContainsFunc(f.spelled, func(r rune) bool { return r != ' ' && !text.IsWordRune(r) })
	plain, digraphs := spelling{compact: text.Compact(q.Text)}, spelling{compact: text.CompactDigraphs(q.Text)}
	for _, t := range text.Tokens(nil, q.Text) {
		if !slices.Contains(plain.words, t.Text) {
			plain.words = append(plain.words, t.Text)
			digraphs.words = append(digraphs.words, cmp.Or(t.Digraphs, t.Text))
		}
	}
	if f.spellings = append(f.spellings, plain); digraphs.compact != "" {
		f.spellings = append(f.spellings, digraphs)
	}
	for _, s := range f.spellings {
		f.typed, f.compacts = append(f.typed, s.words...), append(f.compacts, s.compact)
	}
	return f
}

// The classes, best first.
const (
	classExact      uint8 = iota // the whole name
	classExactOther              // the whole of another name, such as a synonym
	classBegins                  // the beginning of the name
	classWord                    // the beginnings of words of the name
	classOther                   // the beginnings of words of another name
	classCompound                // the beginning of the last part of a word of the name
	classTypo                    // with a typing error
)

// fewSuggestions is the number of results that makes a search for typing errors unnecessary.
const fewSuggestions = 3

// find collects the best options of each kind and, if there are few, compounds and those with
// one typing error.
func (f *finder) find() {
	for _, s := range f.spellings {
		if len(s.words) > 0 {
			f.findOptions(s)
			f.eachList(func(l *corpus.Listed) { f.findListed(l, s) })
			f.findOffersOfNamed(s)
			f.findSKUs(s.compact)
		}
	}
	for _, further := range [...]func(spelling){f.findCompounds, f.findMisspelt} {
		n := 0
		for _, list := range f.best {
			n += len(list)
		}
		if n >= min(f.most, fewSuggestions) {
			return
		}
		for _, s := range f.spellings {
			further(s)
		}
	}
}

// findCompounds finds names with a compound whose last part begins like the only word.
func (f *finder) findCompounds(s spelling) {
	if len(s.words) != 1 {
		return
	}
	f.language.LastParts(s.words[0], f.options.words, f.offerCompoundOptions)
	f.eachList(func(l *corpus.Listed) {
		f.language.LastParts(s.words[0], l.Words, func(held string) { f.offerCompound(l, held) })
	})
}

// late reports whether a candidate comes after all suggestions of its kind.
func (f *finder) late(c *candidate) bool {
	list := f.best[c.kind]
	return len(list) == f.most && compareCandidates(&list[f.most-1], c) <= 0
}

// keep adds a candidate that is not late to the best of its kind.
func (f *finder) keep(c candidate) {
	list := f.best[c.kind]
	if i := slices.IndexFunc(list, func(other candidate) bool { return other.at == c.at }); i >= 0 {
		if compareCandidates(&list[i], &c) <= 0 {
			return
		}
		list = slices.Delete(list, i, i+1)
	}
	place, _ := slices.BinarySearchFunc(list, c, func(a, b candidate) int { return compareCandidates(&a, &b) })
	if list = slices.Insert(list, place, c); len(list) > f.most {
		list = list[:f.most]
	}
	f.best[c.kind] = list
}

func compareCandidates(a, b *candidate) int {
	// Inlined, because most matches of a short text end here.
	switch {
	case a.class != b.class:
		return int(a.class) - int(b.class)
	case a.likeness != b.likeness:
		return int(b.likeness) - int(a.likeness)
	default:
		return cmp.Compare(a.rank, b.rank)
	}
}

// compareSpelling puts names that are spelled like the text first.
func compareSpelling(a, b candidate) int { return cmp.Compare(b.likeness, a.likeness) }

// spellingCounts reports whether likeness orders candidates of a class.
func (f *finder) spellingCounts(class uint8) bool {
	return class == classExact || class == classBegins && f.punctuated
}

// likenessOf returns how closely a name is spelled like the text. A name that begins like it
// has at most sameBeginning; a name with all of its letters is classExact too.
func (f *finder) likenessOf(name string, class uint8) match.Likeness {
	if class == classExact {
		if l := match.LikenessOf(name, f.text, f.spelled); l > 0 {
			return l
		}
	}
	if f.punctuated && !differs(name, f.spelled) && strings.HasPrefix(match.Spelled(name), f.spelled) {
		return match.SameBeginning
	}
	return 0
}

// differs reports whether the first letters of a name show that it does not begin like a
// spelled text. Most names differ, and this is cheaper than folding the name.
func differs(name, text string) bool {
	for i := range min(len(name), len(text)) {
		c := name[i]
		if c <= ' ' || c >= utf8.RuneSelf || text[i] >= utf8.RuneSelf {
			return false // it may fold to something else or nothing
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != text[i] {
			return true
		}
	}
	return false
}

// maxMisspeltWords is the maximum number of words in a text for a search for typing errors: no
// name is longer, and each word costs a walk.
const maxMisspeltWords = 8

// findMisspelt finds names with one typing error in one word of four letters or more.
func (f *finder) findMisspelt(s spelling) {
	if len(s.words) > maxMisspeltWords {
		return
	}
	for i, w := range s.words {
		if text.TypingErrors(w) == 0 {
			continue
		}
		others := slices.Delete(slices.Clone(s.words), i, i+1)
		f.findMisspeltOptions(w, others)
		f.eachList(func(l *corpus.Listed) { f.findMisspeltListed(l, w, others) })
	}
}

// misspellings calls yield with the words whose beginning equals a word except for one typing
// error. The first letter is hardly ever wrong, and most words with another one are noise.
func misspellings(of text.Vocabulary, word string, yield func(word string, at int)) {
	_, size := utf8.DecodeRuneInString(word)
	from, to := of.Span(word[:size])
	for _, n := range of.NeighboursIn(from, to, word, 1, true) {
		if n.Errors > 0 {
			at, _ := of.Find(n.Word)
			yield(n.Word, at)
		}
	}
}

// mixed joins the kinds into one sequence: exact names first, then one of each kind in turn,
// starting with the kind of the best candidate, so that no kind crowds out the others. Names
// with a typing error come last.
func (f *finder) mixed() []candidate {
	var all []candidate
	for kind := range f.best {
		list := f.best[kind]
		n := 0
		for n < len(list) && list[n].class == classExact {
			n++
		}
		all = append(all, list[:n]...)
		f.best[kind] = list[n:]
	}
	// Names spelled like the text come first, of whatever kind.
	slices.SortStableFunc(all, compareSpelling)
	order := []int{ofCategory, OfSeller, ofProduct, ofService}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.bestClass(a), f.bestClass(b)) })
	for _, last := range [...]uint8{classTypo - 1, classTypo} {
		for more := true; more && len(all) < f.most; {
			more = false
			for _, kind := range order {
				if list := f.best[kind]; len(list) > 0 && list[0].class <= last {
					all, f.best[kind], more = append(all, list[0]), list[1:], true
				}
			}
		}
	}
	return all[:min(len(all), f.most)]
}

// bestClass returns the class of a kind's best candidate.
func (f *finder) bestClass(kind int) uint8 {
	if len(f.best[kind]) == 0 {
		return classTypo + 1
	}
	return f.best[kind][0].class
}

func (f *finder) suggestion(c candidate) document.Suggestion {
	s := document.Suggestion{}
	switch c.kind {
	case ofCategory:
		s.Link = f.corpus.Categories[c.at].Link
	case OfSeller:
		s.Link = f.corpus.SellerLink(c.at)
	default:
		l := f.corpus.Listing(uint32(c.at))
		s.Link, s.Seller = f.corpus.Link(l), f.corpus.Sellers[l.Seller].Name
	}
	typed := f.typed
	if c.typo != "" {
		typed = append(slices.Clip(typed), c.typo)
	}
	s.Highlight = text.Highlight(s.Name, typed, f.compacts, nil)
	return s
}
