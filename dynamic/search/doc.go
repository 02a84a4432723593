// Package search finds products and services, and suggests how a text that is
// being typed goes on. It alone knows bluge. It refuses to know how a release
// is made, who may see what, and anything of mail, tokens or the ledger: it is
// given what to index, and whom to withhold.
//
// # From a release to an answer
//
//	Extract   the catalog's owner copies what search needs: a Corpus
//	Open      Corpus + the index before -> Index, read-only, beside the old one
//	Live      the Index that is served, swapped in whole; who is withheld
//	Handler   parameters -> Query -> Result as JSON, over HTTP
//
// An Index is made of parts, each a bluge index of some listings that is never
// changed. A listing is known by a digest of all that is indexed of it, so
// that a part goes on serving the listings that did not change, whatever
// release it was made for, and only the others are written, to a further part.
// Parts that are half dead, or hardly larger than what is written anyway, are
// written anew with it, so that there are never many.
//
// # What bluge does and what this package does
//
// Bluge holds the words: its dictionary, and the postings of each word. The
// words of a listing are one field. The frequency of a posting is no count but
// the sum of the weights of the places where the word stands (name, keywords,
// summary, …), as BM25F has it, with a bit that tells names; see weigh.go. What
// is above the postings is done here: expanding words, matching, scoring,
// counting. Bluge's searchers and aggregations are not used: the former add
// up the scores of fields, which lets a word in a title drown the rest of a
// question, and the latter trim to a size and take many times as long as the
// query. Numbers of documents key plain columns in memory instead; decoded
// postings that are often asked for stay in memory up to a bound.
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
