package main

import (
	"net/netip"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"souk/dynamic"
	"souk/dynamic/mail"
	"souk/dynamic/operator/notify"
	"souk/dynamic/verification"
	"souk/dynamic/verification/oidc"
)

// A verificationOptions holds the flags of claims and removals.
type verificationOptions struct {
	smtp, mailFrom  string
	linkLifetime    time.Duration
	issuer          string
	audience, claim string
	trusted         []string
	noRateLimit     bool
	notify          []string
}

func (o *verificationOptions) add(flags *pflag.FlagSet) {
	flags.StringVar(&o.smtp, "smtp", "", "the mail server: smtp://user:password@host:port, or smtps://… (default: write mails to files in --state)")
	flags.StringVar(&o.mailFrom, "mail-from", "", "the sender of mails (default: contactEmail of the content)")
	flags.DurationVar(&o.linkLifetime, "link-lifetime", verification.DefaultLinkLifetime, "how long the link in a mail is valid")
	flags.StringVar(&o.issuer, "oidc-issuer", "", "the OpenID Connect issuer of access tokens that verify claims")
	flags.StringVar(&o.audience, "oidc-audience", "", "the required audience of access tokens")
	flags.StringVar(&o.claim, "workspace-claim", oidc.DefaultWorkspaceClaim, "the claim in access tokens that names the workspace")
	flags.StringSliceVar(&o.trusted, "trusted-proxy", nil, "a network whose X-Forwarded-For is trusted, such as 10.0.0.0/8; may repeat")
	flags.StringArrayVar(&o.notify, "notify", nil, "notify this mailto: or https: address of each verified claim and removal; may repeat")
	flags.BoolVar(&o.noRateLimit, "no-rate-limit", false, "turn off rate limits on claims and removals, for tests and trusted networks")
}

// config returns the server's configuration, as the flags set it. The ledger is opened
// separately.
func (o *verificationOptions) config(w environment, b *buildOptions) (dynamic.VerificationConfig, error) {
	r := dynamic.VerificationConfig{LinkLifetime: o.linkLifetime, Unlimited: o.noRateLimit, From: o.mailFrom, Sender: mail.Folder{Path: filepath.Join(b.state, "mail")}}
	var err error
	if r.Removals, err = b.listedRemovals(w); err != nil {
		return r, err
	}
	if o.linkLifetime <= 0 {
		return r, usagef("--link-lifetime %s must be above 0, as in 24h", o.linkLifetime)
	}
	if o.mailFrom != "" {
		if _, err := verification.ParseAddress(o.mailFrom); err != nil {
			return r, usagef("--mail-from must be a plain address, as in hello@market.example")
		}
	}
	if o.smtp != "" {
		server, err := mail.ParseServer(o.smtp)
		if err != nil {
			return r, usagef("--smtp: %w", err)
		}
		r.Sender = mail.SMTP{Server: server}
	}
	if r.Trusted, err = networks(o.trusted); err != nil {
		return r, err
	}
	if r.Notify, err = o.notices(w); err != nil {
		return r, err
	}
	if o.issuer == "" && o.audience == "" {
		return r, nil
	}
	if r.OIDC, err = oidc.New(oidc.Config{Issuer: o.issuer, Audience: o.audience, WorkspaceClaim: o.claim, Now: w.now}); err != nil {
		return r, usageError{err}
	}
	return r, nil
}

// notices returns where the operator is notified.
func (o *verificationOptions) notices(w environment) (c notify.Config, err error) {
	for _, text := range o.notify {
		a, err := notify.ParseAddress(text)
		if err != nil {
			return c, usagef("--notify: %w", err)
		}
		c.Addresses = append(c.Addresses, a)
		if a.IsWebhook() && c.Secret == nil {
			if c.Secret, err = notify.ParseSecret(w.getenv("SOUK_NOTIFY_SECRET")); err != nil {
				return c, usagef("--notify with a webhook needs the secret that signs it in SOUK_NOTIFY_SECRET: %w", err)
			}
		}
	}
	return c, nil
}

// networks parses networks or single addresses.
func networks(list []string) (all []netip.Prefix, err error) {
	for _, text := range list {
		text = strings.TrimSpace(text)
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			one, single := netip.ParseAddr(text)
			if single != nil {
				return nil, usagef("--trusted-proxy %q is neither a network, as in 10.0.0.0/8, nor an address", text)
			}
			prefix = netip.PrefixFrom(one, one.BitLen())
		}
		all = append(all, prefix.Masked())
	}
	return all, nil
}
