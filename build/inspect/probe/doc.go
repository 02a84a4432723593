// Package probe requests everything in a release, and everything that was ever
// removed from it, from a host, and reports which answers are not what the API
// promises. It holds a static host, a CDN and the project's own server to the same
// standard, from outside.
//
// It knows the release as a folder of files, and the promises as package document
// states them. It refuses to know which server answers, how it is configured, and
// what any document says.
//
// # What is promised
//
// File promise.go says it, once, for each kind of address: where a file of the
// release is, where a stub is, where nothing is, where a slash leads.
//
// # What is asked
//
// Each address of a document, page, feed, picture or asset by GET and HEAD, with and
// without a trailing slash, plain, as gzip and as brotli, always with an Origin; then
// once more with the ETag received. Each removed address in the same ways, with a
// condition and a Range that would make a careless server shorten the answer, and by
// POST. Then some addresses where there is nothing, some spellings that are not
// addresses (encoded, doubled, relative, in capitals, the names of files and stubs),
// the page of a search, and the methods that are not for reading. Where a document is,
// where one was and where none is, what a browser may send (CORS).
package probe
