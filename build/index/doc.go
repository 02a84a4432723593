// Package index makes what search reads of a release: its documents, each with all
// that is searched, shown or counted of it, and the words of listings, in immutable
// parts. It refuses to know what a query is, how anything is found or scored, HTTP,
// and who is removed: it is told whose parts must go.
//
// # Packages
//
//	index/text    how text is read: folding, words, languages, typing errors
//	index/terms   which documents have a term; imports the stemmers and stop words of bluge
//	index/naming  names by how their words begin, for suggestions
//	index         the catalog -> parts, and the parts of a release
//
// # Glossary
//
//	document  what search knows of a Seller, a Product, a Service, a Category, an
//	          Article or a Market Map that is current
//	record    a document in bytes
//	Digest    identifies a document: a digest of its record and of all else that its
//	          words are of
//	Part      some documents, their terms and the names of their listings, in one file that
//	          never changes and is named by its digest
//	Value     what listings are counted by, as they spell it; a Part has each once, and numbers
//	          of its own for them
//	own words the words that a listing says of itself: in its name, keywords, attributes, those that
//	          all of its variants have, summary and description, and not where it says that
//	          they are absent
//	living    a document that the release has as it is in the Part
//	head      the file that names the Parts of a release and what in them is not living
//	Set       the Parts of one release, open
//
// # Changes
//
// A Part keeps serving the documents that did not change, whatever release it was
// made for; only the others are written, to further Parts. Parts that are half
// obsolete, or hardly larger than what is written anyway, are merged into these, as
// in a log-structured merge tree, so that there are never many. A seller's documents
// lie together, so that a seller who is removed is in few Parts: these are deleted at
// once, before anything else, and what remains of them is written anew.
//
// # Files
//
//	head           see Head; replaced in one step
//	{32 hex}.part  a Part
//	*.new          one that is being written, or was when a process was killed: what is
//	               there when a write begins is gone when it ends
//
// Nothing in it is for the public: keywords are in no document. Nothing in it is
// needed to keep anything either: what is missing is made of the content.
package index
