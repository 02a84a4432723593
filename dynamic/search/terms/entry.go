package terms

// A Digest is what a listing is known by. Two listings have the same one only
// if the same is indexed of them.
type Digest [16]byte

// An Entry is what is indexed of one listing.
type Entry struct {
	// Words are all words of the listing, each once.
	Words []Word
	// Length is the number of words, each as often as it occurs; at least 1.
	Length int
	// Exact are terms that are only found as a whole.
	Exact []string
}

// A Word is a word of a listing with the sum of the weights of the places where
// it occurs.
type Word struct {
	Text   string
	Weight uint32
	// InName: it is in the name of the listing.
	InName bool
}

// A Source is what an Index is made of.
type Source struct {
	// Digests are those of all listings; the place of one is the number of its
	// listing. They are all different.
	Digests []Digest
	// Analyser returns a function that reads a listing by its number. Each
	// goroutine asks for one of its own.
	Analyser func() func(listing int32) Entry
}
