// Package terms indexes the words of documents: for each term, which documents contain it and
// with what weight. It alone imports bluge, for its stemmers and stop words. It does not know
// what a document is, how a query is matched, what a score is, or where a Segment is stored.
//
// Segments have their own format. A bluge segment (ice) took 174 to 208 µs per listing to
// write and 896 KB for the terms of a market of 2,600 listings; these take 16 to 20 µs and 387
// KB, because they store no positions, no fields and no copy of the document.
//
// # Glossary
//
//	Entry     the indexed data of one document: weighted words and exact terms
//	Lists     the terms of one kind, each with the documents that contain it
//	Segment   an immutable index of some documents
package terms
