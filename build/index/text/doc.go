// Package text defines how search reads text: which spellings are equal, where words begin and
// end, which forms of a word belong together, which words of a vocabulary another may be a
// misspelling of, and which letters of a name were typed. It consists of pure functions of
// text and does not know listings, indexes or files, so that queries, listings and other texts
// (such as those of a trace) are read alike.
//
//	Compact     folded (package fold), keeping only letters and digits
//	Tokens      the words of a text
//	Offsets     their positions in the text as it was typed
//	Language    stems, stop words and asking words
//	Vocabulary  sorted words: prefixes and typing errors
//	Highlight   the parts of a name that were typed
package text
