package search

import (
	"strings"

	"souk/build/catalog"
	"souk/dynamic/search/terms"
	"souk/dynamic/search/text"
)

// The weight of a word by where it occurs, in units of one mention in the
// description. They were chosen on the known-item runs of the tests; what
// matters is that they are summed before term frequency saturates, as in BM25F
// (Robertson, Zaragoza, Taylor: Simple BM25 Extension to Multiple Weighted
// Fields, CIKM 2004), so that a word in every field does not count several
// times.
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
	// maxJoined is how many neighbouring words of a name are also indexed as
	// one.
	maxJoined = 4
	// maxWord is the greatest length of an indexed word, in bytes.
	maxWord = 64
)

// The exact terms of a listing are its compact name and its compact SKUs, with
// these prefixes.
const (
	exactName = "n"
	exactSKU  = "s"
)

// An analyser finds the terms of listings, one listing after the other.
type analyser struct {
	corpus   *Corpus
	language *text.Language
	at       map[string]int32
	words    []terms.Word
	// length is the number of words of the listing, each as often as it occurs.
	length int
	// apart: neighbouring words are not joined.
	apart bool
	list  []text.Token
}

func newAnalyser(c *Corpus, l *text.Language) *analyser {
	return &analyser{corpus: c, language: l, at: map[string]int32{}}
}

// entry returns what is indexed of a listing.
func (a *analyser) entry(at int32) terms.Entry {
	l := &a.corpus.listings[at]
	clear(a.at)
	a.words, a.length = make([]terms.Word, 0, 64), 0
	o := l.offer
	a.name(o.Name, weightName, true)
	a.sku(o.SKU)
	for _, v := range o.Variants {
		a.name(v.Name, weightVariant, false)
		a.sku(v.SKU)
		a.attributes(v.Attributes)
	}
	for _, k := range o.Keywords {
		a.name(k, weightKeyword, false)
	}
	a.categories(l)
	a.name(a.corpus.sellers[l.seller].item.Name, weightSeller, false)
	a.prose(o.Summary, weightSummary)
	a.attributes(o.Attributes)
	a.prose(o.Delivery, weightAttribute)
	a.prose(text.Prose(o.Description.Source), weightDescription)
	return terms.Entry{Words: a.words, Length: max(1, a.length), Exact: exactTerms(o)}
}

// gist returns the words of what says best what a listing is, without joined ones,
// and their number, each as often as it occurs.
func (a *analyser) gist(at int32) (words []terms.Word, length int) {
	l := &a.corpus.listings[at]
	clear(a.at)
	a.words, a.length, a.apart = a.words[:0], 0, true
	a.name(l.offer.Name, weightName, true)
	for _, k := range l.offer.Keywords {
		a.name(k, weightKeyword, false)
	}
	a.categories(l)
	a.prose(l.offer.Summary, weightSummary)
	a.prose(beginningOf(text.Prose(l.offer.Description.Source), learntText), weightDescription)
	return a.words, max(1, a.length)
}

// beginningOf returns at most so many bytes of a text, up to a space.
func beginningOf(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return text[:max(0, strings.LastIndexByte(text[:most], ' '))]
}

// exactTerms returns the terms that match an offer only as a whole.
func exactTerms(o *catalog.Offer) []string {
	var list []string
	seen := map[string]bool{}
	add := func(prefix, whole string) {
		for _, c := range [...]string{text.Compact(whole), text.CompactDigraphs(whole)} {
			if c != "" && !seen[prefix+c] {
				seen[prefix+c] = true
				list = append(list, prefix+c)
			}
		}
	}
	add(exactName, o.Name)
	add(exactSKU, o.SKU)
	for _, v := range o.Variants {
		add(exactSKU, v.SKU)
	}
	return list
}

func (a *analyser) categories(l *listing) {
	for _, at := range l.categories {
		for i, up := range a.corpus.categories[at].lineage {
			weight := uint32(weightCategory)
			if i > 0 {
				weight = weightAncestor
			}
			c := a.corpus.categories[up].item
			a.name(c.Name, weight, false)
			for _, s := range c.Synonyms {
				a.name(s, weight, false)
			}
		}
	}
}

func (a *analyser) attributes(list []catalog.Attribute) {
	for _, one := range list {
		a.prose(one.Name, weightAttribute)
		if one.Kind != catalog.BooleanValue && !strings.Contains(one.Value, "://") {
			a.prose(one.Value, weightAttribute)
		}
		a.prose(one.Unit, weightAttribute)
	}
}

func (a *analyser) add(word string, weight uint32, inName bool) {
	if word == "" || len(word) > maxWord {
		return
	}
	at, known := a.at[word]
	if !known {
		at = int32(len(a.words))
		a.at[word] = at
		a.words = append(a.words, terms.Word{Text: word})
	}
	a.words[at].Weight += weight
	a.words[at].InName = a.words[at].InName || inName
}

// token adds a word, in both of its spellings if it has an umlaut.
func (a *analyser) token(t text.Token, weight uint32, inName bool) {
	a.add(t.Text, weight, inName)
	a.add(t.Digraphs, weight, inName)
}

// name adds a short text: every word, and its neighbours joined.
func (a *analyser) name(name string, weight uint32, inName bool) {
	a.list = text.Tokens(a.list[:0], name)
	a.length += len(a.list)
	for _, t := range a.list {
		a.token(t, weight, inName)
	}
	a.joined(weight, inName, false)
}

// prose adds a longer text: the words that are not stop words, and those joined
// that only punctuation separates.
func (a *analyser) prose(prose string, weight uint32) {
	if prose == "" {
		return
	}
	a.list = text.Tokens(a.list[:0], prose)
	a.length += len(a.list)
	for _, t := range a.list {
		if !a.language.IsStop(t.Text) {
			a.token(t, weight, false)
		}
	}
	a.joined(weight, false, true)
}

// joined adds runs of neighbouring words as one word each.
func (a *analyser) joined(weight uint32, inName, gluedOnly bool) {
	if a.apart {
		return
	}
	for i := range a.list {
		if a.list[i].Pair {
			continue
		}
		for n := 2; n <= maxJoined && i+n <= len(a.list); n++ {
			last := a.list[i+n-1]
			if last.Pair || gluedOnly && !last.Glued {
				break
			}
			a.add(text.Join(a.list[i:i+n]), weight, inName)
			a.add(text.JoinDigraphs(a.list[i:i+n]), weight, inName)
		}
	}
}

// sku adds an article number: its parts, and all of it as one word.
func (a *analyser) sku(sku string) {
	if sku == "" {
		return
	}
	a.list = text.Tokens(a.list[:0], sku)
	for _, t := range a.list {
		a.add(t.Text, weightSKU, false)
	}
	if len(a.list) > 1 {
		a.add(text.Compact(sku), weightSKU, false)
	}
}
