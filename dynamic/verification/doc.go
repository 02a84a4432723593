// Package verification is the process by which somebody claims a company's
// profile or takes the company off the public surface: who may ask, how a
// request is proven by mail on the company's official domain, what a proof
// changes, and who has to be told.
//
// # The process
//
// A start makes a Request, pending, and one Message in the outbox; both are
// committed together. Requests stand side by side and lock nobody out. When the
// Message is handed to the mail sender a token is made: 256 random bits that
// exist in that mail and nowhere else, since the ledger keeps a hash. Redeeming
// the token, before it expires, settles the Request and makes its fact: an
// Attachment of the profile to a workspace, or a Removal. The first proof wins.
//
//	pending --token, in time--> used      (a fact is made, notices are queued)
//	pending --time passes-----> expired   (computed, never written)
//
// A token is bound to its purpose and its Request twice: the hash covers both,
// and the two purposes are kept in records of their own.
//
// # What it refuses to know
//
// It knows no HTTP, no SQL, no mail format and no wording of mails, and nothing
// of how sellers are published. What it needs it declares: a Ledger that keeps
// records durably and commits them together, and Sellers, the marketplace as it
// is now. The clock and the source of randomness are passed in.
//
// Its errors say to the public what is wrong, and carry the cause apart. No
// error, and no value of it as text, holds a token, a link or an address.
package verification
