package terms

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"souk/build/index/text"
)

// A Writer builds Segments, one at a time, reusing its memory, from one Entry at a time.
type Writer struct {
	lengths []uint32
	fields  [Fields]gathered
}

// Begin begins a Segment of about the given number of documents. The memory of the previous
// one is reused.
func (w *Writer) Begin(documents int) {
	const words = 96 // in a typical listing
	w.lengths = slices.Grow(w.lengths[:0], documents)
	for field := range w.fields {
		g := &w.fields[field]
		g.at, g.terms, g.postings = map[string]int32{}, g.terms[:0], g.postings[:0]
	}
	w.fields[Words].postings = slices.Grow(w.fields[Words].postings, words*documents)
}

// A gathered is the data of one Field while writing.
type gathered struct {
	// at maps a term to its index in terms.
	at    map[string]int32
	terms []gatheredTerm
	// postings are the postings of all terms, in order of arrival.
	postings []gatheredPosting
}

type gatheredTerm struct {
	text        string
	count       uint32
	first, last int32
}

type gatheredPosting struct {
	document, frequency uint32
	// next is the index of the term's next posting; it is unset for the last one.
	next int32
}

// add adds a posting. Documents are added in order.
func (g *gathered) add(term string, document, frequency uint32) {
	at, known := g.at[term]
	place := int32(len(g.postings))
	g.postings = append(g.postings, gatheredPosting{document, frequency, 0})
	if known {
		t := &g.terms[at]
		t.count++
		g.postings[t.last].next, t.last = place, place
		return
	}
	term = strings.Clone(term) // it may share the memory of a long text
	g.at[term] = int32(len(g.terms))
	g.terms = append(g.terms, gatheredTerm{term, 1, place, place})
}

// lists returns the collected data as Lists.
func (g *gathered) lists(field Field) (l Lists) {
	slices.SortFunc(g.terms, func(a, b gatheredTerm) int { return strings.Compare(a.text, b.text) })
	l.Terms = text.NewVocabulary(func(yield func(string) bool) {
		for i := range g.terms {
			if !yield(g.terms[i].text) {
				return
			}
		}
	})
	l.Ends = make([]uint32, 0, len(g.terms))
	l.Postings = make([]byte, 0, 3*len(g.postings))
	for i := range g.terms {
		t := &g.terms[i]
		l.Postings = binary.AppendUvarint(l.Postings, uint64(t.count))
		at, before := t.first, int64(-1)
		for range t.count {
			p := &g.postings[at]
			l.Postings = binary.AppendUvarint(l.Postings, uint64(int64(p.document)-before-1))
			if field == Words {
				l.Postings = binary.AppendUvarint(l.Postings, uint64(p.frequency))
			}
			at, before = p.next, int64(p.document)
		}
		l.Ends = append(l.Ends, uint32(len(l.Postings)))
	}
	return l
}

// The lowest bits of an encoded weight of a posting in Words.
const inName, own = 1, 2

// frequency encodes the weight and flags of a Word.
func frequency(w Word) uint32 {
	f := min(w.Weight, 1<<20) << 2
	if w.InName {
		f |= inName
	}
	if w.Own {
		f |= own
	}
	return f
}

// Add adds a document. Its number is the number of documents added before.
func (w *Writer) Add(e Entry) {
	document := uint32(len(w.lengths))
	w.lengths = append(w.lengths, uint32(e.Length))
	for _, word := range e.Words {
		w.fields[Words].add(word.Text, document, frequency(word))
	}
	for _, term := range e.Exact {
		w.fields[Exact].add(term, document, 0)
	}
}

// Segment returns the Segment of the added documents, valid until Begin is called again.
func (w *Writer) Segment() *Segment {
	s := &Segment{Lengths: w.lengths}
	for field := range Fields {
		s.Lists[field] = w.fields[field].lists(field)
	}
	return s
}

// Without returns a Segment without some of its documents, which must be sorted. The remaining
// ones keep their order. It fails if ctx ends or the Segment is corrupt.
func (s *Segment) Without(ctx context.Context, drops []uint32) (*Segment, error) {
	var w Writer
	w.Begin(len(s.Lengths))
	numbers := make([]int64, len(s.Lengths))
	for document, length := range s.Lengths {
		if _, dropped := slices.BinarySearch(drops, uint32(document)); dropped {
			numbers[document] = -1
			continue
		}
		numbers[document] = int64(len(w.lengths))
		w.lengths = append(w.lengths, length)
	}
	for field := range Fields {
		terms := s.Lists[field].Terms
		for at := range terms.Len() {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			term := terms.At(at)
			whole := s.each(field, at, func(p Posting) {
				if n := numbers[p.Document]; n >= 0 {
					w.fields[field].add(term, uint32(n), frequency(Word{Weight: uint32(p.Weight), InName: p.InName, Own: p.Own}))
				}
			})
			if !whole {
				return nil, damaged(term)
			}
		}
	}
	return w.Segment(), nil
}
