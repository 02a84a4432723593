package hit

import "math"

// A Tier says how strictly a listing matches. A stricter tier comes before a laxer one,
// whatever the scores.
type Tier uint32

const (
	// TierSKU: the whole query is its SKU, or that of a variant.
	TierSKU Tier = iota
	// TierName: the whole query is its name.
	TierName
	// TierAll: it has every word.
	TierAll
	// TierUnfinished: it has every word, but the last may be the beginning of a word, a word
	// may be split in two, and a word that no listing has may be a keyword of its seller.
	TierUnfinished
	// TierCorrected: it has every word, counting words that no listing has as misspelled.
	TierCorrected
	// TierMisspelt: it has every word, any of which may be misspelled.
	TierMisspelt
	// TierSome: it has some of the words; a greater share of their weight is better.
	TierSome
)

// Matches are the listings that match a query. Each is a 64-bit key: 3 bits of tier, 29 bits
// of score, the highest first, and 32 bits of the number by name. The smallest key is the
// best.
type Matches []uint64

const scoreBits = 29

func KeyOf(t Tier, score float32, doc uint32) uint64 {
	// The bits of positive floats sort like their values. The sign bit is zero and the two
	// lowest bits are noise.
	inverted := uint64(1)<<scoreBits - 1 - uint64(math.Float32bits(score)>>2)
	return uint64(t)<<(32+scoreBits) | inverted<<32 | uint64(doc)
}

func DocOf(key uint64) uint32 { return uint32(key) }

func TierOf(key uint64) Tier { return Tier(key >> (32 + scoreBits)) }

// ScoreOf returns the score of a key, without the noise bits.
func ScoreOf(key uint64) float32 {
	inverted := uint64(1)<<scoreBits - 1 - key>>32&(1<<scoreBits-1)
	return math.Float32frombits(uint32(inverted) << 2)
}
