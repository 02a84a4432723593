package dynamic

import (
	"cmp"
	"context"
	"net/netip"
	"net/url"
	"time"

	"souk/dynamic/mail"
	"souk/dynamic/verification"
)

// mailQueue adapts verification's outbox to the Dispatcher.
type mailQueue struct {
	process *verification.Process
	sellers directory
	// from is the sender's address; "" means the marketplace's.
	from string
}

var _ mail.Queue = mailQueue{}

// Two mails at once take one from each order of the line. With more, some would be sent
// before a newer mail whose turn it is.
const (
	mailsAtOnce = 2
	leaseTime   = 5 * time.Minute
)

var mailKinds = map[verification.MessageKind]mail.Kind{
	verification.MailClaim: mail.ClaimLink, verification.MailRemoval: mail.RemovalLink,
	verification.MailAttached: mail.ClaimDone, verification.MailRemoved: mail.RemovalDone,
}

// Next implements mail.Queue.
func (p mailQueue) Next(ctx context.Context, now time.Time) (due []mail.Leased, next time.Time, err error) {
	l, err := p.sellers.market()
	if err != nil {
		return nil, next, err
	}
	messages, err := p.process.Lease(ctx, mailsAtOnce, leaseTime)
	if err != nil {
		return nil, next, err
	}
	// The leased mails can be sent even if the state cannot be read.
	state, err := p.process.Outbox(ctx)
	if err != nil && len(messages) == 0 {
		return nil, next, err
	}
	for _, m := range messages {
		due = append(due, mail.Leased{
			Message: compose(m, l, cmp.Or(p.from, l.sender())), Key: m.ID, Attempts: m.Attempt - 1, QueuedAt: m.CreatedAt, Until: now.Add(leaseTime),
		})
	}
	return due, state.Next, nil
}

// compose returns the contents of a mail.
func compose(m verification.Message, l *marketplace, from string) mail.Message {
	letter := mail.Message{
		ID: m.RequestID, Kind: mailKinds[m.Kind], From: from, To: m.To.Mailbox(), Requester: m.Name,
		Texts: l.texts, Marketplace: l.name, SiteURL: l.site, Contact: l.contact,
		Company: m.SellerName, CompanyURL: l.link(verification.Seller{Slug: m.Slug}).URL, Domain: m.Domain,
		ExpiresAt: m.ExpiresAt, Workspace: m.Workspace,
	}
	if m.ExpiresAt.IsZero() {
		letter.DoneAt = m.CreatedAt
	} else {
		letter.Link, letter.Code = m.Link(l.site), m.Code()
	}
	return letter
}

// sender returns the address that sends the marketplace's mails.
func (m *marketplace) sender() string {
	return cmp.Or(m.contact, "no-reply@"+mailHost(m.site))
}

// mailHost returns the host of a site as the domain of a mail address.
func mailHost(site string) string {
	u, err := url.Parse(site)
	if err != nil || u.Hostname() == "" {
		return "localhost"
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return "localhost"
	}
	return u.Hostname()
}

// Accepted implements mail.Queue.
func (p mailQueue) Accepted(ctx context.Context, l mail.Leased) error {
	return p.process.Accepted(ctx, leased(l))
}

// Failed implements mail.Queue.
func (p mailQueue) Failed(ctx context.Context, l mail.Leased, reason string, nextTry time.Time) error {
	if nextTry.IsZero() {
		return p.process.GiveUp(ctx, leased(l), reason)
	}
	return p.process.Failed(ctx, leased(l), nextTry, reason)
}

// leased returns the message of a leased mail, with what identifies this attempt.
func leased(l mail.Leased) verification.Message {
	return verification.Message{ID: l.Key, Attempt: l.Attempts + 1}
}
