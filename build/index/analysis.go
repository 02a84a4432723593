package index

import (
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/index/terms"
	"souk/build/index/text"
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
	// MaxJoined is how many neighbouring words of a name are also indexed as
	// one.
	MaxJoined = 4
	// MaxWord is the greatest length of an indexed word, in bytes.
	MaxWord = 64
)

// The exact terms of a listing are its compact name, its compact SKUs and the stems of what its
// Seller is found by and of its own certificates, with these prefixes.
const (
	ExactName       = "n"
	ExactSKU        = "s"
	ExactSellerWord = "k"
)

// An Analysed listing is one with what else its words are of.
type Analysed struct {
	*catalog.Offer
	// Described is its description as plain words.
	Described string
	// Seller is the name of its Seller, SellerWords what that is found by.
	Seller      string
	SellerWords []string
	// Lineages are its current Categories, each with its current ancestors, the
	// nearest first.
	Lineages [][]*catalog.Category
}

// An Analyser finds the terms of listings, one listing after the other.
type Analyser struct {
	language *text.Language
	at       map[string]int32
	words    []terms.Word
	// length is the number of words of the listing, each as often as it occurs.
	length int
	// apart: neighbouring words are not joined.
	apart bool
	list  []text.Token
}

// NewAnalyser returns an Analyser for one goroutine.
func NewAnalyser(l *text.Language) *Analyser {
	return &Analyser{language: l, at: map[string]int32{}}
}

// Language returns the words of a language, a BCP 47 tag; an empty one is English.
func Language(tag string) *text.Language {
	return text.NewLanguage(terms.Stemming(tag)).AskIn(tag)
}

// Entry returns what is indexed of a listing, with Words that are there until the next call.
func (a *Analyser) Entry(l Analysed) terms.Entry {
	clear(a.at)
	a.words, a.length, a.apart = a.words[:0], 0, false
	o := l.Offer
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
	a.name(l.Seller, weightSeller, false)
	a.prose(o.Summary, weightSummary)
	a.attributes(o.Attributes)
	a.prose(o.Delivery, weightAttribute)
	a.prose(l.Described, weightDescription)
	return terms.Entry{Words: a.words, Length: max(1, a.length), Exact: a.sellerTerms(exactTerms(o), append(certificates(o.Proof), l.SellerWords...))}
}

// SellerWords returns what the listings of a Seller are found by where none has it itself: keywords,
// and certificates and awards.
func SellerWords(s *catalog.Seller) []string { return append(certificates(s.Proof), s.Keywords...) }

// certificates returns the titles of certificates and awards, and who gave them. What else is a proof
// tells of others: customers, and who wrote.
func certificates(proof []catalog.Proof) (list []string) {
	for _, p := range proof {
		if p.Kind == "certification" || p.Kind == "award" {
			list = append(list, p.Title, p.Issuer)
		}
	}
	return list
}

// sellerTerms adds to a list the terms by which what its Seller is to be found by leads to a listing:
// the stem of each word, and of all as one. They are no words of the listing, since they say nothing of
// it: whoever asks a question is answered by what a thing is.
func (a *Analyser) sellerTerms(list, found []string) []string {
	add := func(word string) {
		if term := ExactSellerWord + a.language.Stem(word); word != "" && !slices.Contains(list, term) {
			list = append(list, term)
		}
	}
	for _, k := range found {
		a.list = text.Tokens(a.list[:0], k)
		for _, t := range a.list {
			if !a.language.IsStop(t.Text) {
				add(t.Text)
				add(t.Digraphs)
			}
		}
		for _, c := range text.Compacts(k) {
			add(c)
		}
	}
	return list
}

// Gist returns the words of what says best what a listing is, without joined ones,
// and their number, each as often as it occurs. Of the description it reads so many
// bytes.
func (a *Analyser) Gist(l Analysed, described int) (words []terms.Word, length int) {
	clear(a.at)
	a.words, a.length, a.apart = a.words[:0], 0, true
	a.name(l.Name, weightName, true)
	for _, k := range l.Keywords {
		a.name(k, weightKeyword, false)
	}
	a.categories(l)
	a.prose(l.Summary, weightSummary)
	a.prose(beginning(l.Described, described), weightDescription)
	return a.words, max(1, a.length)
}

// exactTerms returns the terms that match an offer only as a whole.
func exactTerms(o *catalog.Offer) []string {
	var list []string
	seen := map[string]bool{}
	add := func(prefix, whole string) {
		for _, c := range text.Compacts(whole) {
			if !seen[prefix+c] {
				seen[prefix+c] = true
				list = append(list, prefix+c)
			}
		}
	}
	add(ExactName, o.Name)
	add(ExactSKU, o.SKU)
	for _, v := range o.Variants {
		add(ExactName, v.Name)
		add(ExactSKU, v.SKU)
	}
	return list
}

func (a *Analyser) categories(l Analysed) {
	for _, line := range l.Lineages {
		for i, c := range line {
			weight := uint32(weightCategory)
			if i > 0 {
				weight = weightAncestor
			}
			a.name(c.Name, weight, false)
			for _, s := range c.Synonyms {
				a.name(s, weight, false)
			}
		}
	}
}

func (a *Analyser) attributes(list []catalog.Attribute) {
	for _, one := range list {
		if one.Kind == catalog.BooleanValue && one.Value == "false" {
			continue // who asks for it asks for those that have it
		}
		a.prose(one.Name, weightAttribute)
		if one.Kind != catalog.BooleanValue && !strings.Contains(one.Value, "://") {
			a.prose(one.Value, weightAttribute)
		}
		a.prose(one.Unit, weightAttribute)
	}
}

func (a *Analyser) add(word string, weight uint32, inName bool) {
	if word == "" || len(word) > MaxWord {
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
func (a *Analyser) token(t text.Token, weight uint32, inName bool) {
	a.add(t.Text, weight, inName)
	a.add(t.Digraphs, weight, inName)
}

// name adds a short text: every word, and its neighbours joined.
func (a *Analyser) name(name string, weight uint32, inName bool) {
	a.list = text.Tokens(a.list[:0], name)
	a.length += len(a.list)
	for _, t := range a.list {
		a.token(t, weight, inName)
	}
	a.joined(weight, inName, false)
}

// prose adds a longer text: the words that are not stop words, and those joined
// that only punctuation separates.
func (a *Analyser) prose(prose string, weight uint32) {
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
func (a *Analyser) joined(weight uint32, inName, gluedOnly bool) {
	if a.apart {
		return
	}
	for i := range a.list {
		if a.list[i].Pair {
			continue
		}
		for n := 2; n <= MaxJoined && i+n <= len(a.list); n++ {
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
func (a *Analyser) sku(sku string) {
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
