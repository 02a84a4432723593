package verification

import (
	"context"
	"regexp"
	"strings"
	"time"
)

// Lease returns due mails in the order of their Places. No other sender gets them until the
// lease ends; then they are due again, so that a sender that dies loses none. Each mail's
// Token is created here and exists only in this result; the ledger stores its hash before
// Lease returns. Mails whose link would no longer work are dropped.
func (p *Process) Lease(ctx context.Context, most int, lease time.Duration) (mails []Message, err error) {
	now := p.now()
	state, err := p.Outbox(ctx)
	if err != nil || state.Next.IsZero() || state.Next.After(now) {
		return nil, err // without waiting for the only writer
	}
	err = p.config.Ledger.Update(ctx, func(tx Tx) error {
		mails = nil
		due, err := inLine(tx, now, most)
		if err != nil {
			return err
		}
		for _, m := range due {
			sendable, err := p.addToken(tx, &m, now)
			if err != nil {
				return err
			}
			if !sendable {
				continue
			}
			m.Attempt++
			if err := tx.PostponeMessage(m.ID, m.Attempt, now.Add(lease)); err != nil {
				return err
			}
			mails = append(mails, m)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return mails, nil
}

// inLine returns the next mails, taken from the two orders in turn.
func inLine(tx MessageWriter, now time.Time, most int) (due []Message, err error) {
	var line [2][]Message
	for i, order := range []LineOrder{ByCrowd, ByNewest} {
		if line[i], err = tx.DueMessages(now, order, most); err != nil {
			return nil, err
		}
	}
	taken := map[string]bool{}
	for i := range line[0] { // each order has all due mails, up to most
		for _, m := range []Message{line[0][i], line[1][i]} {
			if !taken[m.ID] && len(due) < most {
				taken[m.ID] = true
				due = append(due, m)
			}
		}
	}
	return due, nil
}

// addToken creates a mail's token, or drops the mail if nobody could use it.
func (p *Process) addToken(tx Tx, m *Message, now time.Time) (bool, error) {
	purpose := m.Kind.purpose()
	if purpose == "" {
		return true, nil
	}
	r, ok, err := tx.Request(purpose, m.RequestID)
	if err != nil {
		return false, err
	}
	if !ok || r.State != Pending || !now.Before(r.ExpiresAt) {
		return false, tx.EndMessage(m.ID, Dropped, now, "its link has been used or has expired")
	}
	if m.Token, err = newToken(p.config.Random); err != nil {
		return false, err
	}
	return true, tx.AddTokenHash(purpose, r.ID, tokenHash(purpose, r.ID, m.Token.text))
}

// Accepted records that the mail server accepted a mail. It is never leased again, even if
// the lease has ended.
func (p *Process) Accepted(ctx context.Context, m Message) error {
	return p.config.Ledger.Update(ctx, func(tx Tx) error { return tx.EndMessage(m.ID, Accepted, p.now(), "") })
}

// Failed records that a mail was not accepted and when to try again. The server's words are
// stored without addresses, links and secrets. If the lease has ended, the mail no longer
// belongs to this sender and nothing is recorded.
func (p *Process) Failed(ctx context.Context, m Message, next time.Time, reason string) error {
	return p.config.Ledger.Update(ctx, func(tx Tx) error {
		return tx.FailMessage(m.ID, m.Attempt, next.UTC().Truncate(time.Microsecond), Scrub(reason))
	})
}

// GiveUp records that a mail will not be tried again.
func (p *Process) GiveUp(ctx context.Context, m Message, reason string) error {
	return p.config.Ledger.Update(ctx, func(tx Tx) error { return tx.EndMessage(m.ID, Dropped, p.now(), Scrub(reason)) })
}

// Outbox returns the numbers of mails and when the next one is due.
func (p *Process) Outbox(ctx context.Context) (o OutboxState, err error) {
	err = p.config.Ledger.View(ctx, func(r Reader) error {
		o, err = r.Outbox()
		return err
	})
	return o, err
}

// longestReport is in bytes.
const longestReport = 300

// Scrub makes an error text from a server or library safe to log: it removes everything
// that looks like a URL, a mailbox or a secret.
func Scrub(text string) string {
	text = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://\S+`).ReplaceAllString(text, "[link]")
	text = regexp.MustCompile(`\S*@\S*`).ReplaceAllString(text, "[address]")
	text = regexp.MustCompile(`[A-Za-z0-9_-]{32,}`).ReplaceAllString(text, "[secret]")
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if len(text) > longestReport {
		text = strings.ToValidUTF8(text[:longestReport], "") + "…"
	}
	return text
}
