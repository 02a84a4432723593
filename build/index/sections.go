package index

import (
	"souk/build/catalog"
	"souk/build/index/terms"
)

// The sections of a Part, in order. Numbers are little-endian; each section begins at
// a multiple of eight bytes.
const (
	sectionDigests   = iota                                          // 16 bytes a document
	sectionEnds                                                      // where each record ends, 4 bytes a document
	sectionRecords                                                   //
	sectionTextEnds                                                  // where each description ends, 4 bytes a document
	sectionTexts                                                     //
	sectionCompanies                                                 // lines of a companySlug, a space, and the place of its seller or -1
	sectionLengths                                                   // of the terms.Segment, 4 bytes a document
	sectionLists                                                     // for each terms.Field four: see listSections
	sectionNames     = sectionLists + listSections*int(terms.Fields) // for each of namedKinds seven: see nameSections
	sectionKeys      = sectionNames + nameSections*namedKinds        // the first 16 bytes of what each document is sorted by
	sectionPublished = sectionKeys + 1                               // 12 bytes a document: seconds since 1970, nanoseconds
	sectionValueEnds = sectionKeys + 2                               // where each Value ends, 4 bytes a Value
	sectionValues    = sectionKeys + 3                               //
	sectionSaidEnds  = sectionKeys + 4                               // where the numbers of each document end, 4 bytes a document
	sectionSaid      = sectionKeys + 5                               // the numbers of Values, 4 bytes each
	sections         = sectionKeys + 6
)

// The sections of terms.Lists, of which each Field has its own.
const (
	listTermEnds    = iota // where each term ends, 4 bytes a term
	listTerms              // all terms, sorted
	listPostingEnds        // where the postings of each term end, 4 bytes a term
	listPostings
	listSections
)

// The sections of a naming.List, of which Products and Services have their own.
const (
	nameWordEnds  = iota // where each word ends, 4 bytes a word
	nameWords            // all words, sorted
	nameUseEnds          // where the uses of each word end, 4 bytes a word
	nameUses             // 4 bytes each
	nameDocuments        // 4 bytes a name, as are nameLengths
	nameLengths
	nameCounts // 1 byte a name
	nameSections

	namedKinds = 2
)

// namedKind returns the place of a kind among those whose names are suggested.
func namedKind(kind catalog.Kind) (at int, is bool) {
	switch kind {
	case catalog.KindProduct:
		return 0, true
	case catalog.KindService:
		return 1, true
	}
	return 0, false
}

// A Part begins with a mark, and where each section begins and how long it is, each in
// eight bytes.
const (
	partMagic   = "souk part 5\n\x00\x00\x00\x00"
	partHeader  = len(partMagic) + 16*sections
	sectionStep = 8
)
