// Package mail writes the mails about claims and removals and sends them through a mail
// server, or stores them in a folder if there is none.
//
// A mail begins as a Message in the ledger's outbox, written in the same transaction as the
// record that it is about. The Dispatcher takes it from there, composes it, and retries
// until the server accepts it, the server rejects it permanently, or it is too late. It
// guarantees:
//
//   - No mail is lost: it stays in the outbox until the server accepts it.
//   - No mail is sent again once its acceptance is recorded. If the process dies,
//     or the connection breaks, between the server's acceptance and the record,
//     nobody here can know; the mail is then sent once more with the same
//     Message-ID, by which mail programs recognize the copy.
//
// Addresses, tokens and links appear only in the mails: no log line, error or failure
// reason contains one, or quotes a server's answer, which often repeats addresses.
package mail

import (
	"context"
	"log/slog"
	"time"

	"souk/templates/texts"
)

// A Kind says what a mail is about. The text templates are named after it.
type Kind string

// The kinds of mails: each flow sends a link, and a notice when it is done.
const (
	ClaimLink   Kind = "claimLink"
	RemovalLink Kind = "removalLink"
	ClaimDone   Kind = "claimDone"
	RemovalDone Kind = "removalDone"
)

// isLink reports whether the mail contains a link to verify something.
func (k Kind) isLink() bool { return k == ClaimLink || k == RemovalLink }

// Message is the content of a mail. It includes everything about the company, which may be
// gone by the time the mail is sent.
type Message struct {
	// ID is the claimId or requestId. Together with Kind it identifies the mail.
	ID   string
	Kind Kind
	// From is the sender's address, To the requester's.
	From, To string
	// Requester is the requester's name, as they gave it.
	Requester string

	// Texts are the texts in the mail's language; nil means English.
	Texts *texts.Catalogue

	Marketplace string
	SiteURL     string
	// Contact is the address for questions and objections; if empty, the sender's address
	// is used.
	Contact string

	Company    string
	CompanyURL string

	// Domain, Link, Code and ExpiresAt are only set in mails with a link.
	Domain string
	Link   string
	// Code verifies the request like the link does, in case a mail gateway breaks the link.
	Code      string
	ExpiresAt time.Time

	// DoneAt is only set in notices that something was done, and Workspace only in
	// ClaimDone.
	DoneAt    time.Time
	Workspace string
}

// String identifies the mail for logs, without its contents.
func (m Message) String() string { return string(m.Kind) + " " + m.ID }

// GoString returns String, so that %#v reveals no more.
func (m Message) GoString() string { return m.String() }

// LogValue returns String, since a JSON log would print the fields.
func (m Message) LogValue() slog.Value { return slog.StringValue(m.String()) }

// Leased is a Message that a Queue has leased to this process. No other process gets it
// until the lease ends.
type Leased struct {
	Message
	// Key identifies the Message in the Queue.
	Key string
	// Attempts counts the failures so far.
	Attempts int
	// QueuedAt is when the Message was added to the Queue.
	QueuedAt time.Time
	// Until is when the lease ends; zero means never.
	Until time.Time
}

// Queue is the durable list of mails to send. Several processes may share one; a lease
// keeps two of them from sending the same mail. It should last for minutes, long enough for
// a few attempts.
type Queue interface {
	// Next leases some of the Messages that are due, in sending order. next is when the
	// next of the others is due, or zero if there is none.
	Next(ctx context.Context, now time.Time) (due []Leased, next time.Time, err error)
	// Accepted durably records that the server accepted the mail, so that it is never
	// leased again. It may be called again for the same mail.
	Accepted(ctx context.Context, l Leased) error
	// Failed records and counts a failure and ends the lease. A zero nextTry gives up the
	// mail, which stays on record as failed.
	Failed(ctx context.Context, l Leased, reason string, nextTry time.Time) error
}

// Letter is a mail as given to a Sender.
type Letter struct {
	// Name is unique among all mails and safe in file names.
	Name string
	// MessageID has no angle brackets and is the same for every attempt.
	MessageID string
	From      Address
	To        string
	ReplyTo   string
	Date      time.Time
	Content
}

// Address is a mail address with a display name.
type Address struct{ Name, Address string }

// Content is the readable part of a mail. HTML may be empty.
type Content struct{ Subject, Text, HTML string }

// Sender delivers a Letter. An error that is a *Failure says whether it is final; any other
// error is worth a retry.
type Sender interface {
	Send(ctx context.Context, l Letter) error
}
