package terms

import (
	"encoding/binary"
	"fmt"

	"souk/build/index/text"
)

// A Field is one of the sets of terms of a document.
type Field int

// The Fields.
const (
	Words Field = iota
	Exact
	Fields // the number of Fields
)

// A Segment is an immutable index of some documents. It is safe for concurrent use as long as
// its memory is valid.
type Segment struct {
	// Lengths are the lengths of the Entries.
	Lengths []uint32
	Lists   [Fields]Lists
}

// Lists are the terms of one Field with their postings. For each term: the number of postings,
// and for each posting the distance to the previous document and, for Words, twice the weight,
// plus one if the word is in the name; all as varints.
type Lists struct {
	Terms text.Vocabulary
	// Ends are the ends of each term's postings in Postings.
	Ends     []uint32
	Postings []byte
}

// A Posting is one document of a term.
type Posting struct {
	Document uint32
	// Weight, InName and Own are those of the Word.
	Weight      int
	InName, Own bool
	// Length is the length of the Entry.
	Length int
}

// of returns the postings of the term at an index.
func (l *Lists) of(at int) []byte {
	from, to := text.Bounds(l.Ends, at)
	return l.Postings[from:to]
}

// Each calls yield with every document of a term, in order.
func (s *Segment) Each(field Field, term string, yield func(Posting)) error {
	at, found := s.Lists[field].Terms.Find(term)
	if !found {
		return nil
	}
	if !s.each(field, at, yield) {
		return damaged(term)
	}
	return nil
}

// each calls yield with the postings of the term at an index, and reports whether they are
// well-formed.
func (s *Segment) each(field Field, at int, yield func(Posting)) bool {
	list := s.Lists[field].of(at)
	count, list := number(list)
	document := ^uint64(0)
	for ; count > 0; count-- {
		if len(list) == 0 {
			return false
		}
		var step, frequency uint64
		step, list = number(list)
		if document += step + 1; document >= uint64(len(s.Lengths)) {
			return false
		}
		if field == Words {
			frequency, list = number(list)
		}
		yield(Posting{uint32(document), int(frequency >> 2), frequency&inName != 0, frequency&own != 0, int(s.Lengths[document])})
	}
	return len(list) == 0
}

// number reads a varint, or returns 0 if there is none.
func number(data []byte) (uint64, []byte) {
	if len(data) > 0 && data[0] < 0x80 {
		return uint64(data[0]), data[1:]
	}
	n, length := binary.Uvarint(data)
	if length <= 0 {
		return 0, nil
	}
	return n, data[length:]
}

func damaged(term string) error { return fmt.Errorf("the postings of %q are corrupt", term) }

// Count returns the number of a term's documents that count; nil counts all, which takes no
// time.
func (s *Segment) Count(field Field, term string, counts func(document uint32) bool) (n int, err error) {
	at, found := s.Lists[field].Terms.Find(term)
	if !found {
		return 0, nil
	}
	if counts == nil {
		all, _ := number(s.Lists[field].of(at))
		return int(min(all, uint64(len(s.Lengths)))), nil
	}
	whole := s.each(field, at, func(p Posting) {
		if counts(p.Document) {
			n++
		}
	})
	if !whole {
		return 0, damaged(term)
	}
	return n, nil
}
