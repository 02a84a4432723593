package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/document"
	"souk/dynamic/search/text"
)

// The limits of a SuggestQuery.
const (
	MaxSuggestions     = document.MaxSuggestions
	DefaultSuggestions = document.DefaultSuggestions
)

// A SuggestQuery asks how a text goes on.
type SuggestQuery struct {
	Text string
	// Limit is from 1 to MaxSuggestions.
	Limit int
	// Kinds are category, product, service and seller; none asks for all.
	Kinds []string
}

// The kinds of suggestions, in the order that breaks ties.
const (
	ofCategory = iota
	ofSeller
	ofProduct
	ofService
	suggestKinds
)

var suggestKindNames = [suggestKinds]string{"category", "seller", "product", "service"}

// An option is something that can be suggested.
type option struct {
	kind uint8
	// spellings is how many of the compact names are of the name itself; the
	// rest are of its other names, such as synonyms.
	spellings uint8
	// at is its place among the sellers, categories or listings of the corpus.
	at int32
	// texts[from:middle] are the words of its names, each after a space; a line end
	// separates names. texts[middle:to] are its compact names.
	from, middle, to uint32
}

// A suggester finds options by the beginnings of their words, in memory. The
// words are sorted, so words with the same beginning are neighbours, and so are
// the options that they lead to.
type suggester struct {
	corpus  *Corpus
	options []option
	// texts has those of the options one after the other: there are as many as
	// listings.
	texts string
	// sortKeys hold what most options are skipped by: the kind, and in the
	// lower bits the rank, which is the place among all of its kind, the most
	// relevant first.
	sortKeys []uint32
	words    text.Vocabulary
	// occurrences of word i are occurrences[first[i]:first[i+1]].
	occurrences []occurrence
	first       []uint32
}

const rankBits = 30

// An occurrence is an option shifted left by two, and what the word is to it.
type occurrence uint32

const (
	// isFirstWord: the word is the first of the name.
	isFirstWord occurrence = 1
	// isOtherName: the word is from another name, such as a synonym.
	isOtherName occurrence = 2
)

// folded returns the words of an option's names.
func (g *suggester) folded(o *option) string { return g.texts[o.from:o.middle] }

// compact returns the compact names of an option.
func (g *suggester) compact(o *option) string { return g.texts[o.middle:o.to] }

func newSuggester(c *Corpus) *suggester {
	b := &suggesterBuilder{suggester: &suggester{corpus: c}}
	b.addAll(b.add)
	return b.finish()
}

// A suggesterBuilder collects the words of options.
type suggesterBuilder struct {
	*suggester
	texts []byte
	words []wordOccurrence
	list  []text.Token
}

type wordOccurrence struct {
	word       string
	occurrence occurrence
}

// add adds an option under its names, the name itself first.
func (b *suggesterBuilder) add(kind uint8, at int, rank uint32, names ...string) {
	o := option{kind: kind, at: int32(at), from: uint32(len(b.texts))}
	id := occurrence(len(b.options)) << 2
	var compacts []byte
	for i, name := range names {
		compact := text.Compact(name)
		if compact == "" || i > 0 && compact == text.Compact(names[0]) {
			continue
		}
		mark := occurrence(0)
		if i > 0 {
			mark = isOtherName
		}
		put := func(word string, mark occurrence) {
			b.texts = append(append(b.texts, ' '), word...)
			b.words = append(b.words, wordOccurrence{word, id | mark})
		}
		b.list = text.Tokens(b.list[:0], name)
		for j, t := range b.list {
			mark := mark
			if j == 0 {
				mark |= isFirstWord
			}
			put(t.Text, mark)
			if t.Digraphs != "" {
				put(t.Digraphs, mark)
			}
		}
		// All of the name as one word, for "k8sdash" and "usbc".
		for _, one := range [...]string{compact, text.CompactDigraphs(name)} {
			if one == "" {
				continue
			}
			compacts = append(append(append(compacts, '\n'), one...), '\n')
			if i == 0 {
				o.spellings++
			}
			if len(b.list) > 1 || one != b.list[0].Text && one != b.list[0].Digraphs {
				put(one, mark|isFirstWord)
			}
		}
		b.texts = append(b.texts, '\n')
	}
	o.middle = uint32(len(b.texts))
	b.texts = append(b.texts, compacts...)
	o.to = uint32(len(b.texts))
	b.options = append(b.options, o)
	b.sortKeys = append(b.sortKeys, uint32(kind)<<rankBits|rank)
}

// finish sorts the words.
func (b *suggesterBuilder) finish() *suggester {
	g := b.suggester
	slices.SortFunc(b.words, func(a, b wordOccurrence) int {
		return cmp.Or(strings.Compare(a.word, b.word), cmp.Compare(a.occurrence, b.occurrence))
	})
	g.occurrences = make([]occurrence, 0, len(b.words))
	g.words = text.NewVocabulary(func(yield func(string) bool) {
		for i, w := range b.words {
			if i == 0 || w.word != b.words[i-1].word {
				yield(w.word)
				g.first = append(g.first, uint32(len(g.occurrences)))
			}
			g.occurrences = append(g.occurrences, w.occurrence)
		}
	})
	g.first = slices.Clip(append(g.first, uint32(len(g.occurrences))))
	g.texts, g.options, g.sortKeys = string(b.texts), slices.Clone(g.options), slices.Clone(g.sortKeys)
	return g
}

// addAll adds everything that can be suggested. Categories and sellers with
// more listings rank first; among listings, those with shorter names do, since
// the typed text is more of them.
func (g *suggester) addAll(add func(kind uint8, at int, rank uint32, names ...string)) {
	c := g.corpus
	categories, sellers, listings := indices(len(c.categories)), indices(len(c.sellers)), indices(len(c.listings))
	slices.SortFunc(categories, func(a, b int) int {
		x, y := &c.categories[a], &c.categories[b]
		return cmp.Or(cmp.Compare(y.listings, x.listings), cmp.Compare(x.link.Name, y.link.Name), cmp.Compare(x.link.URL, y.link.URL))
	})
	slices.SortFunc(sellers, func(a, b int) int {
		x, y := &c.sellers[a], &c.sellers[b]
		return cmp.Or(cmp.Compare(y.offers, x.offers), cmp.Compare(x.link.Name, y.link.Name), cmp.Compare(x.link.URL, y.link.URL))
	})
	slices.SortFunc(listings, func(a, b int) int {
		x, y := &c.listings[a], &c.listings[b]
		return cmp.Or(cmp.Compare(len(x.offer.Name), len(y.offer.Name)), cmp.Compare(a, b))
	})
	for rank, at := range categories {
		item := c.categories[at].item
		add(ofCategory, at, uint32(rank), append([]string{item.Name}, item.Synonyms...)...)
	}
	for rank, at := range sellers {
		item := c.sellers[at].item
		add(ofSeller, at, uint32(rank), item.Name, item.LegalName)
	}
	for rank, at := range listings {
		o := c.listings[at].offer
		kind := uint8(ofProduct)
		if o.Ref.Kind == catalog.KindService {
			kind = ofService
		}
		add(kind, at, uint32(rank), o.Name)
	}
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Suggest answers from memory. It fails with an *InvalidError, ErrClosed or the
// error of the context.
func (x *Index) Suggest(ctx context.Context, q SuggestQuery) (*Suggestions, error) {
	if !x.terms.Acquire() {
		return nil, ErrClosed
	}
	defer x.terms.Release()
	if err := q.Check(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := newFinder(x.suggest, q, x.visibleNow())
	f.find()
	answer := &Suggestions{Query: q.Text, Suggestions: make([]Suggestion, 0, q.Limit)}
	for _, c := range f.mixed() {
		answer.Suggestions = append(answer.Suggestions, f.suggestion(c))
	}
	return answer, nil
}
