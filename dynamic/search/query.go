package search

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/fold"
	"souk/build/index"
	"souk/build/index/text"
	"souk/build/unit"
)

// MaxQuery is the greatest length of a query in characters. It limits the
// number of words, and so what a query costs.
const MaxQuery = document.MaxQuery

// A parsedQuery is a query as words.
type parsedQuery struct {
	words []queryWord
	// telling is the number of words of meaning, which are not stop words.
	telling int
	// compacts is the query in its compact spellings; none where it has no letter.
	compacts []string
	// text is the query; spelled is it without case and accents, its words one
	// space apart.
	text, spelled string
	// open: nothing ends the last word, so it may be unfinished.
	open bool
	// standing: words stand for a listing, so that no other needs to have all of them.
	standing bool
}

type queryWord struct {
	text string
	// from and to are where it first occurs in the query, in bytes.
	from, to int
	// stop: the word is a stop word and need not match; asks: it is one because of
	// what it only asks, unless the query is a name.
	stop, asks bool
	// frequent: too many listings have it to be read for a long question.
	frequent bool
	// follows: it stands after the word before it in the query's list of words.
	follows bool
	// digraphs is the word with each umlaut as two letters; "" if it has none.
	digraphs string
	// others are words that count as the same: digraphs, and those that it
	// forms together with its neighbours.
	others []string
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
func (r *parsedQuery) sizes(list []text.Token, folded string, at map[string]int) {
	for from := 0; from < len(list); {
		parts, last := []string{list[from].Text}, from
		for next := crossed(list, folded, last); next > last; next = crossed(list, folded, last) {
			parts, last = append(parts, list[next].Text), next
		}
		for i := from; len(parts) > 1 && i <= last; i++ {
			if word := &r.words[at[list[i].Text]]; word.text == "x" {
				word.stop = true
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
		w.others = append(w.others, word)
	}
}

// spelled returns a name in the form compared where punctuation counts.
func spelled(name string) string { return strings.Join(strings.Fields(fold.Text(name)), " ") }

// A likeness is how closely a name with the same letters is spelled like a
// query. The closer one ranks first, as C++ before C.
type likeness uint8

const (
	sameBeginning likeness = 1 + iota // it begins like the query
	sameButSpaces                     // the same but for the spaces
	sameSpelling                      // punctuation, spaces and all
)

// likenessOf compares a name with a query, which is also passed as spelled.
func likenessOf(name, query, spelledQuery string) likeness {
	if strings.EqualFold(name, query) {
		return sameSpelling // the most frequent case, and the cheapest
	}
	name, query = spelled(name), spelledQuery
	switch {
	case name == query:
		return sameSpelling
	case strings.ReplaceAll(name, " ", "") == strings.ReplaceAll(query, " ", ""):
		return sameButSpaces
	default:
		return 0
	}
}

// parse splits a query into words. A query is text and never syntax.
func parse(query string, language *text.Language) *parsedQuery {
	r := &parsedQuery{compacts: text.Compacts(query), text: query, spelled: spelled(query)}
	list, offsets := text.Tokens(nil, query), text.Offsets(query)
	folded := fold.Text(query)
	last, _ := utf8.DecodeLastRuneInString(folded)
	r.open = text.IsWordRune(last)
	seen := map[string]int{}
	asking, before := language.Asking(list), -1
	for i, t := range list {
		at, known := seen[t.Text]
		if !known {
			at = len(r.words)
			seen[t.Text] = at
			from, to := t.Place(offsets)
			r.words = append(r.words, queryWord{text: t.Text, from: from, to: to, digraphs: t.Digraphs, stop: language.IsStop(t.Text), asks: true})
			r.words[at].other(t.Digraphs)
			r.words[at].amount = amountOf(query[from:to], t.Text)
		}
		r.words[at].follows = r.words[at].follows || at > 0 && before == at-1
		before = at
		// A word that asks in one place may tell in another.
		r.words[at].asks = r.words[at].asks && asking[i]
		// Every run of neighbours that the word is part of.
		for from := max(0, i-index.MaxJoined+1); from <= i; from++ {
			for n := i - from + 1; n <= index.MaxJoined && from+n <= len(list); n++ {
				if n > 1 && !slices.ContainsFunc(list[from:from+n], func(t text.Token) bool { return t.Pair }) {
					r.words[at].joined(text.Join(list[from:from+n]), list[from:from+n], language)
					r.words[at].joined(text.JoinDigraphs(list[from:from+n]), list[from:from+n], language)
				}
			}
		}
	}
	r.sizes(list, folded, seen)
	r.count()
	return r
}

// count decides which words are of meaning: if none is, all are.
func (r *parsedQuery) count() {
	for i := range r.words {
		w := &r.words[i]
		w.asks = w.asks && !w.stop
		if w.stop = w.stop || w.asks; !w.stop {
			r.telling++
		}
	}
	if r.telling > 0 {
		return
	}
	r.telling = len(r.words)
	for i := range r.words {
		r.words[i].stop = false
	}
}

// asWritten takes back that words only ask, since the query is a name.
func (r *parsedQuery) asWritten() { r.tells(0, len(r.words)) }

// tells takes back that words only ask, from one to before another: they are of a name.
func (r *parsedQuery) tells(from, to int) {
	for i := from; i < to; i++ {
		if w := &r.words[i]; w.asks && w.stop {
			w.stop = false
			r.telling++
		}
	}
}

// A group is one word of a query with everything that counts as the same.
type group struct {
	*postings
	idf  float64
	stop bool
}

// idf is the inverse document frequency of BM25 of a word that so many listings have.
func (x *Index) idf(listings int) float64 {
	n, df := float64(len(x.corpus.places)), float64(min(listings, len(x.corpus.places)))
	return math.Log(1 + (n-df+0.5)/(df+0.5))
}

// wordPostings returns the listings that have a word in any of its forms, alone
// or joined with its neighbours.
func (x *Index) wordPostings(ctx context.Context, w queryWord, forms inflection) (*postings, error) {
	p, err := x.inflected(ctx, w.text, forms)
	if err != nil || len(w.others)+len(w.amount) == 0 {
		return p, err
	}
	lists := []weighted{{p, 1}}
	if len(w.amount) > 0 {
		apart, err := x.phrase(ctx, w.amount, forms)
		if err != nil {
			return nil, err
		}
		lists = append(lists, weighted{apart, 1})
	}
	for _, j := range w.others {
		q, err := x.inflected(ctx, j, forms)
		if err != nil {
			return nil, err
		}
		if len(q.docs) > 0 {
			lists = append(lists, weighted{q, 1})
		}
	}
	return x.scratch.union(lists), nil
}

// unfinished returns the listings with a word that begins like this one. A
// single letter says too little, except in an unspaced script.
func (x *Index) unfinished(ctx context.Context, word string) (*postings, error) {
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) && !text.IsUnspaced(first) {
		return &postings{terms: &Terms{}}, nil
	}
	return x.cached("p"+word, func() (*postings, error) {
		var words []string
		for i := range x.corpus.segments {
			held := x.corpus.segments[i].Words()
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
func (x *Index) begun(p *postings, w queryWord) *postings {
	lists := []weighted{{p, 1}}
	for _, word := range [...]string{w.text, w.digraphs} {
		if q := x.inNames(word); len(q.docs) > 0 {
			lists = append(lists, weighted{q, 1})
		}
	}
	return x.scratch.union(lists)
}

// inNames returns the listings whose name has, or is, a word that begins like
// this one.
func (x *Index) inNames(word string) *postings {
	first, size := utf8.DecodeRuneInString(word) // of "" nothing, of size 0
	if size == len(word) && !text.IsUnspaced(first) {
		return &postings{terms: &Terms{}}
	}
	p, _ := x.cached("n"+word, func() (*postings, error) {
		s := x.scratch.get()
		defer x.scratch.put(s)
		x.corpus.eachList(func(l *listed) {
			from, to := l.Words.Span(word)
			for i := from; i < to; i++ {
				impact := uint16(beginning(word, l.Words.At(i))*namedImpact*impactUnit)<<1 | namedBit
				for _, u := range l.Of(i, i+1) {
					if at := l.listing(u.Rank()); at >= 0 && (s.mark(uint32(at)) || s.impacts[at] < impact) {
						s.impacts[at] = impact
					}
				}
			}
		})
		p := &postings{terms: &Terms{Field: Beginnings, Text: word, Prefix: true}}
		s.each(func(doc uint32) { p.add(doc, s.impacts[doc]) })
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
func (x *Index) words(ctx context.Context, words []string, prefix string) (*postings, error) {
	lists := make([]weighted, 0, len(words))
	for _, w := range words {
		p, err := x.word(ctx, w)
		if err != nil {
			return nil, err
		}
		if len(p.docs) > 0 {
			lists = append(lists, weighted{p, beginning(prefix, w)})
		}
	}
	return x.scratch.union(lists), nil
}

// leftOut returns the words without meaning.
func (r *parsedQuery) leftOut() []int {
	var list []int
	for i := range r.words {
		if r.words[i].stop {
			list = append(list, i)
		}
	}
	return list
}

func (x *Index) spelled(word string) bool {
	return slices.ContainsFunc(x.corpus.segments, func(s segment) bool { return s.Words().Has(word) })
}
