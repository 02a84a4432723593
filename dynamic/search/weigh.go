package search

import (
	"strings"

	"souk/build/catalog"
)

// The weight of a word by where it stands, in units of one mention in the
// description. They were chosen on the known-item runs of the tests; what
// matters is that they are summed before term frequency saturates, as in
// BM25F (Robertson, Zaragoza, Taylor: Simple BM25 Extension to Multiple
// Weighted Fields, CIKM 2004), so that a word in every field does not count
// several times over.
const (
	weightName        = 8
	weightSKU         = 4
	weightVariant     = 3
	weightKeyword     = 3
	weightCategory    = 2
	weightAncestor    = 1
	weightSeller      = 3
	weightSummary     = 3
	weightAttribute   = 1
	weightDescription = 1
)

const (
	// maxJoined is how many neighbouring words of a name are also held as one.
	maxJoined = 4
	// maxWord is the greatest length of a word that is held, in bytes.
	maxWord = 64
)

// A weighed is one word of a listing: its weights summed up, and whether it is
// in the name.
type weighed struct {
	word   string
	weight uint32
	named  bool
}

// A weigher finds the words of listings, one after the other.
type weigher struct {
	corpus  *Corpus
	grammar *grammar
	at      map[string]int32
	words   []weighed
	// length is the number of words of the listing, each as often as it stands.
	length int
	list   []token
}

func newWeigher(c *Corpus, l *grammar) *weigher {
	return &weigher{corpus: c, grammar: l, at: map[string]int32{}}
}

// weigh gives the words of a listing, and how many it has.
func (w *weigher) weigh(l *listing) (words []weighed, length int) {
	clear(w.at)
	w.words, w.length = make([]weighed, 0, 64), 0
	o := l.offer
	w.name(o.Name, weightName, true)
	w.sku(o.SKU)
	for _, v := range o.Variants {
		w.name(v.Name, weightVariant, false)
		w.sku(v.SKU)
		w.attributes(v.Attributes)
	}
	for _, k := range o.Keywords {
		w.name(k, weightKeyword, false)
	}
	w.categories(l)
	s := w.corpus.sellers[l.seller].item
	w.name(s.Name, weightSeller, false)
	w.text(o.Summary, weightSummary)
	w.attributes(o.Attributes)
	w.text(o.Delivery, weightAttribute)
	w.text(plain(o.Description.Source), weightDescription)
	return w.words, max(1, w.length)
}

func (w *weigher) categories(l *listing) {
	for _, at := range l.categories {
		for i, up := range w.corpus.categories[at].lineage {
			weight := uint32(weightCategory)
			if i > 0 {
				weight = weightAncestor
			}
			c := w.corpus.categories[up].item
			w.name(c.Name, weight, false)
			for _, s := range c.Synonyms {
				w.name(s, weight, false)
			}
		}
	}
}

func (w *weigher) attributes(list []catalog.Attribute) {
	for _, a := range list {
		w.text(a.Name, weightAttribute)
		if a.Kind != catalog.BooleanValue && !strings.Contains(a.Value, "://") {
			w.text(a.Value, weightAttribute)
		}
		w.text(a.Unit, weightAttribute)
	}
}

func (w *weigher) add(word string, weight uint32, named bool) {
	if len(word) > maxWord {
		return
	}
	at, known := w.at[word]
	if !known {
		at = int32(len(w.words))
		w.at[word] = at
		w.words = append(w.words, weighed{word: word})
	}
	w.words[at].weight += weight
	w.words[at].named = w.words[at].named || named
}

// name adds a short text: every word, and its neighbours joined.
func (w *weigher) name(text string, weight uint32, named bool) {
	w.list = tokens(w.list[:0], text)
	w.length += len(w.list)
	for _, t := range w.list {
		w.add(t.text, weight, named)
	}
	w.joined(weight, named, false)
}

// text adds prose: words that say something, and those joined that only
// punctuation parts.
func (w *weigher) text(text string, weight uint32) {
	if text == "" {
		return
	}
	w.list = tokens(w.list[:0], text)
	w.length += len(w.list)
	for _, t := range w.list {
		if !w.grammar.stop[t.text] {
			w.add(t.text, weight, false)
		}
	}
	w.joined(weight, false, true)
}

// joined adds runs of neighbouring words as one word each.
func (w *weigher) joined(weight uint32, named, gluedOnly bool) {
	for i := range w.list {
		if w.list[i].pair {
			continue
		}
		for n := 2; n <= maxJoined && i+n <= len(w.list); n++ {
			last := w.list[i+n-1]
			if last.pair || gluedOnly && !last.glued {
				break
			}
			w.add(join(w.list[i:i+n]), weight, named)
		}
	}
}

func join(list []token) string {
	var b strings.Builder
	for _, t := range list {
		b.WriteString(t.text)
	}
	return b.String()
}

// sku adds an article number: its parts, and all of it as one word.
func (w *weigher) sku(sku string) {
	if sku == "" {
		return
	}
	w.list = tokens(w.list[:0], sku)
	for _, t := range w.list {
		w.add(t.text, weightSKU, false)
	}
	if len(w.list) > 1 {
		w.add(compact(sku), weightSKU, false)
	}
}

// plain takes the addresses out of Markdown; its words stay.
func plain(source string) string {
	if !strings.Contains(source, "](") && !strings.Contains(source, "://") {
		return source
	}
	var b strings.Builder
	b.Grow(len(source))
	for i := 0; i < len(source); {
		rest := source[i:]
		switch {
		case strings.HasPrefix(rest, "]("):
			end := strings.IndexAny(rest, ")\n")
			if end < 0 {
				end = len(rest) - 1
			}
			i += end + 1
			b.WriteString("] ")
		case strings.HasPrefix(rest, "http://"), strings.HasPrefix(rest, "https://"):
			end := strings.IndexAny(rest, " \t\n)>\"")
			if end < 0 {
				end = len(rest)
			}
			i += end
			b.WriteByte(' ')
		default:
			b.WriteByte(source[i])
			i++
		}
	}
	return b.String()
}
