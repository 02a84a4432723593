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
	// Telling is the number of words of meaning, which are not stop words.
	Telling int
	// Compacts is the query in its compact spellings; none where it has no letter.
	Compacts []string
	// Text is the query; spelled is it without case and accents, its words one
	// space apart.
	Text, spelled string
	// Open: nothing ends the last word, so it may be unfinished.
	Open bool
	// Standing: words stand for a listing, so that no other needs to have all of them.
	Standing bool
	// Wider is how much more than its words find is to be found, since too little of that is
	// left by what else the text says.
	Wider Width
}

type queryWord struct {
	Text string
	// From and to are where it first occurs in the query, in bytes.
	From, To int
	// Stop: the word is a stop word and need not match; asks: it is one because of
	// what it only asks, unless the query is a name.
	Stop, asks bool
	// frequent: too many listings have it to be read for a long question.
	frequent bool
	// follows: it stands after the word before it in the query's list of words.
	follows bool
	// digraphs is the word with each umlaut as two letters; "" if it has none.
	digraphs string
	// Others are words that count as the same: digraphs, and those that it
	// forms together with its neighbours.
	Others []string
	// amount is the number and the unit that are written as one word, as in 36V, or the
	// numbers of a size, as in 40x60; nil if it is none.
	amount []string
}

// amountOf returns the number and the unit of a word that is written so and is read as one,
// or the numbers of a size.
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

// sizeOf returns the parts of a size that is written as one word, as in 40x60 and M8x20; nil
// if the word is none, or a digit alone would be looked for.
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
		return nil // what has a 4 anywhere is no 4x4
	}
	return parts
}

func beginsSize(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }
func endsSize(word string) bool {
	return word != "" && word[len(word)-1] >= '0' && word[len(word)-1] <= '9'
}

// sizes has the parts of each size, as in 40 × 60, count as the word that others write for
// it, 40x60. An x between them asks for nothing. list are the words of the folded query, and
// at has their places in r.
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

// crossed returns the place of the word that a cross parts from the one at a place, where
// both are of a size; else that place.
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

// longestEnding is how many bytes of an ending anybody writes as a word of its own, such as
// red or less.
const longestEnding = 4

// joined has neighbours written together count as the word, unless that is a form of the
// first alone: colourred is no form of red because its stem is colour. Stems cost more than
// all else here, and are compared only where the rest may be an ending.
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

// A Width says of what a listing must have some, even where enough has more.
type Width uint8

// The widths, each with all that the one before it finds.
const (
	asAsked    Width = iota // what the number of answers calls for
	someWeight              // a part of the weight
	anyWord
)

// Widths are all of them, in order.
var Widths = [...]Width{asAsked, someWeight, anyWord}

// Spelled returns a name in the form compared where punctuation counts.
func Spelled(name string) string { return strings.Join(strings.Fields(fold.Text(name)), " ") }

// A Likeness is how closely a name with the same letters is spelled like a
// query. The closer one ranks first, as C++ before C.
type Likeness uint8

const (
	SameBeginning Likeness = 1 + iota // it begins like the query
	sameButSpaces                     // the same but for the spaces
	SameSpelling                      // punctuation, spaces and all
)

// LikenessOf compares a name with a query, which is also passed as spelled.
func LikenessOf(name, query, spelledQuery string) Likeness {
	if strings.EqualFold(name, query) {
		return SameSpelling // the most frequent case, and the cheapest
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

// Parse splits a query into words. A query is text and never syntax.
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
		// A word that asks in one place may tell in another.
		r.Words[at].asks = r.Words[at].asks && asking[i]
		// Every run of neighbours that the word is part of.
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

// Count decides which words are of meaning: if none is, all are.
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

// asWritten takes back that words only ask, since the query is a name.
func (r *ParsedQuery) asWritten() { r.tells(0, len(r.Words)) }

// tells takes back that words only ask, from one to before another: they are of a name.
func (r *ParsedQuery) tells(from, to int) {
	for i := from; i < to; i++ {
		if w := &r.Words[i]; w.asks && w.Stop {
			w.Stop = false
			r.Telling++
		}
	}
}

// A Group is one word of a query with everything that counts as the same.
type Group struct {
	*Postings
	// Listings is how many of them may be shown.
	Listings int
	Idf      float64
	Stop     bool
	// Weight is how much of what is asked the word is, in whole WeightUnits, so that sums of
	// weights are exact and compare alike in any order.
	Weight float32
}

// Idf is the inverse document frequency of BM25 of a word that so many listings have, of
// those that may be shown.
func (x *Lexicon) Idf(listings int, v *corpus.Visibility) float64 {
	all := x.Corpus.Listings(v)
	n, df := float64(all), float64(min(listings, all))
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// wordPostings returns the listings that have a word in any of its forms, alone
// or joined with its neighbours.
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

// unfinished returns the listings with a word that begins like this one. A
// single letter says too little, except in an unspaced script.
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
		begun := *p // a single list is its word's own
		return begun.saidBy(&Terms{Field: Words, Text: word, Prefix: true}), nil
	})
}

// begun adds to the postings of a word those of the names that go on as it begins.
func (x *Lexicon) begun(p *Postings, w queryWord) *Postings {
	lists := []weighted{{p, 1}}
	for _, word := range [...]string{w.Text, w.digraphs} {
		if q := x.inNames(word); len(q.Docs) > 0 {
			lists = append(lists, weighted{q, 1})
		}
	}
	return x.Scratch.union(lists)
}

// inNames returns the listings whose name has, or is, a word that begins like
// this one.
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

// namedImpact is about the impact of a word in a name.
const namedImpact = 0.8

// beginning returns the factor for a word typed as far as prefix: the less is
// missing, the more it counts.
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
