package match

import (
	"slices"
	"sync"

	"souk/build/index/terms"
	"souk/dynamic/search/hit"
)

// Postings are the listings of a word, in order, each with the impact of the word.
type Postings struct {
	Docs []uint32
	// Impacts are saturated term frequencies in units of 1/2^15, shifted left by one. The
	// lowest bit is set if the word is in the name.
	Impacts []uint16
	// Words are the corrections of a misspelled word, or none.
	Words []string
	// Terms describe the listings for an engine without postings.
	Terms *Terms
}

const (
	ImpactUnit = 1 << 15
	NamedBit   = 1
)

// The constants of BM25 (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009).
// The average length is fixed, so that the score of a listing does not depend on other
// listings.
const (
	saturation    = 1.5   // k1, in mentions of the description
	lengthShare   = 0.75  // b
	averageLength = 100.0 // words
)

// impactOf returns the term frequency component of BM25 as an impact.
func impactOf(p terms.Posting) uint16 {
	impact := uint16(ImpactShare(float64(p.Weight), p.Length)*(ImpactUnit-1)) << 1
	if p.InName {
		impact |= NamedBit
	}
	return impact
}

// ImpactShare returns the same for a weight in a listing of so many words, from 0 to 1.
func ImpactShare(weight float64, length int) float64 {
	if length < len(norms) {
		return weight / (weight + norms[length])
	}
	return weight / (weight + normOf(length))
}

// normOf returns the length normalisation of a listing.
func normOf(length int) float64 {
	return saturation * (1 - lengthShare + lengthShare*float64(length)/averageLength)
}

// norms are precomputed for common lengths.
var norms = func() (list [4096]float64) {
	for length := range list {
		list[length] = normOf(length)
	}
	return list
}()

func (p *Postings) add(doc uint32, impact uint16) {
	p.Docs = append(p.Docs, doc)
	p.Impacts = append(p.Impacts, impact)
}

func (p *Postings) bytes() int { return 6*cap(p.Docs) + 64 }

// Find returns the index of a listing at or after from, or of the next one, by doubling steps:
// queries search in ascending order.
func (p *Postings) Find(doc uint32, from int) int {
	if from >= len(p.Docs) || p.Docs[from] >= doc {
		return from
	}
	step := 1
	for from+step < len(p.Docs) && p.Docs[from+step] < doc {
		from += step
		step *= 2
	}
	end := min(from+step, len(p.Docs))
	at, _ := slices.BinarySearch(p.Docs[from:end], doc)
	return from + at
}

// A weighted is postings that count less than those of the word itself.
type weighted struct {
	*Postings
	factor float64
}

// Scratch is memory for each listing that queries borrow; many queries need only this. scores
// is more of it.
type Scratch struct {
	hit.Marks
	impacts []uint16
}

type Scores struct {
	hit.Marks
	Scores, Named, Held []float32
	Counts, InName      []uint8
}

// A scratchPool lends memory for the given number of listings.
type scratchPool struct {
	scratches, scores sync.Pool
	// Keys lends room for the results of a query, which may be all listings.
	Keys sync.Pool
}

func newScratchPool(listings int) *scratchPool {
	unmarked := func() hit.Marks { return make(hit.Marks, (listings+63)/64) }
	p := &scratchPool{}
	p.scratches.New = func() any { return &Scratch{unmarked(), make([]uint16, listings)} }
	p.scores.New = func() any {
		return &Scores{
			Marks: unmarked(), Scores: make([]float32, listings), Named: make([]float32, listings), Held: make([]float32, listings),
			Counts: make([]uint8, listings), InName: make([]uint8, listings),
		}
	}
	p.Keys.New = func() any { return &hit.Matches{} }
	return p
}

func (p *scratchPool) Get() *Scratch {
	s := p.scratches.Get().(*Scratch)
	clear(s.Marks)
	return s
}

func (p *scratchPool) Put(s *Scratch) { p.scratches.Put(s) }

func (p *scratchPool) GetScores() *Scores {
	s := p.scores.Get().(*Scores)
	clear(s.Marks)
	return s
}

func (p *scratchPool) PutScores(s *Scores) { p.scores.Put(s) }

// union joins postings. If several contain a listing, their impacts combine like
// probabilities, 1-(1-a)(1-b), which never exceeds one.
func (p *scratchPool) union(lists []weighted) *Postings {
	switch {
	case len(lists) == 0:
		return &Postings{Terms: &Terms{}}
	case len(lists) == 1 && lists[0].factor == 1:
		return lists[0].Postings
	}
	s := p.Get()
	defer p.Put(s)
	for _, l := range lists {
		for i, doc := range l.Docs {
			impact := float64(l.Impacts[i]>>1) * l.factor
			named := l.Impacts[i] & NamedBit
			if !s.Mark(doc) {
				before := float64(s.impacts[doc] >> 1)
				impact += before - impact*before/ImpactUnit
				named |= s.impacts[doc] & NamedBit
			}
			s.impacts[doc] = uint16(min(impact, ImpactUnit-1))<<1 | named
		}
	}
	n := s.Count() // exactly as large, since it may be cached
	out := &Postings{Docs: make([]uint32, 0, n), Impacts: make([]uint16, 0, n), Terms: anyOf(lists)}
	s.Each(func(doc uint32) { out.add(doc, s.impacts[doc]) })
	return out
}

// both returns the listings that two postings have in common, each with the lower impact.
func both(a, b *Postings) *Postings {
	if len(b.Docs) < len(a.Docs) {
		a, b = b, a
	}
	out := &Postings{Terms: &Terms{All: []*Terms{a.Terms, b.Terms}}}
	at := 0
	for i, doc := range a.Docs {
		if at = b.Find(doc, at); at == len(b.Docs) {
			break
		}
		if b.Docs[at] == doc {
			named := a.Impacts[i] & b.Impacts[at] & NamedBit
			out.add(doc, min(a.Impacts[i]>>1, b.Impacts[at]>>1)<<1|named)
		}
	}
	return out
}
