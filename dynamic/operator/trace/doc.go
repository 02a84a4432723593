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
// deleting a file, removes it. A warning is what somebody wrote about somebody
// else, such as in an article, a description or a remark on a market map: only
// an editor can decide whether the word means the seller, and take it out.
//
// So a name alone proves little, since it may be a common word or also somebody
// else's: it is a finding within what is the seller's, and in a field that
// names a seller. A Link's or a card's name and summary are reported where they
// are written, in the thing's own document, and not again on each list that
// repeats them.
//
// Pages, their Markdown and feeds repeat documents. What leads to the seller is a
// finding there too, be it in a link, a picture, a preview's or in JSON-LD; words
// are one where the page's document does not have them, so that the page is out of
// date. A name that is among the site's own texts, as search or maker, is a warning
// there. Other files of a site are read as facts.
//
// Stubs are expected at the seller's addresses and must have the same body as
// every other stub.
package trace
