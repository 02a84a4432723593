// Package ledger keeps what must never be lost: claims, removal requests,
// removals, attachments, outgoing mail, API tokens and the publication history.
// It commits them together and durably, in SQLite or in PostgreSQL, by one
// implementation that a conformance test holds to both.
//
// It is the Ledger of package verification, and refuses to know its rules: what
// may follow what is decided there, within one Update. Nor does it know how
// addresses are spelled or how anything is published; the history keeps what it
// is told.
//
// # Guarantees
//
// One writer at a time: SQLite takes its lock at the start of an Update, and in
// PostgreSQL a table lock is taken before the snapshot, in a serializable
// transaction. So Updates happen one after the other, over all machines, and
// nothing has to be undone since two met. Readers see one moment and wait for
// nobody. A commit is on the disk (synchronous=FULL, synchronous_commit=on)
// before Update returns.
//
// # Versions
//
// Migrations go forward only. A ledger that a newer program wrote is refused,
// since what this program would not understand may be a removal.
//
// No error of this package holds a row's content or a password.
package ledger
