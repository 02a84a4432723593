package verification

import (
	"context"
	"strings"
	"time"
)

// A Checked says what a link is for, as long as it is good.
type Checked struct {
	Seller    Seller
	ExpiresAt time.Time
}

// Check tells whose request a token belongs to. It changes nothing and uses
// nothing up, so that the page behind a mail's link may ask before a person has
// done anything. It fails as the verification of that purpose does, but for what
// depends on a workspace: whether a profile is attached is told to nobody.
func (p *Process) Check(ctx context.Context, purpose Purpose, id, token string) (Checked, error) {
	r, err := p.redeem(ctx, purpose, id, token)
	if err != nil {
		return Checked{}, err
	}
	seller, err := p.byID(ctx, r.SellerID)
	if err != nil {
		return Checked{}, err
	}
	err = p.config.Ledger.View(ctx, func(reader Reader) error { return checkProof(reader, r, seller) })
	if err != nil {
		return Checked{}, err
	}
	return Checked{seller, r.ExpiresAt}, nil
}

// isTyped reports whether a text that a person typed names a domain. It may have
// around it what is copied out of an address bar: https://, www. and a path.
func isTyped(text, domain string) bool {
	text = strings.TrimSpace(text)
	if scheme, rest, found := strings.Cut(text, "://"); found && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")) {
		text = rest
	}
	if at := strings.IndexAny(text, "/?#"); at >= 0 {
		text = text[:at]
	}
	ascii, ok := asciiDomain(strings.TrimSuffix(text, "."))
	return ok && (ascii == domain || strings.TrimPrefix(ascii, "www.") == domain)
}
