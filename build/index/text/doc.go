// Package text is how search reads text: which spellings are equal, where words
// begin and end, which forms of a word belong together, which words of a
// dictionary another may be a misspelling of, and which letters of a name were
// typed. All of it is pure functions of text; it refuses to know listings,
// indexes and files, so that queries, listings and whatever else is compared
// with them (a trace of a removed seller) are read alike.
//
//	Compact     folded (package fold), keeping only letters and digits
//	Tokens      the words of a text
//	Offsets     where in the text as it was typed they are
//	Language    stems, stop words and words that only ask
//	Vocabulary  sorted words: prefixes and typing errors
//	Highlight   the parts of a name that were typed
package text
