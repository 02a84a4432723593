// Package trace finds every place where a seller still shows in public: in documents and
// their compressed twins, sitemaps, pictures, files that no build wrote, and the search
// index. It does not know why the seller should not show, what to do about it, or how
// anything is built: it reads what is there as a stranger would.
//
// # Findings and warnings
//
// A finding is something that the pipeline wrote, or that should not exist at all: an
// address, a Link, a card, a picture, a stale twin, a copy. Building again or deleting a
// file fixes it. A warning is something that a person wrote about somebody else, for
// example in an article, a description or a remark on a market map. Only an editor can
// decide whether it means the seller, and remove it.
//
// A name alone proves little, since it may be a common word or somebody else's name. It is
// a finding only in the seller's own documents and in fields that name a seller. The name
// and summary in a Link or card are reported where they were written, in the thing's own
// document, and not again for each list that repeats them.
//
// Pages, their Markdown and feeds repeat documents. Anything in them that refers to the
// seller is a finding: a link, a picture, a preview image, JSON-LD. Words are a finding if
// the page's document does not contain them, since the page is then out of date. A name
// that also appears in the site's own texts, such as search or maker, is a warning on a
// page. Other files of a site are read as facts.
//
// Stubs are expected at the seller's addresses, and all must have the same body.
package trace
