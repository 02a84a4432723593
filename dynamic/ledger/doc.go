// Package ledger keeps what must never be lost: claims, removal requests,
// removals, attachments, outgoing mail, API tokens and the publication history.
// It commits them together and durably, in SQLite or in PostgreSQL, through one
// implementation; a conformance test runs against both.
//
// It implements the Ledger of package verification and refuses to know its
// rules: which change may follow which is decided there, within one Update. Nor
// does it know how addresses are spelled or how anything is published; the
// history keeps what it is given.
//
// # Guarantees
//
// One writer at a time: SQLite takes its lock at the start of an Update, and
// PostgreSQL takes a table lock before the snapshot, in a serializable
// transaction. So Updates happen one after the other, across all machines, and
// none has to be undone because it conflicts with another. Readers see one
// moment and never wait. A commit is on disk (synchronous=FULL,
// synchronous_commit=on) before Update returns.
//
// # Versions
//
// Migrations only go forward. A ledger written by a newer program is refused,
// since the part that this program would not understand may be a removal.
//
// No error of this package contains a row's content or a password.
package ledger
