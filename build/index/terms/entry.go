package terms

// An Entry is what is indexed of one document; the zero Entry is nothing.
type Entry struct {
	// Words are all words of the document, each once.
	Words []Word
	// Length is the number of words, counting repetitions; at least 1.
	Length int
	// Exact are terms that match only as a whole.
	Exact []string
}

// A Word is a word of a document with the sum of the weights of the places where
// it occurs.
type Word struct {
	Text   string
	Weight uint32
	// InName: it occurs in the name of the document.
	InName bool
	// Own: the document says it of itself, and not that it is absent.
	Own bool
}
