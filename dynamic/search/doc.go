// Package search finds products and services, and suggests completions of a
// text that is being typed. It wires the packages below it into an Index, and decides what a
// text means beyond its words. It refuses to know how a release is made, why a
// seller is withheld, and HTTP: it is given what to index, and whom to withhold.
//
// # Packages
//
// Each imports only packages above it in this list.
//
//	index/text      how text is read: folding, words, languages, typing errors
//	index/terms     which listings have a term
//	index/naming    names by how their words begin
//	search/hit      the listings that were found, as integers that sort
//	search/fault    what is wrong with a request
//	search/corpus   the listings of a release, numbered; who is withheld
//	search/facet    filtering, counting and sorting
//	search/question what a text means beyond its words
//	search/match    the listings that a text asks for
//	search/suggest  completions of names
//	search/engine   joining postings, in this process
//	search/cluster  joining postings elsewhere
//	search          an Index of all of them
//	web/searchapi   parameters, JSON, ETags, over HTTP
//
// # From a release to an answer
//
//	Extract   the catalog's owner copies what search needs: a Corpus
//	Open      Corpus + previous Index -> Index, read-only, beside the old one
//	Live      the Index that is served, replaced as a whole
//	Search    Query -> Result
//
// # Glossary
//
//	analyser      finds the words of a listing and their weights
//	question      a text of many words, of which a listing need not have all
//	asking words  those that say nothing of what is asked for: "I need"
//	meaning       what a word or phrase stands for: synonyms, a category
//	learnt word   one that the best answers to a question share
//	understanding what a query was taken to mean, to be told
//	tier          how strictly a listing matches; stricter tiers come first
//	postings      the listings of a word, each with its impact on the score
//	impact        how much a word says about a listing, as in BM25
//	exact match   the seller or category that the whole query names
//	reading       what a text means beyond its words: filters, preferences, denials; see package question
//	denial        what a text says is not wanted; see exclude.go
//	visibility    which sellers are withheld now, as one Index sees it
//	option        a category or seller that can be suggested; those are in memory, listings
//	              are suggested from the names that the parts have
//	column        what listings are filtered and counted by
//	ordinal       the number of a value in one part; ids are those of the whole index
//	tally         the result of counting a query's matches: total, counts, best
//
// # Scores
//
// The words of a listing are one field. The weight of a word is the sum of the
// weights of the places where it occurs (name, keywords, summary, …), as in
// BM25F; see analysis.go. Bluge's own searchers and aggregations are not used:
// the former add up the scores of fields, which lets a word in a title drown
// the rest of a question, and the latter truncate to a size and take many times
// as long as the query. Instead the number of a listing is its place in plain
// columns in memory; decoded postings that are often asked for stay in memory
// up to a limit.
//
// A question is also ordered by the words that its best answers share, so that an
// answer in the words of the trade comes up; see learn.go. They are found when the
// question is asked and kept nowhere: an index made beforehand would know what is
// withheld since. They order what the question found and never add to it.
//
// # The set that a query means
//
// The tiers of match.go define which listings a text finds. Whether a tier is
// opened depends on the text alone (and on who is withheld), never on filters,
// limit or offset. So the set is the same on every page, a filter can only
// narrow it, and the count of a filter's value is the total after choosing it.
// The endpoint's description says the same to users of the API.
//
// Asking words need not be held, as stop words need not; which they are, and that
// they are not where nothing else is asked or the text is a name, package text says
// for each language. A synonym counts as the words that it stands for. The names of
// a listing's categories and of their ancestors are words of the listing, so that
// whoever asks for a category asks for its listings.
//
// What a text means beyond its words is taken out before it is matched; see package question. It
// holds only if it leaves something of what the rest of the text finds; else the text is only
// words. Denials always hold: a text never asks for what it denies. If a denial excludes all
// listings that have every word, those that have some are found. That, too, is decided before any
// filter.
//
// A text of nothing but spaces means everything, by name. One of nothing but
// punctuation or symbols means nothing: it asks for something that no listing
// has.
//
// # Opening
//
// Parts tell what their listings are counted by in numbers of their own ("segment ordinals", as
// Lucene calls them), and have their listings in the order of lists. So opening compares the
// texts of each value once for each part that has it, merges the parts into one order, and reads
// of a listing numbers alone. It does so in shares, on all processors; what comes of them does
// not depend on how many there are.
//
// # Limits
//
// A long question over a large marketplace is asked without its most frequent
// words: what most listings hold says least about any and takes longest to read.
//
// A query has at most 200 characters, so at most 100 words, each of which is
// looked up a fixed number of times. Expansions are not cut off, since totals
// would then be wrong: the words of the index limit them, and the context ends
// a query that takes too long. That query returns an error, never a partial
// answer.
package search
