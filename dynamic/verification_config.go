package dynamic

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"net/netip"
	"slices"
	"time"

	"souk/build/catalog"
	"souk/dynamic/ledger"
	"souk/dynamic/mail"
	"souk/dynamic/operator/notify"
	"souk/dynamic/verification"
	"souk/dynamic/verification/oidc"
)

// patience is shorter than the time for which servers in front wait for an answer.
const patience = 30 * time.Second

// VerificationConfig configures claims and removals. Ledger and Sender are required.
type VerificationConfig struct {
	Ledger *ledger.Ledger
	// Removals apply in addition to those in the ledger; nil for none.
	Removals *catalog.Removals
	// Sender delivers mails. From is their sender address; default the marketplace's
	// contactEmail.
	Sender mail.Sender
	From   string
	// LinkLifetime is how long a link is valid; default 24 hours.
	LinkLifetime time.Duration
	// Patience is how long the verification of a removal waits for its release, which
	// continues after that; default 30 seconds.
	Patience time.Duration
	// OIDC validates access tokens; nil if only Souk's own tokens are accepted.
	OIDC *oidc.Authenticator
	// Trusted are the networks of proxies whose X-Forwarded-For is trusted.
	Trusted []netip.Prefix
	// Unlimited disables the rate limits.
	Unlimited bool
	// Random is the source of secrets; default crypto/rand.
	Random io.Reader
	// Notify configures the notices to the operator, which only a builder sends. Run sets its
	// Ledger, Sender, Market, Log and Now.
	Notify notify.Config
}

// warnUnprovable warns if profiles can be claimed and nobody has the token that it takes.
func (v *verifications) warnUnprovable(ctx context.Context, c Config) {
	m, err := v.sellers.market()
	if err != nil || m.noClaims || v.oidc != nil || c.Build.Preview {
		return
	}
	tokens, err := v.process.APITokens(ctx)
	if err == nil && !slices.ContainsFunc(tokens, func(t verification.APIToken) bool { return t.RevokedAt.IsZero() }) {
		c.Log.Warn("profiles can be claimed, and nobody has a token to do so: make one with 'souk token new --workspace NAME', " +
			"name the issuer of tokens with --oidc-issuer, or write 'claims: off' into marketplace.yaml")
	}
}

// newNotifier returns the Notifier of the operator.
func newNotifier(c Config, from directory) *notify.Notifier {
	n := c.Verification.Notify
	n.Ledger, n.Sender, n.Log, n.Now = c.Verification.Ledger, c.Verification.Sender, c.Log, c.Build.Clock
	n.Market = func() (name, sender string, err error) {
		m, err := from.market()
		if err != nil {
			return "", "", err
		}
		return m.name, cmp.Or(c.Verification.From, m.sender()), nil
	}
	return notify.New(n)
}

// newVerifications returns the handlers of claims and removals, with the Dispatcher of
// their mails.
func newVerifications(c Config, from origin, leases *leases) (*verifications, error) {
	if c.Verification.Random == nil {
		c.Verification.Random = rand.Reader
	}
	sellers := from.sources().sellers
	process, err := verification.New(verification.Config{
		Ledger: c.Verification.Ledger, Sellers: sellers, Now: c.Build.Clock, Random: c.Verification.Random,
		LinkLifetime: c.Verification.LinkLifetime, Unlimited: c.Verification.Unlimited,
	})
	if err != nil {
		return nil, err
	}
	return &verifications{
		process: process, sellers: sellers, oidc: c.Verification.OIDC, trusted: c.Verification.Trusted, origin: from, leases: leases, patience: cmp.Or(c.Verification.Patience, patience),
		dispatcher: mail.NewDispatcher(mail.Config{
			Queue: mailQueue{process, sellers, c.Verification.From}, Sender: c.Verification.Sender, Log: c.Log, Now: c.Build.Clock,
		}),
	}, nil
}
