package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/dynamic/search/text"
)

// A finder finds the options for one text.
type finder struct {
	*suggester
	visible *visibility
	wanted  [suggestKinds]bool
	most    int
	// compact is the compact text, words its words; any may be unfinished.
	compact string
	words   []string
	best    [suggestKinds][]candidate
}

// A candidate is an option with its class: how it was found, the least the
// best.
type candidate struct {
	option int32
	class  uint8
	rank   uint32
	// typo is the word of the option that the misspelt one was taken for.
	typo string
}

// The classes, from the best.
const (
	classExact      uint8 = iota // the whole name
	classExactOther              // the whole of another name, as a synonym
	classBegins                  // the name begins so
	classWord                    // words of the name begin so
	classOther                   // words of another name do
	classTypo                    // with a typing error
)

// fewSuggestions is how many must be there for typing errors not to be looked
// for.
const fewSuggestions = 3

// find collects the best options of each kind, and where they are few those
// with one typing error.
func (f *finder) find() {
	if len(f.words) == 0 {
		return
	}
	if at, found := slices.BinarySearch(f.suggester.words, f.compact); found {
		for _, l := range f.occurrences[f.first[at]:f.first[at+1]] {
			f.offer(l, f.classOf(l), nil, "")
		}
	}
	f.through(f.compact, nil)
	if len(f.words) > 1 {
		f.through(f.rarest())
	}
	n := 0
	for _, list := range f.best {
		n += len(list)
	}
	if n < min(f.most, fewSuggestions) {
		f.offerMisspelt()
	}
}

// rarest returns the word that leads to the fewest options, and the others.
func (f *finder) rarest() (word string, others []string) {
	at, fewest := 0, -1
	for i, w := range f.words {
		from, to := f.postingSpan(w)
		if n := to - from; fewest < 0 || n < fewest {
			at, fewest = i, n
		}
	}
	others = slices.Delete(slices.Clone(f.words), at, at+1)
	return f.words[at], others
}

func (g *suggester) postingSpan(prefix string) (from, to int) {
	i, j := g.words.Span(prefix)
	return int(g.first[i]), int(g.first[j])
}

// through offers the options that have a word beginning with prefix, and one
// for each of the others.
func (f *finder) through(prefix string, others []string) {
	from, to := f.postingSpan(prefix)
	for _, l := range f.occurrences[from:to] {
		class := classWord
		switch {
		case l&isOtherName != 0:
			class = classOther
		case l&isFirstWord != 0 && len(others) == 0:
			class = classBegins
		}
		f.offer(l, class, others, "")
	}
}

// offer puts an option among the best of its kind, if it is. There may be very
// many, so that what is cheap is asked first.
func (f *finder) offer(l occurrence, class uint8, others []string, typo string) {
	sortKey := f.sortKeys[l>>2]
	kind := sortKey >> rankBits
	if !f.wanted[kind] {
		return
	}
	c := candidate{option: int32(l >> 2), class: class, rank: sortKey & (1<<rankBits - 1), typo: typo}
	list := f.best[kind]
	if len(list) == f.most && compareCandidates(list[f.most-1], c) <= 0 {
		return
	}
	o := &f.options[l>>2]
	for _, w := range others {
		if !strings.Contains(o.folded, " "+w) {
			return
		}
	}
	if f.hidden(o) {
		return
	}
	if i := slices.IndexFunc(list, func(other candidate) bool { return other.option == c.option }); i >= 0 {
		if compareCandidates(list[i], c) <= 0 {
			return
		}
		list = slices.Delete(list, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(list, c, compareCandidates)
	if list = slices.Insert(list, at, c); len(list) > f.most {
		list = list[:f.most]
	}
	f.best[kind] = list
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.rank, b.rank), cmp.Compare(a.option, b.option))
}

// classOf returns the class of an option that has the whole text as a word.
func (f *finder) classOf(l occurrence) uint8 {
	switch at := nameAt(f.options[l>>2].compact, f.compact); {
	case at == 0:
		return classExact
	case at > 0:
		return classExactOther
	case l&isOtherName != 0:
		return classOther
	case l&isFirstWord != 0:
		return classBegins
	default:
		return classWord
	}
}

// nameAt returns the place of one among compact names, or -1.
func nameAt(names, one string) int {
	for at := 0; at < len(names); {
		end := strings.IndexByte(names[at+1:], '\n') + at + 1
		if names[at+1:end] == one {
			return at
		}
		at = end + 1
	}
	return -1
}

func (f *finder) hidden(o *option) bool {
	switch o.kind {
	case ofCategory:
		return false
	case ofSeller:
		return f.visible.hides(o.at)
	default:
		return f.visible.hides(f.corpus.listings[o.at].seller)
	}
}

// maxMisspeltWords is how many words a text may have for typing errors to be looked
// for: no name goes on for longer, and each word costs a walk.
const maxMisspeltWords = 8

// offerMisspelt offers the options with one typing error in one word, of four
// letters or more.
func (f *finder) offerMisspelt() {
	if len(f.words) > maxMisspeltWords {
		return
	}
	for i, w := range f.words {
		if text.TypingErrors(w) == 0 {
			continue
		}
		others := slices.Delete(slices.Clone(f.words), i, i+1)
		// The first letter is hardly ever wrong, and most words that begin with
		// another are noise.
		_, size := utf8.DecodeRuneInString(w)
		from, to := f.suggester.words.Span(w[:size])
		for _, n := range f.suggester.words[from:to].Neighbours(w, 1, true) {
			if n.Errors == 0 {
				continue
			}
			at, _ := slices.BinarySearch(f.suggester.words, n.Word)
			for _, l := range f.occurrences[f.first[at]:f.first[at+1]] {
				f.offer(l, classTypo, others, n.Word)
			}
		}
	}
}

// mixed joins the kinds into one sequence: exact names first, then in turn one
// of each kind, the kind with the best candidate beginning, so that none
// crowds out the others.
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
	order := []int{ofCategory, ofSeller, ofProduct, ofService}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.bestClass(a), f.bestClass(b)) })
	for more := true; more && len(all) < f.most; {
		more = false
		for _, kind := range order {
			if list := f.best[kind]; len(list) > 0 {
				all, f.best[kind], more = append(all, list[0]), list[1:], true
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

func (f *finder) suggestion(c candidate) Suggestion {
	o := &f.options[c.option]
	s := Suggestion{}
	switch o.kind {
	case ofCategory:
		s.Link = f.corpus.categories[o.at].link
	case ofSeller:
		s.Link = f.corpus.sellers[o.at].link
	default:
		l := &f.corpus.listings[o.at]
		s.Link, s.Seller = f.corpus.link(l), f.corpus.sellers[l.seller].link.Name
	}
	s.Highlight = text.Highlight(s.Name, f.words, f.compact, c.typo)
	return s
}
