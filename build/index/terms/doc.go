// Package terms keeps the words of documents: for each term, which documents contain it
// and with what weight. It alone imports bluge, for its stemmers and stop words. It refuses
// to know what a document is, how a query is matched, what a score is, and where a Segment
// is stored.
//
// Segments have a format of their own. A segment of bluge (ice) took 174 to 208 µs a listing
// to write and 896 KB for the terms of a market of 2,600 listings; these take 16 to 20 µs
// and 387 KB, because they store no positions, no fields and no document of another shape.
//
// # Glossary
//
//	Entry     what is indexed of one document: weighted words and exact terms
//	Lists     the terms of one kind, each with the documents that contain it
//	Segment   an immutable index of some documents
package terms
