package suggest

import (
	"cmp"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
)

// A modelOption is something that can be suggested.
type modelOption struct {
	kind uint8
	// spellings is the number of compact names that belong to the name itself. The others
	// belong to its other names, such as synonyms.
	spellings uint8
	// at is its index among the sellers, categories or listings of the corpus.
	at int32
	// texts[from:middle] contains the words of its names, each after a space, with a
	// newline after each name. texts[middle:to] contains its compact names.
	from, middle, to uint32
}

// A modelSuggester finds options by the beginnings of their words, in memory. The words are
// sorted, so words with the same beginning are adjacent, and so are their options.
type modelSuggester struct {
	corpus  *corpus.Corpus
	options []modelOption
	// texts is one string for all options, because there are as many as listings.
	texts string
	// sortKeys allow most options to be skipped quickly. They contain the kind and, in the
	// lower bits, the rank within the kind, most relevant first.
	sortKeys []uint32
	words    text.Vocabulary
	// occurrences of word i are occurrences[first[i]:first[i+1]].
	occurrences []modelOccurrence
	first       []uint32
}

const modelRankBits = 30

// A modelOccurrence is the index of an option, shifted left by two, with the flags below.
type modelOccurrence uint32

const (
	// modelFirstWord means that the word is the first of the name.
	modelFirstWord modelOccurrence = 1
	// modelOtherName means that the word is from another name, such as a synonym.
	modelOtherName modelOccurrence = 2
)

// folded returns the words of an option's names.
func (g *modelSuggester) folded(o *modelOption) string { return g.texts[o.from:o.middle] }

// compact returns the compact names of an option.
func (g *modelSuggester) compact(o *modelOption) string { return g.texts[o.middle:o.to] }

func newModelSuggester(c *corpus.Corpus) *modelSuggester {
	b := &modelBuilder{modelSuggester: &modelSuggester{corpus: c}, known: map[string]uint32{}}
	b.addAll(b.add)
	return b.finish()
}

// A modelBuilder collects the words of all options.
type modelBuilder struct {
	*modelSuggester
	texts []byte
	// known maps a word to its index in words. For each occurrence, said has the index of
	// the word and all has the occurrence.
	known map[string]uint32
	words []string
	said  []uint32
	all   []modelOccurrence
	list  []text.Token
}

// add adds an option with its names. The first is the name itself.
func (b *modelBuilder) add(kind uint8, at int, rank uint32, names ...string) {
	o := modelOption{kind: kind, at: int32(at), from: uint32(len(b.texts))}
	id := modelOccurrence(len(b.options)) << 2
	var compacts []byte
	for i, name := range names {
		compact := text.Compact(name)
		if compact == "" || i > 0 && compact == text.Compact(names[0]) {
			continue
		}
		mark := modelOccurrence(0)
		if i > 0 {
			mark = modelOtherName
		}
		put := func(word string, mark modelOccurrence) {
			b.texts = append(append(b.texts, ' '), word...)
			at, known := b.known[word]
			if !known {
				at, word = uint32(len(b.words)), strings.Clone(word)
				b.known[word] = at
				b.words = append(b.words, word)
			}
			b.said, b.all = append(b.said, at), append(b.all, id|mark)
		}
		b.list = text.Tokens(b.list[:0], name)
		for j, t := range b.list {
			mark := mark
			if j == 0 {
				mark |= modelFirstWord
			}
			put(t.Text, mark)
			if t.Digraphs != "" {
				put(t.Digraphs, mark)
			}
		}
		// This is the whole name as one word, for "k8sdash" and "usbc".
		for _, one := range [...]string{compact, text.CompactDigraphs(name)} {
			if one == "" {
				continue
			}
			compacts = append(append(append(compacts, '\n'), one...), '\n')
			if i == 0 {
				o.spellings++
			}
			if len(b.list) > 1 || one != b.list[0].Text && one != b.list[0].Digraphs {
				put(one, mark|modelFirstWord)
			}
		}
		b.texts = append(b.texts, '\n')
	}
	o.middle = uint32(len(b.texts))
	b.texts = append(b.texts, compacts...)
	o.to = uint32(len(b.texts))
	b.options = append(b.options, o)
	b.sortKeys = append(b.sortKeys, uint32(kind)<<modelRankBits|rank)
}

// finish sorts the words. Options were added in order, so the occurrences of a word are
// sorted except within one option.
func (b *modelBuilder) finish() *modelSuggester {
	g := b.modelSuggester
	order := indices(len(b.words))
	slices.SortFunc(order, func(x, y int) int { return strings.Compare(b.words[x], b.words[y]) })
	next := make([]uint32, len(b.words)) // the number of each word's occurrences, later the index of its next one
	for _, at := range b.said {
		next[at]++
	}
	g.words = text.NewVocabulary(func(yield func(string) bool) {
		for _, at := range order {
			yield(b.words[at])
		}
	})
	g.first = make([]uint32, 0, len(order)+1)
	from := uint32(0)
	for _, at := range order {
		g.first = append(g.first, from)
		next[at], from = from, from+next[at]
	}
	g.first = append(g.first, from)
	g.occurrences = make([]modelOccurrence, len(b.all))
	for i, at := range b.said {
		g.occurrences[next[at]] = b.all[i]
		next[at]++
	}
	for i := range order {
		if of := g.occurrences[g.first[i]:g.first[i+1]]; !slices.IsSorted(of) {
			slices.Sort(of)
		}
	}
	g.texts, g.options, g.sortKeys = string(b.texts), slices.Clone(g.options), slices.Clone(g.sortKeys)
	return g
}

// addAll adds everything that can be suggested. Categories and sellers with more listings
// rank higher, and so do listings with shorter names, because the typed text is a larger
// part of them.
func (g *modelSuggester) addAll(add func(kind uint8, at int, rank uint32, names ...string)) {
	c := g.corpus
	categories, sellers, listings := indices(len(c.Categories)), indices(len(c.Sellers)), indices(len(c.Places))
	slices.SortFunc(categories, func(a, b int) int {
		x, y := &c.Categories[a], &c.Categories[b]
		return cmp.Or(cmp.Compare(y.Listings, x.Listings), cmp.Compare(x.Link.Name, y.Link.Name), cmp.Compare(x.Link.URL, y.Link.URL))
	})
	slices.SortFunc(sellers, func(a, b int) int {
		x, y := &c.Sellers[a], &c.Sellers[b]
		return cmp.Or(cmp.Compare(y.Offers, x.Offers), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Company.Slug, y.Company.Slug))
	})
	lengths := make([]int, len(listings))
	for at, p := range c.Places {
		lengths[at] = len(c.Segments[p.Segment].Name(int(p.Document)))
	}
	slices.SortFunc(listings, func(a, b int) int {
		return cmp.Or(cmp.Compare(lengths[a], lengths[b]), cmp.Compare(a, b))
	})
	for rank, at := range categories {
		item := c.Categories[at].Item
		add(ofCategory, at, uint32(rank), append([]string{item.Name}, item.Synonyms...)...)
	}
	for rank, at := range sellers {
		item := c.Seller(int32(at))
		add(OfSeller, at, uint32(rank), item.Name, item.LegalName)
	}
	for rank, at := range listings {
		p := c.Places[at]
		kind := uint8(ofProduct)
		if c.Segments[p.Segment].Kind(int(p.Document)) == catalog.KindService {
			kind = ofService
		}
		add(kind, at, uint32(rank), c.Name(uint32(at)))
	}
}

// suggest answers like Index.Suggest.
func (g *modelSuggester) suggest(q Query, v *corpus.Visibility) *document.Suggestions {
	f := newModelFinder(g, q, v)
	f.find()
	answer := &document.Suggestions{Query: q.Text, Suggestions: make([]document.Suggestion, 0, q.Limit)}
	shown := f.shown()
	for _, c := range shown.mixed() {
		answer.Suggestions = append(answer.Suggestions, shown.suggestion(c))
	}
	return answer
}
