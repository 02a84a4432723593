package naming

import (
	"slices"

	"souk/build/index/text"
)

// A List is an index of names by word. It is safe for concurrent use as long as its memory is
// valid.
type List struct {
	Words text.Vocabulary
	// Ends are the ends of each word's uses in Uses. The uses of a word are sorted.
	Ends []uint32
	Uses []Use
	// By rank: the document with the name, the length of the name in bytes, and its number of
	// words, from 1 to 255.
	Documents, Lengths []uint32
	Counts             []uint8
}

// A Use is the As of a word, in the upper two bits, and the rank of the name. So the best uses
// of a word come first.
type Use uint32

const rankBits = 30

func use(as As, rank int) Use { return Use(as)<<rankBits | Use(rank) }

// As returns the role of the word in the name.
func (u Use) As() As { return min(As(u>>rankBits), Within) }

// Rank returns the rank of the name.
func (u Use) Rank() int { return int(u & (1<<rankBits - 1)) }

// Of returns the uses of the words in a range of indexes.
func (l *List) Of(from, to int) []Use {
	if from >= to {
		return nil
	}
	first, _ := text.Bounds(l.Ends, from)
	return l.Uses[first:l.Ends[to-1]]
}

// After returns the uses of one word without the leading ones that have the same role as the
// first.
func After(uses []Use) []Use {
	if uses[0].As() == Within {
		return nil
	}
	next, _ := slices.BinarySearch(uses, use(uses[0].As()+1, 0))
	return uses[next:]
}

// Sound reports whether the parts of a List are consistent. If not, it must not be used.
func (l *List) Sound() bool {
	words, uses, all := l.Words.Len(), len(l.Uses), len(l.Documents)
	return len(l.Ends) == words && slices.IsSorted(l.Ends) && (words == 0 && uses == 0 || words > 0 && int(l.Ends[words-1]) == uses) &&
		len(l.Lengths) == all && len(l.Counts) == all
}
