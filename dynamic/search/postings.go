package search

import (
	"math/bits"
	"slices"
	"sync"

	"souk/build/index/terms"
)

// postings are the listings that a word leads to, in order, each with how much
// the word says of it.
type postings struct {
	docs []uint32
	// impacts are saturated term frequencies in units of 1/2^15, shifted left
	// by one; the lowest bit is set if the word is in the name.
	impacts []uint16
	// words are those that a misspelled word was taken for; else none.
	words []string
	// terms say which listings they are to an engine that has no postings.
	terms *Terms
}

const (
	impactUnit = 1 << 15
	namedBit   = 1
)

// The constants of BM25 (Robertson, Zaragoza: The Probabilistic Relevance
// Framework, 2009). The average length is fixed, so that the score of a listing
// does not depend on which others there are.
const (
	saturation    = 1.5   // k1, in mentions of the description
	lengthShare   = 0.75  // b
	averageLength = 100.0 // words
)

// impactOf returns the term frequency component of BM25 as an impact.
func impactOf(p terms.Posting) uint16 {
	impact := uint16(impactShare(float64(p.Weight), p.Length)*(impactUnit-1)) << 1
	if p.InName {
		impact |= namedBit
	}
	return impact
}

// impactShare returns the same for a weight in a listing of so many words, from 0
// to 1.
func impactShare(weight float64, length int) float64 {
	if length < len(norms) {
		return weight / (weight + norms[length])
	}
	return weight / (weight + normOf(length))
}

// normOf returns what a weight is held against in a listing of so many words.
func normOf(length int) float64 {
	return saturation * (1 - lengthShare + lengthShare*float64(length)/averageLength)
}

// norms are those of usual lengths.
var norms = func() (list [4096]float64) {
	for length := range list {
		list[length] = normOf(length)
	}
	return list
}()

func (p *postings) add(doc uint32, impact uint16) {
	p.docs = append(p.docs, doc)
	p.impacts = append(p.impacts, impact)
}

func (p *postings) bytes() int { return 6*cap(p.docs) + 64 }

// find returns the place of a listing at or after the place from, or of the
// next one, by doubling steps: queries ask in ascending order.
func (p *postings) find(doc uint32, from int) int {
	if from >= len(p.docs) || p.docs[from] >= doc {
		return from
	}
	step := 1
	for from+step < len(p.docs) && p.docs[from+step] < doc {
		from += step
		step *= 2
	}
	end := min(from+step, len(p.docs))
	at, _ := slices.BinarySearch(p.docs[from:end], doc)
	return from + at
}

// A weighted is postings that count less than those of the word itself.
type weighted struct {
	*postings
	factor float64
}

// marks have a bit for each listing.
type marks []uint64

func (m marks) mark(doc uint32) (first bool) {
	bit := uint64(1) << (doc & 63)
	first = m[doc>>6]&bit == 0
	m[doc>>6] |= bit
	return first
}

func (m marks) marked(doc uint32) bool { return m[doc>>6]&(1<<(doc&63)) != 0 }

// count returns how many listings are marked.
func (m marks) count() (n int) {
	for _, word := range m {
		n += bits.OnesCount64(word)
	}
	return n
}

// each calls yield for every marked listing, in order.
func (m marks) each(yield func(doc uint32)) {
	for i, word := range m {
		for word != 0 {
			yield(uint32(i<<6 | bits.TrailingZeros64(word)))
			word &= word - 1
		}
	}
}

// scratch is memory for each listing that queries borrow, of which many need no more than
// this, and scores is more of it.
type scratch struct {
	marks
	impacts []uint16
}

type scores struct {
	marks
	scores, named, held []float32
	counts, inName      []uint8
}

// A scratchPool lends memory for so many listings.
type scratchPool struct {
	scratches, scores sync.Pool
	// keys lends room for what a query finds, which may be as much as there are listings.
	keys sync.Pool
}

func newScratchPool(listings int) *scratchPool {
	unmarked := func() marks { return make(marks, (listings+63)/64) }
	p := &scratchPool{}
	p.scratches.New = func() any { return &scratch{unmarked(), make([]uint16, listings)} }
	p.scores.New = func() any {
		return &scores{
			marks: unmarked(), scores: make([]float32, listings), named: make([]float32, listings), held: make([]float32, listings),
			counts: make([]uint8, listings), inName: make([]uint8, listings),
		}
	}
	p.keys.New = func() any { return &matches{} }
	return p
}

func (p *scratchPool) get() *scratch {
	s := p.scratches.Get().(*scratch)
	clear(s.marks)
	return s
}

func (p *scratchPool) put(s *scratch) { p.scratches.Put(s) }

func (p *scratchPool) getScores() *scores {
	s := p.scores.Get().(*scores)
	clear(s.marks)
	return s
}

func (p *scratchPool) putScores(s *scores) { p.scores.Put(s) }

// union joins postings into one. Where several lead to a listing, their impacts
// combine like probabilities, 1-(1-a)(1-b), which never exceeds one.
func (p *scratchPool) union(lists []weighted) *postings {
	switch {
	case len(lists) == 0:
		return &postings{terms: &Terms{}}
	case len(lists) == 1 && lists[0].factor == 1:
		return lists[0].postings
	}
	s := p.get()
	defer p.put(s)
	for _, l := range lists {
		for i, doc := range l.docs {
			impact := float64(l.impacts[i]>>1) * l.factor
			named := l.impacts[i] & namedBit
			if !s.mark(doc) {
				before := float64(s.impacts[doc] >> 1)
				impact += before - impact*before/impactUnit
				named |= s.impacts[doc] & namedBit
			}
			s.impacts[doc] = uint16(min(impact, impactUnit-1))<<1 | named
		}
	}
	n := s.count() // no more, since it may be kept
	out := &postings{docs: make([]uint32, 0, n), impacts: make([]uint16, 0, n), terms: anyOf(lists)}
	s.each(func(doc uint32) { out.add(doc, s.impacts[doc]) })
	return out
}

// both returns the listings that two postings have in common, each with the
// lesser of its impacts.
func both(a, b *postings) *postings {
	if len(b.docs) < len(a.docs) {
		a, b = b, a
	}
	out := &postings{terms: &Terms{All: []*Terms{a.terms, b.terms}}}
	at := 0
	for i, doc := range a.docs {
		if at = b.find(doc, at); at == len(b.docs) {
			break
		}
		if b.docs[at] == doc {
			named := a.impacts[i] & b.impacts[at] & namedBit
			out.add(doc, min(a.impacts[i]>>1, b.impacts[at]>>1)<<1|named)
		}
	}
	return out
}
