package index

import (
	"souk/build/catalog"
	"souk/build/index/terms"
)

// The sections of a Part, in order. Numbers are little-endian; each section begins at a
// multiple of eight bytes.
const (
	sectionDigests   = iota                                          // 16 bytes a document
	sectionEnds                                                      // the end of each record, 4 bytes a document
	sectionRecords                                                   //
	sectionTextEnds                                                  // the end of each description, 4 bytes a document
	sectionTexts                                                     //
	sectionCompanies                                                 // lines of a companySlug, a space, and the index of its seller or -1
	sectionLengths                                                   // lengths in the terms.Segment, 4 bytes a document
	sectionLists                                                     // four for each terms.Field: see listSections
	sectionNames     = sectionLists + listSections*int(terms.Fields) // seven for each of namedKinds: see nameSections
	sectionKeys      = sectionNames + nameSections*namedKinds        // the first 16 bytes of each document's sort key
	sectionPublished = sectionKeys + 1                               // 12 bytes a document: seconds since 1970, nanoseconds
	sectionValueEnds = sectionKeys + 2                               // the end of each Value, 4 bytes a Value
	sectionValues    = sectionKeys + 3                               //
	sectionSaidEnds  = sectionKeys + 4                               // the end of each document's numbers, 4 bytes a document
	sectionSaid      = sectionKeys + 5                               // the numbers of Values, 4 bytes each
	sections         = sectionKeys + 6
)

// The sections of terms.Lists, repeated for each Field.
const (
	listTermEnds    = iota // the end of each term, 4 bytes a term
	listTerms              // all terms, sorted
	listPostingEnds        // the end of each term's postings, 4 bytes a term
	listPostings
	listSections
)

// The sections of a naming.List, repeated for Products and Services.
const (
	nameWordEnds  = iota // the end of each word, 4 bytes a word
	nameWords            // all words, sorted
	nameUseEnds          // the end of each word's uses, 4 bytes a word
	nameUses             // 4 bytes each
	nameDocuments        // 4 bytes a name, like nameLengths
	nameLengths
	nameCounts // 1 byte a name
	nameSections

	namedKinds = 2
)

// namedKind returns the index of a kind among those whose names are suggested.
func namedKind(kind catalog.Kind) (at int, is bool) {
	switch kind {
	case catalog.KindProduct:
		return 0, true
	case catalog.KindService:
		return 1, true
	}
	return 0, false
}

// A Part begins with a magic text, followed by the start and length of each section, each in
// eight bytes.
const (
	partMagic   = "souk part 5\n\x00\x00\x00\x00"
	partHeader  = len(partMagic) + 16*sections
	sectionStep = 8
)
