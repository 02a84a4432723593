// Package probe asks a host for everything that a release holds, and for
// everything that was ever removed from it, and tells which answers are not
// what the API promises. It holds a static host, a CDN and the project's own
// server to one standard, from outside.
//
// It knows the release as a folder of files, and the promises as package
// document states them. It refuses to know which server answers, how that one
// is configured, and what any document says.
//
// # What is asked
//
// Each address by GET and HEAD, with and without a slash at its end, plain, as
// gzip and as brotli, always with an Origin; then once more with the ETag that
// came. Each removed address in the same ways, with a condition and a Range
// that would make a careless server shorten the answer, and by POST. Then some
// addresses where nothing stands, some spellings that are no address (encoded,
// doubled, relative, in capitals, the names of files), and the methods that are
// not for reading.
package probe
