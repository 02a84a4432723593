// Package search finds products and services, and suggests how a text that is
// being typed goes on. It refuses to know how a release is made, who may see
// what, HTTP, and how terms are kept: it is given what to index, and whom to
// withhold.
//
// # Rooms
//
//	search/text     how text is read: folding, words, languages, typing errors
//	search/terms    which listings have a term; alone knows bluge
//	search          what a query means: matching, scoring, counting, suggesting
//	web/searchapi   parameters, JSON, ETags, over HTTP
//
// # From a release to an answer
//
//	Extract   the catalog's owner copies what search needs: a Corpus
//	Open      Corpus + the Index before -> Index, read-only, beside the old one
//	Live      the Index that is served, replaced as a whole
//	Search    Query -> Result
//
// # Glossary
//
//	analyser      finds the words of a listing and their weights
//	tier          how strictly a listing matches; stricter tiers come first
//	postings      the listings of a word, each with its impact on the score
//	impact        how much a word says of a listing, as BM25 has it
//	exact match   the seller or category that the whole query names
//	visibility    the sellers that one Index must not show now
//	column        what listings are filtered and counted by
//	tally         what the listings of a query come to: total, counts, best
//
// # Scores
//
// The words of a listing are one field. The weight of a word is the sum of the
// weights of the places where it occurs (name, keywords, summary, …), as BM25F
// has it; see analysis.go. Bluge's own searchers and aggregations are not used:
// the former add up the scores of fields, which lets a word in a title drown
// the rest of a question, and the latter trim to a size and take many times as
// long as the query. Instead the number of a listing leads to plain columns in
// memory; decoded postings that are often asked for stay in memory up to a
// bound.
//
// # The set that a query means
//
// The tiers of match.go define which listings a text finds. Whether a tier is
// opened depends on the text alone (and on who is withheld), never on filters,
// limit or offset. So the set is the same on every page, a filter can only take
// away from it, and the count of a filter's value is the total after choosing
// it. The endpoint's description says the same to users of the API.
//
// A text of nothing but spaces means everything, by name. One of nothing but
// punctuation or symbols means nothing: whoever typed it looks for something
// that no listing has.
//
// # Bounds
//
// A query has at most 200 characters, so at most 100 words, each of which is
// looked up a fixed number of times. Expansions are not cut off, since a cut
// would make totals wrong: they are bounded by the words of the index, and the
// context ends a query that takes too long. It is then an error, never a part
// of an answer.
package search
