package naming

import (
	"slices"

	"souk/build/index/text"
)

// A List is names by their words. It is safe for concurrent use as long as the memory is
// there that it is in.
type List struct {
	Words text.Vocabulary
	// Ends is where the uses of each word end in Uses; those of one are sorted.
	Ends []uint32
	Uses []Use
	// By rank: the document that has the name, how long it is, in bytes, and how many words
	// it has, from 1 to 255.
	Documents, Lengths []uint32
	Counts             []uint8
}

// A Use is the As of a word, in the upper two bits, and below it the rank of the name. So
// of one word the uses that are best come first.
type Use uint32

const rankBits = 30

func use(as As, rank int) Use { return Use(as)<<rankBits | Use(rank) }

// As returns what the word is to the name.
func (u Use) As() As { return min(As(u>>rankBits), Within) }

// Rank returns the place of the name among all.
func (u Use) Rank() int { return int(u & (1<<rankBits - 1)) }

// Of returns the uses of the words from one place up to another.
func (l *List) Of(from, to int) []Use {
	if from >= to {
		return nil
	}
	first, _ := text.Bounds(l.Ends, from)
	return l.Uses[first:l.Ends[to-1]]
}

// After returns the uses of one word without those at its beginning that are as the first.
func After(uses []Use) []Use {
	if uses[0].As() == Within {
		return nil
	}
	next, _ := slices.BinarySearch(uses, use(uses[0].As()+1, 0))
	return uses[next:]
}

// Sound reports whether the parts of a List belong together: else it must not be used.
func (l *List) Sound() bool {
	words, uses, all := l.Words.Len(), len(l.Uses), len(l.Documents)
	return len(l.Ends) == words && slices.IsSorted(l.Ends) && (words == 0 && uses == 0 || words > 0 && int(l.Ends[words-1]) == uses) &&
		len(l.Lengths) == all && len(l.Counts) == all
}
