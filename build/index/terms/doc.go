// Package terms keeps the words of documents: for each term, which documents have
// it and with what weight. It alone knows bluge, whose stemmers and stop words it uses;
// it refuses to know what a document is, how a query is matched, what a score is, and
// where a Segment is kept.
//
// Segments of bluge (ice) cost 190 µs a listing to write, these 20: those are made for
// positions, stored fields and documents of any shape, of which nothing is needed here.
//
// # Glossary
//
//	Entry     what is indexed of one document: weighted words and exact terms
//	Lists     the terms of one kind, each with the documents that have it
//	Segment   an immutable index of some documents
package terms
