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

// The bounds of a SuggestQuery.
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

// The kinds of suggestions, in the order in which equal ones stand.
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
	// at is its place among the sellers, categories or listings of the corpus.
	at int32
	// folded holds the words of its names, each with a space before; names are
	// parted by a line end. compact holds its compact names.
	folded  string
	compact string
}

// A suggester finds options by the beginnings of their words, in memory. The
// words are sorted; those that begin alike are neighbours, and so are the
// options that they lead to.
type suggester struct {
	corpus  *Corpus
	options []option
	// sortKeys hold of each option what most are passed over by: its kind, and in
	// the lower bits its rank, which is its place among all of its kind, the
	// most telling first.
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
	// isOtherName: the word is of another name, as of a synonym.
	isOtherName occurrence = 2
)

func newSuggester(c *Corpus) *suggester {
	g := &suggester{corpus: c}
	type pair struct {
		word       string
		occurrence occurrence
	}
	var pairs []pair
	var list []text.Token
	add := func(kind uint8, at int, rank uint32, names ...string) {
		o := option{kind: kind, at: int32(at)}
		id := occurrence(len(g.options)) << 2
		var folded strings.Builder
		for i, name := range names {
			whole := text.Compact(name)
			if whole == "" || i > 0 && whole == text.Compact(names[0]) {
				continue
			}
			o.compact += "\n" + whole + "\n"
			list = text.Tokens(list[:0], name)
			for j, t := range list {
				folded.WriteString(" " + t.Text)
				mark := occurrence(0)
				if j == 0 {
					mark = isFirstWord
				}
				if i > 0 {
					mark |= isOtherName
				}
				pairs = append(pairs, pair{t.Text, id | mark})
			}
			if len(list) > 1 {
				// All of the name as one word, for "k8sdash" and "usbc".
				folded.WriteString(" " + whole)
				mark := isFirstWord
				if i > 0 {
					mark |= isOtherName
				}
				pairs = append(pairs, pair{whole, id | mark})
			}
			folded.WriteByte('\n')
		}
		o.folded = folded.String()
		g.options = append(g.options, o)
		g.sortKeys = append(g.sortKeys, uint32(kind)<<rankBits|rank)
	}
	g.addAll(add)
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(strings.Compare(a.word, b.word), cmp.Compare(a.occurrence, b.occurrence))
	})
	for i, p := range pairs {
		if i == 0 || p.word != pairs[i-1].word {
			g.words = append(g.words, p.word)
			g.first = append(g.first, uint32(len(g.occurrences)))
		}
		g.occurrences = append(g.occurrences, p.occurrence)
	}
	g.first = append(g.first, uint32(len(g.occurrences)))
	return g
}

// addAll adds everything that can be suggested. Categories and sellers with
// more listings rank first; of listings, those with shorter names do, since
// what was typed is more of them.
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

// Suggest answers from memory. It fails with an *InvalidError, ErrClosed or
// the error of the context.
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
	f := &finder{suggester: x.suggest, visible: x.visibleNow(), most: q.Limit, compact: text.Compact(q.Text)}
	for kind, name := range suggestKindNames {
		f.wanted[kind] = len(q.Kinds) == 0 || slices.Contains(q.Kinds, name)
	}
	for _, t := range text.Tokens(nil, q.Text) {
		if !slices.Contains(f.words, t.Text) {
			f.words = append(f.words, t.Text)
		}
	}
	f.find()
	answer := &Suggestions{Query: q.Text, Suggestions: make([]Suggestion, 0, q.Limit)}
	for _, c := range f.mixed() {
		answer.Suggestions = append(answer.Suggestions, f.suggestion(c))
	}
	return answer, nil
}
