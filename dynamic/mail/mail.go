// Package mail writes the mails about claims and removals and brings them to a
// mail server, or to a folder where there is none.
//
// A mail begins as a Message in the ledger's Outbox, written in the same
// transaction as the record that it is about. The Dispatcher takes it from
// there, has it composed, and tries until the server accepts it, refuses it for
// good, or it is too late. What the promise is:
//
//   - No mail is lost: it leaves the Outbox only when the server accepted it.
//   - None is sent again after the acceptance is on record. Where the process
//     dies, or the connection breaks, between the server's acceptance and the
//     record, nobody here can know; it is then sent once more, with the same
//     Message-ID, by which mail programs tell the two for one.
//
// Addresses, tokens and links are in the mails alone: no log line, error or
// reason of a failure holds any, and neither does the text of a server's
// answer, which likes to repeat addresses.
package mail

import (
	"context"
	"log/slog"
	"time"
)

// A Kind says what a mail is about. The templates of its texts are named by it.
type Kind string

// The mails there are: each flow sends its link, and tells when it is done.
const (
	ClaimLink   Kind = "claimLink"
	RemovalLink Kind = "removalLink"
	ClaimDone   Kind = "claimDone"
	RemovalDone Kind = "removalDone"
)

// isLink: the mail holds a link that does something.
func (k Kind) isLink() bool { return k == ClaimLink || k == RemovalLink }

// Message is what a mail has to tell. It is the whole mail as the Outbox keeps
// it, so that nothing about the company is looked up when it is sent, when the
// company may be gone.
type Message struct {
	// ID is the record's: the claimId or requestId. Together with Kind it names
	// the mail.
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// To is the requester's address.
	To string `json:"to"`
	// Requester is the name that the requester gave, as it was given.
	Requester string `json:"requester"`

	Marketplace string `json:"marketplace"`
	SiteURL     string `json:"siteUrl"`
	// Contact is the address that questions and objections go to; where it is
	// empty, the sender's.
	Contact string `json:"contact,omitempty"`

	Company    string `json:"company"`
	CompanyURL string `json:"companyUrl"`

	// Domain, Link and ExpiresAt are of the mails with a link.
	Domain    string    `json:"domain,omitempty"`
	Link      string    `json:"link,omitempty"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"`

	// DoneAt is of the mails that tell what was done, and Workspace of
	// ClaimDone.
	DoneAt    time.Time `json:"doneAt,omitzero"`
	Workspace string    `json:"workspace,omitempty"`
}

// String names the mail and tells nothing of it, for logs.
func (m Message) String() string { return string(m.Kind) + " " + m.ID }

// GoString is String, so that no way of printing tells more.
func (m Message) GoString() string { return m.String() }

// LogValue is String: a log in JSON would print the fields.
func (m Message) LogValue() slog.Value { return slog.StringValue(m.String()) }

// Leased is a Message that an Outbox handed out, and to nobody else for a while.
type Leased struct {
	Message
	// Key names the entry of the Outbox.
	Key string
	// Attempts counts the failures before.
	Attempts int
	// QueuedAt is when the Message came into the Outbox.
	QueuedAt time.Time
	// Until is when the lease ends; zero for never.
	Until time.Time
}

// Outbox is the durable list of mails to be sent. Several processes may share
// one; a lease keeps a mail from being sent by two of them, and must outlast a
// few attempts: minutes.
type Outbox interface {
	// Next leases some of the Messages that are due, the oldest first, and gives
	// the moment when the next of the others will be due, zero where there is
	// none.
	Next(ctx context.Context, now time.Time) (due []Leased, next time.Time, err error)
	// Accepted records, durably, that the server took the mail: it is never
	// handed out again. Its Message, with the link in it, is to be erased. It may
	// be called again for the same key.
	Accepted(ctx context.Context, key string, now time.Time) error
	// Failed records a failure, counts it, and ends the lease. With a zero
	// nextTry the mail is given up: it stays on record as failed, and its Message
	// is to be erased.
	Failed(ctx context.Context, key, reason string, nextTry time.Time) error
}

// Letter is a mail as it is handed to a Sender.
type Letter struct {
	// Name names the mail among all, in the characters of file names.
	Name string
	// MessageID is without angle brackets, and the same at each try.
	MessageID string
	From      Address
	To        string
	ReplyTo   string
	Date      time.Time
	Content
}

// Address is a mail address with the name that stands beside it.
type Address struct{ Name, Address string }

// Content is what is to be read of a mail.
type Content struct{ Subject, Text, HTML string }

// Sender brings a Letter to where it is safe. An error that is a *Failure says
// whether to try again; after any other it is worth to.
type Sender interface {
	Send(ctx context.Context, l Letter) error
}
