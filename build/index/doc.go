// Package index writes and reads the data that search needs of a release, in immutable parts:
// its documents, each with everything that is searched, shown or counted, and the words of
// listings. It does not know queries, matching, scoring, HTTP or removals; the caller says
// whose parts must be deleted.
//
// # Packages
//
//	index/text    how text is read: folding, words, languages, typing errors
//	index/terms   which documents have a term; imports the stemmers and stop words of bluge
//	index/naming  names by the beginnings of their words, for suggestions
//	index         the catalog -> parts, and the parts of a release
//
// # Glossary
//
//	document  the data that search has of a current Seller, Product, Service, Category,
//	          Article or Market Map
//	record    an encoded document
//	Digest    identifies a document: a digest of its record and of all other sources of
//	          its words
//	Part      some documents, their terms and the names of their listings, in one file that
//	          never changes and is named by its digest
//	Value     a value by which listings are counted, in their spelling; a Part stores each
//	          once, under a number of its own
//	own words the words that a listing says about itself: in its name, keywords, attributes,
//	          those in all of its variants, summary and description, except those that it
//	          says are absent
//	living    a document that is in the release exactly as it is in the Part
//	head      the file that lists the Parts of a release and their documents that are not living
//	Set       the open Parts of one release
//
// # Changes
//
// A Part keeps serving the documents that did not change, whatever release it was made for.
// Only changed documents are written, to new Parts. Parts that are half obsolete, or hardly
// larger than the new ones, are merged into these, as in a log-structured merge tree, so that
// there are never many Parts. A seller's documents are stored together, so that a removed
// seller is in few Parts. These are deleted at once, before anything else, and their remaining
// documents are written again.
//
// # Files
//
//	head           see Head; replaced in one step
//	{32 hex}.part  a Part
//	*.new          an unfinished file; those left by a killed process are deleted when
//	               the next write ends
//
// The files are private: keywords are in no document. They can be deleted at any time: missing
// parts are rebuilt from the content.
package index
