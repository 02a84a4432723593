// Package verification implements the process by which people claim a company's profile or
// remove the company from the marketplace: who may ask, how a request is verified by mail
// on the company's official domain, what a verified request changes, and who must be
// notified.
//
// # The process
//
// A start creates a pending Request and one Message in the outbox, committed together.
// Several Requests may be pending at once; none blocks another. When the Message is handed
// to the mail sender, a token is created: 256 random bits that exist only in that mail,
// since the ledger stores only a hash. Redeeming the token before it expires settles the
// Request and records its result: an Attachment of the profile to a workspace, or a
// Removal. The first Request to be verified wins.
//
//	pending --token, in time--> used      (a fact is recorded, notices are queued)
//	pending --time passes-----> expired   (computed, never written)
//
// A removal is requested while its Request is pending, and verified once its Removal is on
// record. This package does not handle its release; an operator may restore the seller.
//
// A token is bound to its purpose and its Request in two ways: the hash covers both, and
// the two purposes have separate records.
//
// # What it does not know
//
// It does not know HTTP, SQL, mail formats, the wording of mails, or how sellers are
// published. It declares what it needs: a Ledger that stores records durably and commits
// them together, and Sellers, the current state of the marketplace. The clock and the
// source of randomness are passed in.
//
// Its errors tell the public what is wrong, and carry the cause separately. No error, and
// no value formatted as text, contains a token, a link or an address.
package verification
