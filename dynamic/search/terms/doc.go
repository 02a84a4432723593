// Package terms keeps the words of listings: for each term, which listings have
// it and with what weight. It alone knows bluge, which it uses for
// dictionaries, postings, stemmers and the file format; it refuses to know what
// a listing is, how a query is matched and what a score is.
//
// # Glossary
//
//	Entry    what is indexed of one listing: weighted words and exact terms
//	Digest   identifies a listing: a digest of everything indexed of it
//	Segment  an immutable index of some listings, in a folder of its own
//	Index    the Segments that together hold every listing of a release
//	manifest the file that names the Segments of the Index with their checksums
//
// # Changes
//
// A Segment never changes. Since its Digest identifies a listing, a Segment
// keeps serving the listings that did not change, whatever release it was made
// for, and only the others are written, to another Segment. Segments that are
// half obsolete, or hardly larger than what is written anyway, are merged into
// it, as in a log-structured merge tree, so that there are never many.
//
// # Files
//
//	manifest.json   the release, and the Segments with the checksums of their files
//	segment-…/      a bluge index, and the Digests of its listings in "digests"
//	lock            held by the process that writes
//
// The words of a listing are one bluge field. The frequency of a posting is
// twice the word's weight, plus one if the word is in the name; the norm is the
// listing's length in words. The manifest is replaced in one step; folders that
// it does not name were left behind by a process that was killed.
package terms
