package match

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/index"
	"souk/build/index/text"
	"souk/build/kit/fold"
	"souk/build/kit/unit"
	"souk/dynamic/search/corpus"
)

// A ParsedQuery is a query as words.
type ParsedQuery struct {
	Words []queryWord
	// Telling is the number of meaningful words, which are not stop words.
	Telling int
	// Compacts are the compact spellings of the query, or none if it has no letter.
	Compacts []string
	// Text is the query; spelled is it without case and accents, with single spaces between
	// words.
	Text, spelled string
	// Open means that nothing ends the last word, so it may be unfinished.
	Open bool
	// Standing means that words represent a listing, so that no other listing needs all of
	// them.
	Standing bool
	// Wider is how much looser than its words the match should be, because the rest of the
	// text leaves too few results.
	Wider Width
}

type queryWord struct {
	Text string
	// From and to are its first position in the query, in bytes.
	From, To int
	// Stop means that the word is a stop word and need not match. asks means that it is one
	// because it is an asking word, unless the query is a name.
	Stop, asks bool
	// frequent means that too many listings have it to read them for a long question.
	frequent bool
	// follows means that it directly follows the previous word in the list.
	follows bool
	// digraphs is the word with each umlaut as two letters, or "" if it has none.
	digraphs string
	// Others are equivalent words: digraphs, and words that it forms with its neighbours.
	Others []string
	// amount is the number and unit written as one word, as in 36V, or the numbers of a size,
	// as in 40x60, or nil.
	amount []string
}

// amountOf returns the number and unit of a word written in that form, or the numbers of a
// size.
func amountOf(written, read string) []string {
	if size := sizeOf(read); size != nil {
		return size
	}
	number := strings.TrimRight(read, "abcdefghijklmnopqrstuvwxyz")
	symbol := written[min(len(number), len(written)):]
	if _, ok := unit.ParseDecimal(number); !ok || symbol == "" {
		return nil
	}
	_, exact := unit.Parse(symbol)
	_, capital := unit.Parse(strings.ToUpper(symbol))
	if !exact && !capital {
		return nil
	}
	return []string{number, read[len(number):]}
}

// sizeOf returns the parts of a size written as one word, as in 40x60 and M8x20, or nil if the
// word is not a size or a part would be a single digit.
func sizeOf(word string) []string {
	parts := strings.Split(word, "x")
	if len(parts) < 2 || len(parts) > index.MaxJoined {
		return nil
	}
	for i, part := range parts {
		if i > 0 && !beginsSize(part) || i < len(parts)-1 && !endsSize(part) {
			return nil
		}
	}
	if same := slices.Compact(slices.Clone(parts)); len(same) == 1 && len(same[0]) == 1 {
		return nil // a 4 anywhere does not make a 4x4
	}
	return parts
}

func beginsSize(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }
func endsSize(word string) bool {
	return word != "" && word[len(word)-1] >= '0' && word[len(word)-1] <= '9'
}

// sizes makes the parts of each size, as in 40 × 60, equivalent to the joined form 40x60. An x
// between them is ignored. list are the words of the folded query, and at their indexes in r.
func (r *ParsedQuery) sizes(list []text.Token, folded string, at map[string]int) {
	for from := 0; from < len(list); {
		parts, last := []string{list[from].Text}, from
		for next := crossed(list, folded, last); next > last; next = crossed(list, folded, last) {
			parts, last = append(parts, list[next].Text), next
		}
		for i := from; len(parts) > 1 && i <= last; i++ {
			if word := &r.Words[at[list[i].Text]]; word.Text == "x" {
				word.Stop = true
			} else {
				word.other(strings.Join(parts, "x"))
			}
		}
		from = last + 1
	}
}

// crossed returns the index of the word on the other side of a cross, if both belong to a
// size, otherwise the same index.
func crossed(list []text.Token, folded string, at int) (next int) {
	next = at + 1
	switch {
	case next == len(list) || !endsSize(list[at].Text):
		return at
	case list[next].Text == "x":
		next++
	case strings.TrimSpace(folded[list[at].To:list[next].From]) != "×":
		return at
	}
	if next == len(list) || !beginsSize(list[next].Text) {
		return at
	}
	return next
}

// longestEnding is the maximum length in bytes of an ending that is also a word of its own,
// such as red or less.
const longestEnding = 4

// joined makes joined neighbours equivalent to the word, unless they are a form of the first
// alone: colourred is not a form of red because its stem is colour. Stemming is the most
// expensive step here, so stems are compared only if the rest may be an ending.
func (w *queryWord) joined(word string, of []text.Token, language *text.Language) {
	if first := of[0].Text; word == "" || len(word)-len(first) <= longestEnding && language.Stem(word) == language.Stem(first) {
		return
	}
	w.other(word)
}

func (w *queryWord) other(word string) {
	if word != "" {
		w.Others = append(w.Others, word)
	}
}

// A Width says which listings to find even if enough others match better.
type Width uint8

// The widths; each includes the previous one.
const (
	asAsked    Width = iota // depending on the number of results
	someWeight              // a part of the weight
	anyWord
)

// Widths are all of them, in order.
var Widths = [...]Width{asAsked, someWeight, anyWord}

// Spelled returns a name in the form for comparisons with punctuation.
func Spelled(name string) string { return strings.Join(strings.Fields(fold.Text(name)), " ") }

// A Likeness says how closely the spelling of a name with the same letters resembles a query.
// The closer one ranks first, as C++ before C.
type Likeness uint8

const (
	SameBeginning Likeness = 1 + iota // it begins like the query
	sameButSpaces                     // the same but for the spaces
	SameSpelling                      // punctuation, spaces and all
)

// LikenessOf compares a name with a query, which is also passed in the form of Spelled.
func LikenessOf(name, query, spelledQuery string) Likeness {
	if strings.EqualFold(name, query) {
		return SameSpelling // the most frequent and cheapest case
	}
	name, query = Spelled(name), spelledQuery
	switch {
	case name == query:
		return SameSpelling
	case strings.ReplaceAll(name, " ", "") == strings.ReplaceAll(query, " ", ""):
		return sameButSpaces
	default:
		return 0
	}
}

// Parse splits a query into words. A query is text, never syntax.
func Parse(query string, language *text.Language) *ParsedQuery {
	r := &ParsedQuery{Compacts: text.Compacts(query), Text: query, spelled: Spelled(query)}
	list, offsets := text.Tokens(nil, query), text.Offsets(query)
	folded := fold.Text(query)
	last, _ := utf8.DecodeLastRuneInString(folded)
	r.Open = text.IsWordRune(last)
	seen := map[string]int{}
	asking, before := language.Asking(list), -1
	for i, t := range list {
		at, known := seen[t.Text]
		if !known {
			at = len(r.Words)
			seen[t.Text] = at
			from, to := t.Place(offsets)
			r.Words = append(r.Words, queryWord{Text: t.Text, From: from, To: to, digraphs: t.Digraphs, Stop: language.IsStop(t.Text), asks: true})
			r.Words[at].other(t.Digraphs)
			r.Words[at].amount = amountOf(query[from:to], t.Text)
		}
		r.Words[at].follows = r.Words[at].follows || at > 0 && before == at-1
		before = at
		// A word may be an asking word in one place and not in another.
		r.Words[at].asks = r.Words[at].asks && asking[i]
		// Each run of neighbours that contains the word.
		for from := max(0, i-index.MaxJoined+1); from <= i; from++ {
			for n := i - from + 1; n <= index.MaxJoined && from+n <= len(list); n++ {
				if n > 1 && !slices.ContainsFunc(list[from:from+n], func(t text.Token) bool { return t.Pair }) {
					r.Words[at].joined(text.Join(list[from:from+n]), list[from:from+n], language)
					r.Words[at].joined(text.JoinDigraphs(list[from:from+n]), list[from:from+n], language)
				}
			}
		}
	}
	r.sizes(list, folded, seen)
	r.Count()
	return r
}

// Count decides which words are meaningful. If none is, all are.
func (r *ParsedQuery) Count() {
	for i := range r.Words {
		w := &r.Words[i]
		w.asks = w.asks && !w.Stop
		if w.Stop = w.Stop || w.asks; !w.Stop {
			r.Telling++
		}
	}
	if r.Telling > 0 {
		return
	}
	r.Telling = len(r.Words)
	for i := range r.Words {
		r.Words[i].Stop = false
	}
}

// asWritten treats asking words as normal ones, because the query is a name.
func (r *ParsedQuery) asWritten() { r.tells(0, len(r.Words)) }

// tells treats asking words from one up to another as normal ones, because they are part of a
// name.
func (r *ParsedQuery) tells(from, to int) {
	for i := from; i < to; i++ {
		if w := &r.Words[i]; w.asks && w.Stop {
			w.Stop = false
			r.Telling++
		}
	}
}

// A Group is one word of a query with all its equivalents.
type Group struct {
	*Postings
	// Listings is the number of visible listings.
	Listings int
	Idf      float64
	Stop     bool
	// Weight is the importance of the word in the query, in whole WeightUnits, so that sums
	// are exact and do not depend on their order.
	Weight float32
}

// Idf is the BM25 inverse document frequency of a word with so many visible listings.
func (x *Lexicon) Idf(listings int, v *corpus.Visibility) float64 {
	all := x.Corpus.Listings(v)
	n, df := float64(all), float64(min(listings, all))
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// wordPostings returns the listings of a word in any of its forms, alone or joined with its
// neighbours.
func (x *Lexicon) wordPostings(ctx context.Context, w queryWord, forms inflection) (*Postings, error) {
	p, err := x.Inflected(ctx, w.Text, forms)
	if err != nil || len(w.Others)+len(w.amount) == 0 {
		return p, err
	}
	lists := []weighted{{p, 1}}
	if len(w.amount) > 0 {
		apart, err := x.Phrase(ctx, w.amount, forms)
		if err != nil {
			return nil, err
		}
		lists = append(lists, weighted{apart, 1})
	}
	for _, j := range w.Others {
		q, err := x.Inflected(ctx, j, forms)
		if err != nil {
			return nil, err
		}
		if len(q.Docs) > 0 {
			lists = append(lists, weighted{q, 1})
		}
	}
	return x.Scratch.union(lists), nil
}

// unfinished returns the listings with a word that begins like this one. A single letter is
// not enough, except in an unspaced script.
func (x *Lexicon) unfinished(ctx context.Context, word string) (*Postings, error) {
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) && !text.IsUnspaced(first) {
		return &Postings{Terms: &Terms{}}, nil
	}
	return x.cached("p"+word, func() (*Postings, error) {
		var words []string
		for i := range x.Corpus.Segments {
			held := x.Corpus.Segments[i].Words()
			from, to := held.Span(word)
			words = slices.AppendSeq(words, held.Words(from, to))
		}
		slices.Sort(words)
		p, err := x.words(ctx, slices.Compact(words), word)
		if err != nil {
			return nil, err
		}
		begun := *p // a single list belongs to its word
		return begun.saidBy(&Terms{Field: Words, Text: word, Prefix: true}), nil
	})
}

// begun adds to the postings of a word those of names that continue it.
func (x *Lexicon) begun(p *Postings, w queryWord) *Postings {
	lists := []weighted{{p, 1}}
	for _, word := range [...]string{w.Text, w.digraphs} {
		if q := x.inNames(word); len(q.Docs) > 0 {
			lists = append(lists, weighted{q, 1})
		}
	}
	return x.Scratch.union(lists)
}

// inNames returns the listings whose name contains, or is, a word that begins like this one.
func (x *Lexicon) inNames(word string) *Postings {
	first, size := utf8.DecodeRuneInString(word) // of "" nothing, of size 0
	if size == len(word) && !text.IsUnspaced(first) {
		return &Postings{Terms: &Terms{}}
	}
	p, _ := x.cached("n"+word, func() (*Postings, error) {
		s := x.Scratch.Get()
		defer x.Scratch.Put(s)
		x.Corpus.EachList(func(l *corpus.Listed) {
			from, to := l.Words.Span(word)
			for i := from; i < to; i++ {
				impact := uint16(beginning(word, l.Words.At(i))*namedImpact*ImpactUnit)<<1 | NamedBit
				for _, u := range l.Of(i, i+1) {
					if at := l.Listing(u.Rank()); at >= 0 && (s.Mark(uint32(at)) || s.impacts[at] < impact) {
						s.impacts[at] = impact
					}
				}
			}
		})
		p := &Postings{Terms: &Terms{Field: Beginnings, Text: word, Prefix: true}}
		s.Each(func(doc uint32) { p.add(doc, s.impacts[doc]) })
		return p, nil
	})
	return p
}

// namedImpact is the typical impact of a word in a name.
const namedImpact = 0.8

// beginning returns the factor for a word typed as far as prefix: the less is missing, the
// higher it is.
func beginning(prefix, word string) float64 {
	return prefixFactor * max(0.4, float64(len(prefix))/float64(len(word)))
}

// The share of its impact that a word keeps if it was not typed exactly.
const (
	prefixFactor     = 0.8
	compoundFactor   = 0.4
	oneErrorFactor   = 0.8
	twoErrorsFactor  = 0.6
	firstWrongFactor = 0.7
	splitFactor      = 0.9
)

// words joins the listings of words that begin with a prefix.
func (x *Lexicon) words(ctx context.Context, words []string, prefix string) (*Postings, error) {
	lists := make([]weighted, 0, len(words))
	for _, w := range words {
		p, err := x.Word(ctx, w)
		if err != nil {
			return nil, err
		}
		if len(p.Docs) > 0 {
			lists = append(lists, weighted{p, beginning(prefix, w)})
		}
	}
	return x.Scratch.union(lists), nil
}

// leftOut returns the words without meaning.
func (r *ParsedQuery) leftOut() []int {
	var list []int
	for i := range r.Words {
		if r.Words[i].Stop {
			list = append(list, i)
		}
	}
	return list
}

func (x *Lexicon) Spelled(word string) bool {
	return slices.ContainsFunc(x.Corpus.Segments, func(s corpus.Segment) bool { return s.Words().Has(word) })
}
