// Package ledger stores what must never be lost: claims, removal requests, removals,
// attachments, outgoing mail, API tokens and the publication history. It commits them
// together and durably, in SQLite or PostgreSQL. Both use the same implementation, and a
// conformance test runs against both.
//
// It implements the Ledger of package verification and does not know that package's rules:
// verification decides, within one Update, which change may follow which. Nor does it know
// how addresses are spelled or how anything is published; the history stores what it is
// given.
//
// # Guarantees
//
// There is one writer at a time. SQLite takes its lock at the start of an Update;
// PostgreSQL takes a table lock before the snapshot, in a serializable transaction. So
// Updates run one after the other across all machines, and none is rolled back because of a
// conflict. Readers see a consistent snapshot and never wait. A commit is on disk
// (synchronous=FULL, synchronous_commit=on) before Update returns.
//
// # Versions
//
// Migrations only go forward. A ledger written by a newer program is refused, since the
// part that this program does not understand may be a removal.
//
// Errors of this package never contain a row's content or a password.
package ledger
