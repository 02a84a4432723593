package index

import (
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/index/terms"
	"souk/build/index/text"
)

// A place is the role of a text in a listing: the weight of its words, in units of one mention
// in the description, and whether it is the name. From names, every word and joined neighbours
// are indexed; from longer texts, the words that are not stop words, joined only if nothing
// but punctuation separates them. Own texts are what the listing says about itself.
//
// The weights were chosen with the known-item queries of the tests. They are summed before
// term frequency saturates, as in BM25F (Robertson, Zaragoza, Taylor: Simple BM25 Extension to
// Multiple Weighted Fields, CIKM 2004), so that a word in every field does not count several
// times.
type place struct {
	weight            uint32
	inName, name, own bool
}

var (
	inName        = place{weight: 8, inName: true, name: true, own: true}
	inVariant     = place{weight: 3, name: true}
	inKeyword     = place{weight: 3, name: true, own: true}
	inCategory    = place{weight: 2, name: true}
	inAncestor    = place{weight: 1, name: true}
	inSeller      = place{weight: 3, name: true}
	inSummary     = place{weight: 3, own: true}
	inAttribute   = place{weight: 1, own: true}
	inDescription = place{weight: 1, own: true}

	// Places of a company, besides those it shares with listings. Its location and its offers
	// say less about it than its own words.
	inLegalName = place{weight: 4, name: true, own: true}
	inTown      = place{weight: 3, name: true, own: true}
	inProof     = place{weight: 2, name: true, own: true}
	inOffered   = place{weight: 1, name: true}
)

// weightSKU is the weight of an article number or a GTIN.
const weightSKU = 4

const (
	// MaxJoined is how many neighbouring words of a name are also indexed as one word.
	MaxJoined = 4
	// MaxWord is the maximum length of an indexed word, in bytes.
	MaxWord = 64
)

// The exact terms of a listing are its compact name, its compact SKUs and GTINs, and, with
// these prefixes, the stems of its Seller's search words and of its own certificates.
const (
	ExactName       = "n"
	ExactSKU        = "s"
	ExactSellerWord = "k"
)

// An Analysed is a listing with its other sources of words.
type Analysed struct {
	*catalog.Offer
	// Described is its description as plain words.
	Described string
	// Seller is the name of its Seller, SellerWords the Seller's search words.
	Seller      string
	SellerWords []string
	// Lineages are its current Categories, each with its current ancestors, the nearest first.
	Lineages [][]*catalog.Category
}

// An Analyser finds the terms of listings, one listing at a time.
type Analyser struct {
	language *text.Language
	at       map[string]int32
	words    []terms.Word
	// length is the number of words in the listing, including repetitions.
	length int
	// apart means that neighbouring words are not joined. further means that only words that
	// were not read before are added.
	apart, further bool
	list           []text.Token
	// variant is the number of the variant whose attributes are read, or 0 for the listing
	// itself. inVariants is how many variants, counted from the first, contain each word.
	variant    int32
	inVariants []int32
}

// NewAnalyser returns an Analyser for one goroutine.
func NewAnalyser(l *text.Language) *Analyser {
	return &Analyser{language: l, at: map[string]int32{}}
}

// Language returns the Language for a BCP 47 tag; an empty one is English.
func Language(tag string) *text.Language {
	return text.NewLanguage(terms.Stemming(tag)).AskIn(tag)
}

// begin resets the Analyser for the next listing.
func (a *Analyser) begin(apart bool) {
	clear(a.at)
	a.words, a.inVariants, a.length, a.variant, a.apart = a.words[:0], a.inVariants[:0], 0, 0, apart
}

// Entry returns the index entry of a listing. Its Words are valid until the next call.
func (a *Analyser) Entry(l Analysed) terms.Entry {
	a.begin(false)
	o := l.Offer
	a.read(o.Name, inName)
	a.sku(o.SKU)
	a.sku(o.GTIN)
	for _, v := range o.Variants {
		a.read(v.Name, inVariant)
		a.sku(v.SKU)
		a.sku(v.GTIN)
	}
	for _, k := range o.Keywords {
		a.read(k, inKeyword)
	}
	a.categories(l)
	a.read(l.Seller, inSeller)
	a.read(o.Summary, inSummary)
	a.attributes(o.Attributes)
	a.variants(o.Variants)
	a.read(o.Delivery, inAttribute)
	a.read(l.Described, inDescription)
	return terms.Entry{Words: a.words, Length: max(1, a.length), Exact: a.sellerTerms(exactTerms(o), append(certificates(o.Proof), l.SellerWords...))}
}

// company returns the index entry of a Seller. Its Words are valid until the next call. named
// are the Categories that it names, within others that it belongs to, and offered the names of
// its offers. A word in offered counts only if the company has it nowhere else, and does not
// make the company longer: a company with many offers must not rank lower for it.
func (a *Analyser) company(s *catalog.Seller, described string, named, within [][]*catalog.Category, offered []string) terms.Entry {
	a.begin(false)
	a.read(s.Name, inName)
	a.read(s.LegalName, inLegalName)
	for _, k := range s.Keywords {
		a.read(k, inKeyword)
	}
	a.categories(Analysed{Lineages: named})
	a.read(s.Tagline, inSummary)
	a.read(s.Summary, inSummary)
	if h := s.Headquarters; h != nil {
		a.read(h.City, inTown)
		a.read(h.Region, inTown)
	}
	for i := range s.Proof {
		a.read(s.Proof[i].Title, inProof)
		a.read(s.Proof[i].Issuer, inProof)
	}
	a.read(described, inDescription)
	length := a.length
	a.further = true
	for _, line := range within {
		a.read(line[0].Name, inAncestor)
		for _, synonym := range line[0].Synonyms {
			a.read(synonym, inAncestor)
		}
	}
	for _, name := range offered {
		a.read(name, inOffered)
	}
	a.further = false
	exact := exactTerms(&catalog.Offer{Head: catalog.Head{Name: s.Name}, Variants: []catalog.Variant{{Name: s.LegalName}}})
	return terms.Entry{Words: a.words, Length: max(1, length), Exact: a.sellerTerms(exact, SellerWords(s))}
}

// SellerWords returns words by which a Seller's listings are found if no listing contains them
// itself: keywords, certificates and awards.
func SellerWords(s *catalog.Seller) []string { return append(certificates(s.Proof), s.Keywords...) }

// certificates returns the titles and issuers of certificates and awards. Other kinds of proof
// are about others, such as customers and authors.
func certificates(proof []catalog.Proof) (list []string) {
	for _, p := range proof {
		if p.Kind == "certification" || p.Kind == "award" {
			list = append(list, p.Title, p.Issuer)
		}
	}
	return list
}

// sellerTerms adds to a list the terms by which a Seller's search words lead to a listing: the
// stem of each word, and of all words joined. They are not words of the listing, because they
// do not describe it.
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

// Gist returns the words that describe a listing best, without joined ones, and their number
// including repetitions. It reads the given number of bytes of the description.
func (a *Analyser) Gist(l Analysed, described int) (words []terms.Word, length int) {
	a.begin(true)
	a.read(l.Name, inName)
	for _, k := range l.Keywords {
		a.read(k, inKeyword)
	}
	a.categories(l)
	a.read(l.Summary, inSummary)
	a.read(beginning(l.Described, described), inDescription)
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
	add(ExactSKU, o.GTIN)
	for _, v := range o.Variants {
		add(ExactName, v.Name)
		add(ExactSKU, v.SKU)
		add(ExactSKU, v.GTIN)
	}
	return list
}

func (a *Analyser) categories(l Analysed) {
	for _, line := range l.Lineages {
		in := inCategory
		for _, c := range line {
			a.read(c.Name, in)
			for _, s := range c.Synonyms {
				a.read(s, in)
			}
			in = inAncestor
		}
	}
}

// variants adds the attributes of variants. Words in all variants are the listing's own.
func (a *Analyser) variants(list []catalog.Variant) {
	for _, v := range list {
		a.variant++
		a.attributes(v.Attributes)
	}
	for i := range a.words {
		a.words[i].Own = a.words[i].Own || a.variant > 0 && a.inVariants[i] == a.variant
	}
	a.variant = 0
}

// attributes adds attributes. The name of an attribute with a negative value, and numbers, are
// not the listing's own words.
func (a *Analyser) attributes(list []catalog.Attribute) {
	elsewhere := place{weight: inAttribute.weight}
	for i, one := range list {
		name, value := inAttribute, inAttribute
		switch {
		case one.Kind == catalog.BooleanValue && one.Value == "false":
			continue // a query for it asks for listings that have it
		case one.Kind == catalog.BooleanValue:
			one.Value = ""
		case one.Kind == catalog.NumberValue:
			value, name.own = elsewhere, one.Value != "0"
		case strings.Contains(one.Value, "://"):
			one.Value, name = "", elsewhere
		}
		if a.read(one.Value, value); one.Value != "" && a.language.Denies(a.list) {
			name = elsewhere
		}
		if !catalog.Continues(list, i) {
			a.read(one.Name, name)
		}
		a.read(one.Unit, elsewhere)
	}
}

func (a *Analyser) add(word string, p place) {
	if word == "" || len(word) > MaxWord {
		return
	}
	at, known := a.at[word]
	if known && a.further {
		return
	}
	if !known {
		at = int32(len(a.words))
		a.at[word] = at
		a.words, a.inVariants = append(a.words, terms.Word{Text: word}), append(a.inVariants, 0)
	}
	w := &a.words[at]
	w.Weight += p.weight
	w.InName = w.InName || p.inName
	w.Own = w.Own || p.own && a.variant == 0
	if p.own && a.inVariants[at] == a.variant-1 {
		a.inVariants[at] = a.variant
	}
}

// read adds a text: its words, in both spellings if they have umlauts, and runs of neighbours
// as one word each.
func (a *Analyser) read(s string, p place) {
	if a.list = text.Tokens(a.list[:0], s); len(a.list) == 0 {
		return
	}
	a.length += len(a.list)
	var absent []bool
	if p.own {
		absent = a.language.Absent(s, a.list)
	}
	for i, t := range a.list {
		in := p
		in.own = in.own && (absent == nil || !absent[i])
		if p.name || !a.language.IsStop(t.Text) {
			a.add(t.Text, in)
			a.add(t.Digraphs, in)
		}
		for n := 2; !a.apart && !t.Pair && n <= MaxJoined && i+n <= len(a.list); n++ {
			last := a.list[i+n-1]
			if last.Pair || !p.name && !last.Glued {
				break
			}
			in.own = in.own && (absent == nil || !absent[i+n-1])
			a.add(text.Join(a.list[i:i+n]), in)
			a.add(text.JoinDigraphs(a.list[i:i+n]), in)
		}
	}
}

// sku adds an article number: its parts, and the whole as one word.
func (a *Analyser) sku(sku string) {
	if sku == "" {
		return
	}
	a.list = text.Tokens(a.list[:0], sku)
	for _, t := range a.list {
		a.add(t.Text, place{weight: weightSKU})
	}
	if len(a.list) > 1 {
		a.add(text.Compact(sku), place{weight: weightSKU})
	}
}
