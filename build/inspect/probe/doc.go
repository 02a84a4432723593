// Package probe requests everything in a release, and everything that was ever removed from
// it, from a host, and reports the answers that do not keep the API's promises. It holds a
// static host, a CDN and the project's own server to the same standard, from outside.
//
// It knows the release as a folder of files, and the promises as stated by package
// document. It does not know which server answers, how it is configured, or what any
// document says.
//
// # What is promised
//
// File promise.go defines it once for each kind of address: an existing file, a stub, a
// missing file, and a trailing slash.
//
// # What is requested
//
// Each address of a document, page, feed, picture or asset is requested by GET and HEAD,
// with and without a trailing slash, uncompressed, as gzip and as brotli, always with an
// Origin; then once more with the received ETag. Each removed address is requested in the
// same ways, with a condition and a Range that would make a careless server shorten the
// answer, and by POST. Then follow some missing addresses, some invalid spellings (encoded,
// doubled, relative, in capitals, the names of files and stubs), the pages that a program fills, and
// methods other than GET and HEAD. For existing, removed and missing documents, it also
// checks what a browser may send (CORS).
package probe
