// Package search finds products and services, and suggests completions of a text that is being
// typed. It combines the packages below it into an Index, and interprets a text beyond its
// words. It does not know how a release is made, why a seller is withheld, or HTTP; the caller
// says what to index and which sellers to withhold.
//
// # Packages
//
// Each imports only packages above it in this list.
//
//	index/text      how text is read: folding, words, languages, typing errors
//	index/terms     which listings have a term
//	index/naming    names by the beginnings of their words
//	search/hit      found listings, as integers that sort
//	search/fault    what is wrong with a request
//	search/corpus   the numbered listings of a release, and which sellers are withheld
//	search/facet    filtering, counting and sorting
//	search/question interpreting a text beyond its words
//	search/match    matching a text against listings
//	search/suggest  completions of names
//	search/engine   joining postings in this process
//	search/cluster  joining postings in a cluster
//	search          an Index of all of them
//	web/searchapi   parameters, JSON, ETags, over HTTP
//
// # From a release to a response
//
//	Extract   the catalog's owner copies the data that search needs: a Corpus
//	Open      Corpus + previous Index -> Index, read-only, beside the old one
//	Live      the Index that is served, replaced as a whole
//	Search    Query -> Result
//
// # Glossary
//
//	analyser      finds the words of a listing and their weights
//	question      a text of many words, not all of which a listing must have
//	asking words  words that only express a request: "I need"
//	meaning       what a word or phrase stands for: synonyms, a category
//	learnt word   a word that the best results of a question share
//	understanding how a query was interpreted, for the response
//	tier          how strictly a listing matches; stricter tiers come first
//	postings      the listings of a word, each with its impact on the score
//	impact        how much a word says about a listing, as in BM25
//	exact match   the seller or category that the whole query names
//	reading       the meaning of a text beyond its words: filters, preferences, denials; see
//	              package question
//	denial        what a text excludes; see exclude.go
//	visibility    which sellers are withheld now, for one Index
//	option        a category or seller that can be suggested; these are in memory, while listings
//	              are suggested from the names in the parts
//	column        a property by which listings are filtered and counted
//	ordinal       the number of a value in one part; ids are those of the whole index
//	tally         the result of counting a query's matches: total, counts, best
//
// # Scores
//
// The words of a listing are one field. The weight of a word is the sum of the weights of the
// places where it occurs (name, keywords, summary, …), as in BM25F; see analysis.go. Bluge's
// own searchers and aggregations are not used: the former add up the scores of fields, so that
// a word in a title drowns the rest of a question, and the latter truncate to a size and take
// many times as long as the query. Instead the number of a listing is its index in plain
// columns in memory; decoded postings that are needed often stay in memory up to a limit.
//
// The results of a question are also ordered by the words that the best of them share, so that
// an answer in the words of the trade comes up; see learn.go. These words are found for each
// question and not stored: a precomputed index would include sellers that have been withheld
// since. They order the results and never add to them.
//
// # The set that a query means
//
// The tiers of match.go define which listings match a text. Whether a tier is used depends
// only on the text (and on which sellers are withheld), never on filters, limit or offset. So
// the set is the same on every page, a filter can only narrow it, and the count of a filter's
// value is the total after choosing it. The endpoint's description says the same to users of
// the API.
//
// Asking words need not match, like stop words. Package text lists them for each language, and
// says when they count after all: if the text asks for nothing else, or is a name. A synonym
// counts as the words that it stands for. The names of a listing's categories and their
// ancestors are words of the listing, so that a query for a category finds its listings.
//
// The interpreted parts of a text are removed before it is matched; see package question. An
// interpretation applies only if it leaves some of the results of the remaining text;
// otherwise the text is only words. Denials always apply: a text never asks for what it
// denies. If a denial excludes all listings that have every word, listings with some of the
// words are found. This, too, is decided before any filter.
//
// A text of only spaces means everything, by name. A text of only punctuation or symbols means
// nothing: no listing has it.
//
// # Opening
//
// Parts store the values by which their listings are counted under numbers of their own
// ("segment ordinals" in Lucene), and their listings in the order of lists. So opening
// compares the text of each value once per part, merges the parts into one order, and reads
// only numbers for each listing. It works in shares, on all processors; the result does not
// depend on their number.
//
// # Limits
//
// In a large marketplace, a long question is evaluated without its most frequent words: a word
// in most listings says least about any and takes longest to read.
//
// A query has at most 200 characters, so at most 100 words, each of which is looked up a fixed
// number of times. Expansions are not cut off, because totals would then be wrong: the words
// of the index limit them, and the context ends a query that takes too long. Such a query
// returns an error, never a partial result.
package search
