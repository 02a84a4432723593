// Package mail writes the mails about claims and removals and sends them
// through a mail server, or to a folder where there is none.
//
// A mail begins as a Message in the ledger's outbox, written in the same
// transaction as the record that it is about. The Dispatcher takes it from
// there, has it composed, and tries until the server accepts it, refuses it for
// good, or it is too late. It promises:
//
//   - No mail is lost: it stays in the outbox until the server accepts it.
//   - None is sent again once its acceptance is on record. If the process dies,
//     or the connection breaks, between the server's acceptance and the record,
//     nobody here can know; the mail is then sent once more, with the same
//     Message-ID, by which mail programs recognize the copy.
//
// Addresses, tokens and links are in the mails alone: no log line, error or
// reason of a failure contains any, nor does it quote a server's answer, which
// often repeats addresses.
package mail

import (
	"context"
	"log/slog"
	"time"

	"souk/templates/texts"
)

// A Kind says what a mail is about. The templates of its texts are named after
// it.
type Kind string

// The kinds of mails: each flow sends its link, and a notice when it is done.
const (
	ClaimLink   Kind = "claimLink"
	RemovalLink Kind = "removalLink"
	ClaimDone   Kind = "claimDone"
	RemovalDone Kind = "removalDone"
)

// isLink reports whether the mail holds a link that does something.
func (k Kind) isLink() bool { return k == ClaimLink || k == RemovalLink }

// Message is the content of a mail, with all that it tells of the company: that may be
// gone by the time it is sent.
type Message struct {
	// ID is the record's: the claimId or requestId. Together with Kind it
	// identifies the mail.
	ID   string
	Kind Kind
	// From is the sender's address, To the requester's.
	From, To string
	// Requester is the requester's name, as it was given.
	Requester string

	// Texts are in the language of the mail; nil is English.
	Texts *texts.Catalogue

	Marketplace string
	SiteURL     string
	// Contact is the address for questions and objections; where it is empty,
	// the sender's.
	Contact string

	Company    string
	CompanyURL string

	// Domain, Link, Code and ExpiresAt are only for mails with a link.
	Domain string
	Link   string
	// Code proves the same as the link, where a gateway cuts that short.
	Code      string
	ExpiresAt time.Time

	// DoneAt is only for notices that something was done, and Workspace only
	// for ClaimDone.
	DoneAt    time.Time
	Workspace string
}

// String identifies the mail without its contents, for logs.
func (m Message) String() string { return string(m.Kind) + " " + m.ID }

// GoString is String, so that %#v reveals no more.
func (m Message) GoString() string { return m.String() }

// LogValue is String: a JSON log would print the fields.
func (m Message) LogValue() slog.Value { return slog.StringValue(m.String()) }

// Leased is a Message that a Queue has handed out to this process alone until
// the lease ends.
type Leased struct {
	Message
	// Key identifies the entry in the Queue.
	Key string
	// Attempts counts the failures so far.
	Attempts int
	// QueuedAt is when the Message was added to the Queue.
	QueuedAt time.Time
	// Until is when the lease ends; zero for never.
	Until time.Time
}

// Queue is the durable list of mails to be sent. Several processes may share
// one; a lease keeps two of them from sending the same mail, and must outlast a
// few attempts: minutes.
type Queue interface {
	// Next leases some of the Messages that are due, in the order in which they are
	// to be sent, and returns when the next of the others will be due, zero where there is
	// none.
	Next(ctx context.Context, now time.Time) (due []Leased, next time.Time, err error)
	// Accepted records, durably, that the server took the mail, so that it is never
	// handed out again. It may be called again for the same mail.
	Accepted(ctx context.Context, l Leased) error
	// Failed records a failure, counts it, and ends the lease. A zero nextTry
	// gives the mail up, which stays on record as failed.
	Failed(ctx context.Context, l Leased, reason string, nextTry time.Time) error
}

// Letter is a mail as a Sender gets it.
type Letter struct {
	// Name identifies the mail among all, in characters that are safe in file
	// names.
	Name string
	// MessageID is without angle brackets, and the same for every attempt.
	MessageID string
	From      Address
	To        string
	ReplyTo   string
	Date      time.Time
	Content
}

// Address is a mail address with a display name.
type Address struct{ Name, Address string }

// Content is the readable part of a mail.
type Content struct{ Subject, Text, HTML string }

// Sender delivers a Letter. An error that is a *Failure says whether to try
// again; after any other error, trying again is worthwhile.
type Sender interface {
	Send(ctx context.Context, l Letter) error
}
