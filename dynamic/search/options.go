package search

import (
	"cmp"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/index/naming"
	"souk/build/index/text"
)

// An option is a category or a seller, which can be suggested under several names.
type option struct {
	kind uint8
	// at is its place among the sellers or categories of the corpus.
	at int32
	// texts[from:to] are the words of its names, each after a space; a line end separates
	// names.
	from, to uint32
}

// Options are found by the beginnings of their words, in memory: there are far fewer than
// listings, and what ranks them is known only when all listings are. The words are sorted,
// so words with the same beginning are neighbours, and so are the options that they lead
// to.
type options struct {
	// list has those of one kind one after the other, the most relevant first: so the place
	// of an option is its rank.
	list []option
	// texts has those of the options one after the other.
	texts string
	words text.Vocabulary
	// occurrences of word i are occurrences[first[i]:first[i+1]].
	occurrences []occurrence
	first       []uint32
}

// An occurrence is an option shifted left by three, and what the word is to it.
type occurrence uint32

const (
	// ofOtherName: the word is from another name, such as a synonym.
	ofOtherName occurrence = 4
	// asMask has what the word is to that name, a naming.As.
	asMask occurrence = 3
)

func (o occurrence) option() int32 { return int32(o >> 3) }

// folded returns the words of an option's names.
func (g *options) folded(o *option) string { return g.texts[o.from:o.to] }

// newOptions collects the categories and sellers. Those with more listings rank first.
func newOptions(c *Corpus) *options {
	b := &optionsBuilder{options: &options{}, known: map[string]uint32{}}
	categories, sellers := indices(len(c.categories)), indices(len(c.sellers))
	slices.SortFunc(categories, func(a, b int) int {
		x, y := &c.categories[a], &c.categories[b]
		return cmp.Or(cmp.Compare(y.listings, x.listings), cmp.Compare(x.link.Name, y.link.Name), cmp.Compare(x.link.URL, y.link.URL))
	})
	slices.SortFunc(sellers, func(a, b int) int {
		x, y := &c.sellers[a], &c.sellers[b]
		return cmp.Or(cmp.Compare(y.offers, x.offers), cmp.Compare(x.name, y.name), cmp.Compare(x.company.Slug, y.company.Slug))
	})
	for _, at := range categories {
		item := c.categories[at].item
		b.add(ofCategory, at, append([]string{item.Name}, item.Synonyms...)...)
	}
	item := catalog.Seller{}
	for _, at := range sellers {
		c.readSeller(int32(at), &item)
		b.add(ofSeller, at, item.Name, item.LegalName)
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
	// known is the place of a word in words; of each occurrence, word and occurrence
	// are at the same place of said and all.
	known  map[string]uint32
	words  []string
	said   []uint32
	all    []occurrence
	reader naming.Reader
}

// add adds an option under its names, the name itself first.
func (b *optionsBuilder) add(kind uint8, at int, list ...string) {
	o := option{kind: kind, at: int32(at), from: uint32(len(b.texts))}
	for i, name := range list {
		mark := occurrence(len(b.list)) << 3
		if i > 0 {
			if text.Compact(name) == text.Compact(list[0]) {
				continue
			}
			mark |= ofOtherName
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
	b.list = append(b.list, o)
}

// finish sorts the words. Options are added one after the other, so the occurrences of a
// word come in order, but for those of one option.
func (b *optionsBuilder) finish() *options {
	g := b.options
	order := indices(len(b.words))
	slices.SortFunc(order, func(x, y int) int { return strings.Compare(b.words[x], b.words[y]) })
	next := make([]uint32, len(b.words)) // of each word, how many there are, then where the next goes
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
	g.texts, g.list = string(b.texts), slices.Clone(g.list)
	return g
}

// between returns the occurrences of the words from one place up to another.
func (g *options) between(from, to int) []occurrence {
	return g.occurrences[g.first[from]:g.first[to]]
}

// begun returns the occurrences of the words that begin with a prefix.
func (g *options) begun(prefix string) []occurrence { return g.between(g.words.Span(prefix)) }

// of returns the occurrences of a word.
func (g *options) of(word string) []occurrence {
	at, found := g.words.Find(word)
	if !found {
		return nil
	}
	return g.between(at, at+1)
}

// has reports whether an option has a word that begins like each of some.
func (g *options) has(o *option, words []string) bool {
	for _, w := range words {
		if !strings.Contains(g.folded(o), " "+w) {
			return false
		}
	}
	return true
}
