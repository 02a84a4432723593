package dynamic

import (
	"context"
	"sync"
	"time"

	"souk/dynamic/mail"
	"souk/dynamic/verification"
)

// mailQueue adapts verification's outbox to the Dispatcher. A mail's token exists
// only in this memory, from its lease until the mail is settled.
type mailQueue struct {
	process *verification.Process
	sellers directory

	mu     sync.Mutex
	leased map[string]verification.Message
}

var _ mail.Queue = (*mailQueue)(nil)

// Two mails at once are one of each order of the line; more would go before a
// mail that is made meanwhile and has its turn.
const (
	mailsAtOnce = 2
	leaseTime   = 5 * time.Minute
)

var mailKinds = map[verification.MessageKind]mail.Kind{
	verification.MailClaim: mail.ClaimLink, verification.MailRemoval: mail.RemovalLink,
	verification.MailAttached: mail.ClaimDone, verification.MailRemoved: mail.RemovalDone,
}

// Next implements mail.Queue.
func (p *mailQueue) Next(ctx context.Context, now time.Time) (due []mail.Leased, next time.Time, err error) {
	l, err := p.sellers.market()
	if err != nil {
		return nil, next, err
	}
	messages, err := p.process.Lease(ctx, mailsAtOnce, leaseTime)
	if err != nil {
		return nil, next, err
	}
	// Even if the state cannot be read, the leased mails can be sent.
	state, err := p.process.Outbox(ctx)
	if err != nil && len(messages) == 0 {
		return nil, next, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range messages {
		p.leased[m.ID] = m
		due = append(due, mail.Leased{
			Message: compose(m, l), Key: m.ID, Attempts: m.Attempt - 1, QueuedAt: m.CreatedAt, Until: now.Add(leaseTime),
		})
	}
	return due, state.Next, nil
}

// compose returns the contents of a mail.
func compose(m verification.Message, l *marketplace) mail.Message {
	letter := mail.Message{
		ID: m.RequestID, Kind: mailKinds[m.Kind], To: m.To.Mailbox(), Requester: m.Name,
		Texts: l.texts, Marketplace: l.name, SiteURL: l.site, Contact: l.contact,
		Company: m.SellerName, CompanyURL: l.link(verification.Seller{Slug: m.Slug}).URL, Domain: m.Domain,
		ExpiresAt: m.ExpiresAt, Workspace: m.Workspace,
	}
	if m.ExpiresAt.IsZero() {
		letter.DoneAt = m.CreatedAt
	} else {
		letter.Link = m.Link(l.site)
	}
	return letter
}

// Accepted implements mail.Queue.
func (p *mailQueue) Accepted(ctx context.Context, key string) error {
	if err := p.process.Accepted(ctx, p.message(key)); err != nil {
		return err
	}
	p.forget(key)
	return nil
}

// Failed implements mail.Queue.
func (p *mailQueue) Failed(ctx context.Context, key, reason string, nextTry time.Time) error {
	m := p.message(key)
	p.forget(key)
	if nextTry.IsZero() {
		return p.process.GiveUp(ctx, m, reason)
	}
	return p.process.Failed(ctx, m, nextTry, reason)
}

func (p *mailQueue) message(key string) verification.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.leased[key]
	m.ID = key
	return m
}

func (p *mailQueue) forget(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.leased, key)
}
