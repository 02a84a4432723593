// Package trace finds every place of the public surface where a seller still
// shows: in documents and their compressed twins, sitemaps, pictures, files
// that no build wrote, and the search index. It refuses to know why the seller
// should not show, what to do about it, and how anything is built: it reads
// what is there as a stranger would.
//
// # What is a finding and what a warning
//
// A finding is what the pipeline made, or what should not be there at all: an
// address, a Link, a card, a picture, a stale twin, a copy. Building again, or
// deleting a file, takes it away. A warning is what somebody wrote about
// somebody else, as in an article, a description or a remark on a market map:
// only an editor can tell whether the word means the seller, and take it out.
//
// So a name of its own proves little, as it may be a common word or somebody
// else's too: it is a finding within what is the seller's, and where a field
// says that it names a seller. A Link's or a card's name and summary are told
// where they are written, in the thing's own document, and not once more on
// each list that repeats them.
//
// Stubs are expected at the seller's addresses and have to be the very body of
// every other stub.
package trace
