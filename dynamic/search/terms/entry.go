package terms

// A Digest identifies a listing. Two listings have the same one only if the
// same is indexed of them.
type Digest [16]byte

// An Entry is what is indexed of one listing.
type Entry struct {
	// Words are all words of the listing, each once.
	Words []Word
	// Length is the number of words, counting repetitions; at least 1.
	Length int
	// Exact are terms that match only as a whole.
	Exact []string
}

// A Word is a word of a listing with the sum of the weights of the places where
// it occurs.
type Word struct {
	Text   string
	Weight uint32
	// InName: it occurs in the name of the listing.
	InName bool
}

// A Source is what an Index is made from.
type Source struct {
	// Digests are those of all listings; a listing's number is the place of its
	// digest. They are all different.
	Digests []Digest
	// Analyser returns a function that analyses a listing by its number. Each
	// goroutine needs its own.
	Analyser func() func(listing int32) Entry
}
