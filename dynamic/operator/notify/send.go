package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/mail"
)

// A body is a notice as webhooks receive it.
type body struct {
	Type        string    `json:"type"`
	CompanySlug string    `json:"companySlug"`
	Name        string    `json:"name"`
	At          time.Time `json:"at"`
	WorkspaceID string    `json:"workspaceId,omitempty"`
}

// kind returns the type of a notice.
func kind(n ledger.Notice) string {
	if n.Claim {
		return "claim.attached"
	}
	return "seller.removed"
}

// request returns the signed request of a webhook.
func (n *Notifier) request(ctx context.Context, a Address, one ledger.Notice) (*http.Request, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(body{kind(one), one.Slug, one.Name, one.At.UTC().Truncate(time.Second), one.Workspace}); err != nil {
		return nil, err
	}
	content := bytes.TrimSpace(text.Bytes())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.text, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	at := strconv.FormatInt(n.Now().Unix(), 10)
	sign := hmac.New(sha256.New, n.Secret)
	fmt.Fprintf(sign, "%s.%s.%s", one.ID, at, content)
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"souk"},
		"Webhook-Id": {one.ID}, "Webhook-Timestamp": {at},
		"Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(sign.Sum(nil))},
	}
	return r, nil
}

// reasonOf describes why there was no answer, without the address.
func reasonOf(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("none within %s", longestSend)
	}
	return err.Error()
}

// mail sends a notice as a mail and returns why it was not accepted, or "".
func (n *Notifier) mail(ctx context.Context, a Address, one ledger.Notice) string {
	market, from, err := n.Market()
	if err != nil {
		return "the content cannot be read"
	}
	at := one.At.UTC().Format("2 January 2006, 15:04 UTC")
	content := mail.Content{
		Subject: one.Name + " was removed",
		Text: fmt.Sprintf("%s (%s) was removed from %s on %s, after its mailbox confirmed it.\n\nsouk history %s shows what is on record.\n",
			one.Name, one.Slug, market, at, one.Slug),
	}
	if one.Claim {
		content = mail.Content{
			Subject: one.Name + " claimed its profile",
			Text: fmt.Sprintf("The profile of %s (%s) on %s was claimed on %s, for the workspace %s.\n\nsouk claims lists all claims.\n",
				one.Name, one.Slug, market, at, one.Workspace),
		}
	}
	sum := sha256.Sum256([]byte(a.mailbox + "\n" + one.ID))
	digest := hex.EncodeToString(sum[:16])
	err = n.Sender.Send(ctx, mail.Notice(market, from, a.mailbox, "notice-"+digest, n.Now(), content))
	var failure *mail.Failure
	switch {
	case err == nil:
		return ""
	case errors.As(err, &failure):
		return failure.Error()
	}
	return "the mail cannot be sent"
}
