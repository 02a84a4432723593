package terms

// An Entry is the indexed data of one document. The zero Entry is empty.
type Entry struct {
	// Words are the distinct words of the document.
	Words []Word
	// Length is the number of words, counting repetitions; at least 1.
	Length int
	// Exact are terms that match only as a whole.
	Exact []string
}

// A Word is a word of a document with the total weight of its occurrences.
type Word struct {
	Text   string
	Weight uint32
	// InName means that it occurs in the name of the document.
	InName bool
	// Own means that the document says it about itself, and not that it is absent.
	Own bool
}
