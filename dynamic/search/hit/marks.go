package hit

import "math/bits"

// Marks have a bit for each listing.
type Marks []uint64

func (m Marks) Mark(doc uint32) (first bool) {
	bit := uint64(1) << (doc & 63)
	first = m[doc>>6]&bit == 0
	m[doc>>6] |= bit
	return first
}

func (m Marks) Marked(doc uint32) bool { return m[doc>>6]&(1<<(doc&63)) != 0 }

// Count returns the number of marked listings.
func (m Marks) Count() (n int) {
	for _, word := range m {
		n += bits.OnesCount64(word)
	}
	return n
}

// Each calls yield for every marked listing, in order.
func (m Marks) Each(yield func(doc uint32)) {
	for i, word := range m {
		for word != 0 {
			yield(uint32(i<<6 | bits.TrailingZeros64(word)))
			word &= word - 1
		}
	}
}
