package dynamic

import (
	"cmp"
	"crypto/rand"
	"io"
	"net/netip"
	"time"

	"souk/build/catalog"
	"souk/dynamic/ledger"
	"souk/dynamic/mail"
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
