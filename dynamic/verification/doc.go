// Package verification is the process by which somebody claims a company's
// profile or has the company removed from the public surface: who may ask, how
// a request is proven by mail on the company's official domain, what a proof
// changes, and who has to be informed.
//
// # The process
//
// A start makes a Request, pending, and one Message in the outbox; both are
// committed together. Several Requests may be pending at once; none blocks
// another. When the Message is handed to the mail sender a token is made: 256
// random bits that exist in that mail and nowhere else, since the ledger keeps
// only a hash. Redeeming the token, before it expires, settles the Request and
// records its fact: an Attachment of the profile to a workspace, or a Removal.
// The first proof wins.
//
//	pending --token, in time--> used      (a fact is recorded, notices are queued)
//	pending --time passes-----> expired   (computed, never written)
//
// A removal is requested while its Request is pending and verified once its
// Removal is on record. Releasing it is not this package's concern; an operator
// may restore it.
//
// A token is bound to its purpose and its Request twice: the hash covers both,
// and the two purposes are kept in records of their own.
//
// # What it refuses to know
//
// It knows no HTTP, no SQL, no mail format and no wording of mails, and nothing
// about how sellers are published. It declares what it needs: a Ledger that
// keeps records durably and commits them together, and Sellers, the marketplace
// as it is now. The clock and the source of randomness are passed in.
//
// Its errors say to the public what is wrong, and carry the cause separately.
// No error, and no value of it as text, contains a token, a link or an address.
package verification
