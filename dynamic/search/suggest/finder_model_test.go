package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/index"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/match"
)

// A modelFinder finds the options for one text.
type modelFinder struct {
	*modelSuggester
	visible *corpus.Visibility
	wanted  [suggestKinds]bool
	most    int
	// spellings are the text and, if it has umlauts, the text with each as two
	// letters.
	spellings []spelling
	// typed and compacts are the words and the compact texts of all spellings.
	typed, compacts []string
	// text is the typed text, and spelled is the same without case and accents. If it has
	// punctuation, names that start with exactly this text rank above those that only share
	// its letters.
	text, spelled string
	punctuated    bool
	// only is the seller whose listings are offered, or -1 for all.
	only int32
	best [suggestKinds][]modelCandidate
}

// A modelCandidate is an option with its class, which says how it was found. Lower classes
// are better.
type modelCandidate struct {
	option   int32
	class    uint8
	likeness match.Likeness
	rank     uint32
	// typo is the word of the option that matched a misspelled one.
	typo string
}

func newModelFinder(g *modelSuggester, q Query, v *corpus.Visibility) *modelFinder {
	f := &modelFinder{modelSuggester: g, visible: v, most: q.Limit, only: -1, text: q.Text, spelled: match.Spelled(q.Text)}
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

// find collects the best options of each kind and, if they are few, those with
// one typing error.
func (f *modelFinder) find() {
	for _, s := range f.spellings {
		f.findSpelled(s)
		f.findOffersOf(s)
	}
	for _, further := range [...]func(spelling){f.offerCompounds, f.offerMisspelt} {
		n := 0
		for _, list := range f.best {
			n += len(list)
		}
		for _, s := range f.spellings {
			if n < min(f.most, fewSuggestions) {
				further(s)
			}
		}
	}
}

// offerCompounds offers options with a compound in their name whose last part starts with
// the only word.
func (f *modelFinder) offerCompounds(s spelling) {
	if len(s.words) != 1 {
		return
	}
	index.Language(f.corpus.Language).LastParts(s.words[0], f.modelSuggester.words, func(held string) {
		at, _ := f.modelSuggester.words.Find(held)
		for _, o := range f.occurrences[f.first[at]:f.first[at+1]] {
			if hasWord(f.name(&f.options[o>>2]), held) {
				f.offer(o, classCompound, nil, held)
			}
		}
	})
}

func (f *modelFinder) findSpelled(s spelling) {
	if len(s.words) == 0 {
		return
	}
	if at, found := f.modelSuggester.words.Find(s.compact); found {
		for _, o := range f.occurrences[f.first[at]:f.first[at+1]] {
			f.offer(o, f.classOf(o, s.compact), nil, "")
		}
	}
	f.offerPrefix(s.compact, nil)
	if len(s.words) > 1 || s.words[0] != s.compact {
		f.offerPrefix(f.rarest(s.words))
	}
}

// findOffersOf finds the listings of the seller whose name the text begins with.
func (f *modelFinder) findOffersOf(s spelling) {
	for n := len(s.words) - 1; n > 0; n-- {
		found := false
		for i := range f.options {
			o := &f.options[i]
			if o.kind == OfSeller && nameAt(f.modelSuggester.compact(o), strings.Join(s.words[:n], "")) >= 0 && !f.hidden(o) {
				found, f.only = true, o.at
				f.findSpelled(spelling{compact: strings.Join(s.words[n:], ""), words: s.words[n:]})
			}
		}
		if f.only = -1; found {
			return
		}
	}
}

// rarest returns the word that matches the fewest options, and the other words.
func (f *modelFinder) rarest(words []string) (word string, others []string) {
	at, fewest := 0, -1
	for i, w := range words {
		from, to := f.prefixSpan(w)
		if n := to - from; fewest < 0 || n < fewest {
			at, fewest = i, n
		}
	}
	others = slices.Delete(slices.Clone(words), at, at+1)
	return words[at], others
}

func (g *modelSuggester) prefixSpan(prefix string) (from, to int) {
	i, j := g.words.Span(prefix)
	return int(g.first[i]), int(g.first[j])
}

// offerPrefix offers the options that have a word starting with prefix, and words starting
// with each of the others.
func (f *modelFinder) offerPrefix(prefix string, others []string) {
	from, to := f.prefixSpan(prefix)
	for _, o := range f.occurrences[from:to] {
		class := classWord
		switch {
		case o&modelOtherName != 0:
			class = classOther
		case o&modelFirstWord != 0 && len(others) == 0:
			class = classBegins
		}
		f.offer(o, class, others, "")
	}
}

// offer adds an option to the best of its kind if it belongs there. Options can be very
// numerous, so the cheap checks come first.
func (f *modelFinder) offer(at modelOccurrence, class uint8, others []string, typo string) {
	sortKey := f.sortKeys[at>>2]
	kind := sortKey >> modelRankBits
	if !f.wanted[kind] {
		return
	}
	c := modelCandidate{option: int32(at >> 2), class: class, rank: sortKey & (1<<modelRankBits - 1), typo: typo}
	if class == classExact || class == classBegins && f.punctuated {
		c.likeness = f.likenessOf(&f.options[at>>2])
	}
	list := f.best[kind]
	if len(list) == f.most && compareModelCandidates(list[f.most-1], c) <= 0 {
		return
	}
	o := &f.options[at>>2]
	for _, w := range others {
		if !strings.Contains(f.folded(o), " "+w) {
			return
		}
	}
	if f.hidden(o) || f.only >= 0 && (o.kind == ofCategory || o.kind == OfSeller || f.corpus.SellerOf[o.at] != f.only) {
		return
	}
	if i := slices.IndexFunc(list, func(other modelCandidate) bool { return other.option == c.option }); i >= 0 {
		if compareModelCandidates(list[i], c) <= 0 {
			return
		}
		list = slices.Delete(list, i, i+1)
	}
	place, _ := slices.BinarySearchFunc(list, c, compareModelCandidates)
	if list = slices.Insert(list, place, c); len(list) > f.most {
		list = list[:f.most]
	}
	f.best[kind] = list
}

func compareModelCandidates(a, b modelCandidate) int {
	// This is inlined because most occurrences of a short text end here.
	switch {
	case a.class != b.class:
		return int(a.class) - int(b.class)
	case a.likeness != b.likeness:
		return int(b.likeness) - int(a.likeness)
	case a.rank != b.rank:
		return cmp.Compare(a.rank, b.rank)
	default:
		return cmp.Compare(a.option, b.option)
	}
}

// likenessOf returns how closely the spelling of an option's name matches the text.
func (f *modelFinder) likenessOf(o *modelOption) match.Likeness {
	name := f.name(o)
	if l := match.LikenessOf(name, f.text, f.spelled); l > 0 || !f.punctuated || !strings.HasPrefix(match.Spelled(name), f.spelled) {
		return l
	}
	return match.SameBeginning
}

func (g *modelSuggester) name(o *modelOption) string {
	switch o.kind {
	case ofCategory:
		return g.corpus.Categories[o.at].Item.Name
	case OfSeller:
		return g.corpus.Sellers[o.at].Name
	default:
		return g.corpus.Name(uint32(o.at))
	}
}

// classOf returns the class of an option that has the whole text as a word.
func (f *modelFinder) classOf(at modelOccurrence, compact string) uint8 {
	o := &f.options[at>>2]
	switch n := nameAt(f.modelSuggester.compact(o), compact); {
	case n >= 0 && n < int(o.spellings):
		return classExact
	case n >= 0:
		return classExactOther
	case at&modelOtherName != 0:
		return classOther
	case at&modelFirstWord != 0:
		return classBegins
	default:
		return classWord
	}
}

// nameAt returns the index of a name in a list of compact names, or -1.
func nameAt(names, one string) int {
	for i, at := 0, 0; at < len(names); i++ {
		end := strings.IndexByte(names[at+1:], '\n') + at + 1
		if names[at+1:end] == one {
			return i
		}
		at = end + 1
	}
	return -1
}

func (f *modelFinder) hidden(o *modelOption) bool {
	switch o.kind {
	case ofCategory:
		return false
	case OfSeller:
		return f.visible.Hides(o.at)
	default:
		return f.visible.Hides(f.corpus.SellerOf[o.at])
	}
}

// offerMisspelt offers the options with one typing error in one word of four
// letters or more.
func (f *modelFinder) offerMisspelt(s spelling) {
	if len(s.words) > maxMisspeltWords {
		return
	}
	for i, w := range s.words {
		if text.TypingErrors(w) == 0 {
			continue
		}
		others := slices.Delete(slices.Clone(s.words), i, i+1)
		// The first letter is hardly ever wrong, and most words with another
		// one are noise.
		_, size := utf8.DecodeRuneInString(w)
		from, to := f.modelSuggester.words.Span(w[:size])
		for _, n := range f.modelSuggester.words.NeighboursIn(from, to, w, 1, true) {
			if n.Errors == 0 {
				continue
			}
			at, _ := f.modelSuggester.words.Find(n.Word)
			for _, o := range f.occurrences[f.first[at]:f.first[at+1]] {
				f.offer(o, classTypo, others, n.Word)
			}
		}
	}
}

// shown returns a finder with the model's candidates, to merge and format them. The model
// only checks what is found.
func (f *modelFinder) shown() *finder {
	s := &finder{corpus: f.corpus, most: f.most, typed: f.typed, compacts: f.compacts}
	for kind, list := range f.best {
		for _, c := range list {
			o := &f.options[c.option]
			s.best[kind] = append(s.best[kind], candidate{kind: o.kind, class: c.class, likeness: c.likeness, at: o.at, typo: c.typo})
		}
	}
	return s
}
