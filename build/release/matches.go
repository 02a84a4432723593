package release

import (
	"encoding/binary"
	"math/bits"

	"github.com/andybalholm/brotli/matchfinder"
)

// matches finds what a text repeats of itself, as the brotli module's finder of level 3
// does. That one clears 1.3 MB of tables before each text, which
// takes longer than the rest of a small twin. Here, what the tables have of earlier
// texts lies before the present one, and is passed over.
type matches struct {
	text []byte
	// began is where the text begins, counted over all texts.
	began int32
	// long and short tell where the next eight bytes, and the next five, were seen
	// last.
	long  [1 << longBits]sight
	short [1 << shortBits]sight
	// distance is that of the last match.
	distance int
}

// A sight is a place, counted over all texts, and its first four bytes.
type sight struct {
	place int32
	bytes uint32
}

const (
	longBits  = 14
	shortBits = 13
	// leastMatch is the fewest bytes that a match has. Within the last lookahead
	// bytes none begins.
	leastMatch = 4
	lookahead  = 10
	// farthest is how far back a match of deflate may lie (RFC 1951, section 2). For
	// brotli it might lie farther: twins of more than 64 KB were 4 to 8 % smaller then.
	farthest = 1 << 15
	// mostBefore is how many bytes of earlier texts are counted on.
	mostBefore = 1 << 30
)

// Reset forgets the text.
func (m *matches) Reset() {
	// The first position of a text is 1, so that an empty sight lies before it too.
	m.began += int32(len(m.text)) + 1
	if m.began > mostBefore {
		m.began = 1
		clear(m.long[:])
		clear(m.short[:])
	}
	m.text, m.distance = m.text[:0], 0
}

// A match is text from start to end that is also distance bytes before.
type match struct{ start, end, distance int }

func (m match) size() int { return m.end - m.start }

// FindMatches appends the matches of the next block of the text.
func (m *matches) FindMatches(dst []matchfinder.Match, block []byte) []matchfinder.Match {
	done := len(m.text)
	m.text = append(m.text, block...)
	last := len(m.text) - lookahead
	emit := func(one match) {
		dst = append(dst, matchfinder.Match{Unmatched: one.start - done, Length: one.size(), Distance: one.distance})
		done, m.distance = one.end, one.distance
	}
	for at := done; at <= last; {
		one, found := m.find(at, done, true)
		if !found {
			at += 1 + (at-done)>>7 // nothing repeats here: look less closely
			continue
		}
		m.see(one.start+1, last)
		// A longer one may begin before this one's end.
		for one.end <= last {
			next, found := m.find(max(one.start+2, one.end-6), done, false)
			if !found || next.size() <= one.size() {
				break
			}
			if one.end = min(one.end, next.start); one.size() >= leastMatch {
				emit(one)
			}
			one = next
		}
		m.see(one.end-2, last)
		emit(one)
		at = done
	}
	if done < len(m.text) {
		dst = append(dst, matchfinder.Match{Unmatched: len(m.text) - done})
	}
	return dst
}

// find returns a match near a position, and sees the position: the last distance
// once more, if again is set, or the place of the next eight bytes, or of the next
// five. The match begins no earlier than from.
func (m *matches) find(at, from int, again bool) (one match, found bool) {
	word := binary.LittleEndian.Uint64(m.text[at:])
	here := sight{m.began + int32(at), uint32(word)}
	atLong, atShort := &m.long[longHash(word)], &m.short[shortHash(word)]
	long, short := *atLong, *atShort
	*atLong, *atShort = here, here
	if before := at + 1 - m.distance; again && m.distance > 0 && binary.LittleEndian.Uint32(m.text[before:]) == uint32(word>>8) {
		return m.extend(at+1, before, from), true
	}
	if before, ok := m.there(long, at, uint32(word)); ok {
		return m.extend(at, before, from), true
	}
	before, ok := m.there(short, at, uint32(word))
	if !ok {
		return match{}, false
	}
	word = binary.LittleEndian.Uint64(m.text[at+1:])
	atLong = &m.long[longHash(word)]
	long, *atLong = *atLong, sight{here.place + 1, uint32(word)}
	if before, ok := m.there(long, at+1, uint32(word)); ok {
		return m.extend(at+1, before, from), true
	}
	return m.extend(at, before, from), true
}

// there reports whether a sight is of the present text and has the bytes of a
// position behind it.
func (m *matches) there(s sight, at int, bytes uint32) (before int, ok bool) {
	before = int(s.place - m.began)
	return before, s.bytes == bytes && before >= 0 && before < at && at-before <= farthest && binary.LittleEndian.Uint32(m.text[before:]) == bytes
}

// see notes a position.
func (m *matches) see(at, last int) {
	if at >= last {
		return
	}
	word := binary.LittleEndian.Uint64(m.text[at:])
	m.long[longHash(word)] = sight{m.began + int32(at), uint32(word)}
	word >>= 8
	m.short[shortHash(word)] = sight{m.began + int32(at) + 1, uint32(word)}
}

// extend makes a match of leastMatch bytes as long as it is.
func (m *matches) extend(at, before, from int) match {
	distance, end := at-before, same(m.text, before+leastMatch, at+leastMatch)
	for at > from && at > distance && m.text[at-1] == m.text[at-1-distance] {
		at--
	}
	return match{at, end, distance}
}

// same returns where a text ceases to be the same from end on as it is from before on.
func same(text []byte, before, end int) int {
	for end+8 <= len(text) {
		if differ := binary.LittleEndian.Uint64(text[end:]) ^ binary.LittleEndian.Uint64(text[before:]); differ != 0 {
			return end + bits.TrailingZeros64(differ)/8
		}
		before, end = before+8, end+8
	}
	for end < len(text) && text[end] == text[before] {
		before, end = before+1, end+1
	}
	return end
}

func longHash(word uint64) uint64 { return word * 0xcf1bbcdcb7a56463 >> (64 - longBits) }

func shortHash(word uint64) uint64 { return word << 24 * 889523592379 >> (64 - shortBits) }
