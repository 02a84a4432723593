package verification

import (
	"context"
	"strings"
	"time"
)

// A Checked describes the request that a valid link belongs to.
type Checked struct {
	Seller    Seller
	ExpiresAt time.Time
}

// Check returns whose request a token belongs to. It changes nothing and does not use the
// token, so the page that a mail's link opens can call it before a person has done
// anything. It fails in the same cases as the verification of that purpose, except those
// that depend on a workspace: it never reveals whether a profile is attached.
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

// isTyped reports whether a text that a person typed names a domain. The text may also
// contain what people copy from an address bar: https://, www. and a path.
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
