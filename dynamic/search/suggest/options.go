package suggest

import (
	"cmp"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/index/naming"
	"souk/build/index/text"
	"souk/dynamic/search/corpus"
)

// An option is a category or a seller, which can be suggested under several names.
type option struct {
	Kind uint8
	// At is its index among the sellers or categories of the corpus.
	At int32
	// texts[from:to] are the words of its names, each after a space; a line end separates
	// names.
	from, to uint32
}

// Options are found by the beginnings of their words, in memory: there are far fewer options
// than listings, and their ranks are known only when all listings are. The words are sorted,
// so words with the same beginning are adjacent, and so are their options.
type options struct {
	// List contains the options of each kind in sequence, the most relevant first, so the
	// index of an option is its rank.
	List []option
	// texts contains the texts of the options in sequence.
	texts string
	words text.Vocabulary
	// The occurrences of word i are occurrences[first[i]:first[i+1]].
	occurrences []occurrence
	first       []uint32
}

// An occurrence is an option shifted left by three, and the role of the word.
type occurrence uint32

const (
	// OfOtherName means that the word is from another name, such as a synonym.
	OfOtherName occurrence = 4
	// AsMask masks the role in that name, a naming.As.
	AsMask occurrence = 3
)

func (o occurrence) Option() int32 { return int32(o >> 3) }

// folded returns the words of an option's names.
func (g *options) folded(o *option) string { return g.texts[o.from:o.to] }

// newOptions collects the categories and sellers. Those with more listings rank first.
func newOptions(c *corpus.Corpus) *options {
	b := &optionsBuilder{options: &options{}, known: map[string]uint32{}}
	categories, sellers := indices(len(c.Categories)), indices(len(c.Sellers))
	slices.SortFunc(categories, func(a, b int) int {
		x, y := &c.Categories[a], &c.Categories[b]
		return cmp.Or(cmp.Compare(y.Listings, x.Listings), cmp.Compare(x.Link.Name, y.Link.Name), cmp.Compare(x.Link.URL, y.Link.URL))
	})
	slices.SortFunc(sellers, func(a, b int) int {
		x, y := &c.Sellers[a], &c.Sellers[b]
		return cmp.Or(cmp.Compare(y.Offers, x.Offers), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Company.Slug, y.Company.Slug))
	})
	for _, at := range categories {
		item := c.Categories[at].Item
		b.add(ofCategory, at, append([]string{item.Name}, item.Synonyms...)...)
	}
	item := catalog.Seller{}
	for _, at := range sellers {
		c.ReadSeller(int32(at), &item)
		b.add(OfSeller, at, item.Name, item.LegalName)
	}
	return b.finish()
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// An optionsBuilder collects the words of options.
type optionsBuilder struct {
	*options
	texts []byte
	// known is the index of a word in words. said and all contain the word and the occurrence
	// of each occurrence.
	known  map[string]uint32
	words  []string
	said   []uint32
	all    []occurrence
	reader naming.Reader
}

// add adds an option under its names, the name itself first.
func (b *optionsBuilder) add(kind uint8, at int, list ...string) {
	o := option{Kind: kind, At: int32(at), from: uint32(len(b.texts))}
	for i, name := range list {
		mark := occurrence(len(b.List)) << 3
		if i > 0 {
			if text.Compact(name) == text.Compact(list[0]) {
				continue
			}
			mark |= OfOtherName
		}
		b.reader.Each(name, func(word string, as naming.As) {
			b.texts = append(append(b.texts, ' '), word...)
			at, known := b.known[word]
			if !known {
				at, word = uint32(len(b.words)), strings.Clone(word)
				b.known[word] = at
				b.words = append(b.words, word)
			}
			b.said, b.all = append(b.said, at), append(b.all, mark|occurrence(as))
		})
		b.texts = append(b.texts, '\n')
	}
	o.to = uint32(len(b.texts))
	b.List = append(b.List, o)
}

// finish sorts the words. Options are added in order, so the occurrences of a word are in
// order too, except those of one option.
func (b *optionsBuilder) finish() *options {
	g := b.options
	order := indices(len(b.words))
	slices.SortFunc(order, func(x, y int) int { return strings.Compare(b.words[x], b.words[y]) })
	next := make([]uint32, len(b.words)) // by word, first the count, then the index of the next
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
	g.occurrences = make([]occurrence, len(b.all))
	for i, at := range b.said {
		g.occurrences[next[at]] = b.all[i]
		next[at]++
	}
	g.texts, g.List = string(b.texts), slices.Clone(g.List)
	return g
}

// between returns the occurrences of the words in a range of indexes.
func (g *options) between(from, to int) []occurrence {
	return g.occurrences[g.first[from]:g.first[to]]
}

// begun returns the occurrences of the words with a prefix.
func (g *options) begun(prefix string) []occurrence { return g.between(g.words.Span(prefix)) }

// Of returns the occurrences of a word.
func (g *options) Of(word string) []occurrence {
	at, found := g.words.Find(word)
	if !found {
		return nil
	}
	return g.between(at, at+1)
}

// has reports whether an option has, for each of some beginnings, a word with it.
func (g *options) has(o *option, words []string) bool {
	for _, w := range words {
		if !strings.Contains(g.folded(o), " "+w) {
			return false
		}
	}
	return true
}

// Spill moves the data stored for each option out of the heap. The words are usable again
// after moved is called.
func (g *options) Spill(s *corpus.Spill) (moved func()) {
	corpus.SpillList(s, &g.List)
	corpus.SpillList(s, &g.occurrences)
	corpus.SpillList(s, &g.first)
	corpus.SpillText(s, &g.texts)
	words, ends := g.words.Text()
	corpus.SpillText(s, &words)
	corpus.SpillList(s, &ends)
	return func() { g.words = text.VocabularyIn(words, ends) }
}
