package verification

import (
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// A Limit is how often something may happen within any span of a length. Most 0
// is no limit.
type Limit struct {
	Most int
	Span time.Duration
}

// Limits apply to the starts of claims and removals together. What happened is
// kept in the ledger, as hashes, for no longer than the longest span: so a
// restart resets no limit, and machines that share a ledger share the limits.
// Only starts that make a mail count, and a repeated one only once.
type Limits struct {
	// Requester is for one mailbox, whoever asks in its name: it keeps others
	// from flooding the mailbox.
	Requester Limit
	// Repeat is for the same mailbox, seller and purpose.
	Repeat Limit
	// Client is for one client address; of IPv6, for one /64 network.
	Client Limit
	// Seller is for one seller. It is above Client, so that no single address
	// can use up what the seller's own people need.
	Seller Limit
}

// DefaultLimits leave room for people who make mistakes.
func DefaultLimits() Limits {
	return Limits{
		Requester: Limit{5, time.Hour},
		Repeat:    Limit{1, time.Minute},
		Client:    Limit{10, time.Hour},
		Seller:    Limit{20, time.Hour},
	}
}

// longest returns the longest span.
func (l Limits) longest() time.Duration {
	return max(l.Requester.Span, l.Repeat.Span, l.Client.Span, l.Seller.Span)
}

// A bound is a Limit with what it applies to.
type bound struct {
	key Hash
	Limit
}

// bounds returns every bound that a start counts towards.
func (l Limits) bounds(p Purpose, seller string, a Address, client netip.Addr) []bound {
	mailbox := folded(a)
	all := []bound{
		{hashOf("requester", mailbox), l.Requester},
		{hashOf("repeat", mailbox, seller, string(p)), l.Repeat},
		{hashOf("client", network(client)), l.Client},
		{hashOf("seller", seller), l.Seller},
	}
	kept := all[:0]
	for _, b := range all {
		if b.Most > 0 {
			kept = append(kept, b)
		}
	}
	return kept
}

// folded returns a mailbox without what servers commonly ignore: letter case,
// and anything after a plus. It is for counting only.
func folded(a Address) string {
	local, _, _ := strings.Cut(strings.ToLower(a.Local), "+")
	return local + "@" + a.Domain
}

// network returns the address range that one client has to itself.
func network(client netip.Addr) string {
	client = client.Unmap().WithZone("")
	if client.Is6() {
		if prefix, err := client.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return client.String()
}

// checkLimits fails with CodeRateLimited if one more start would exceed a bound.
func checkLimits(r Reader, bounds []bound, now time.Time) error {
	var wait time.Duration
	for _, b := range bounds {
		past, err := r.Recent(b.key, now.Add(-b.Span), b.Most)
		if err != nil {
			return err
		}
		if len(past) == b.Most {
			wait = max(wait, past[b.Most-1].Add(b.Span).Sub(now))
		}
	}
	if wait <= 0 {
		return nil
	}
	seconds := (wait + time.Second - 1).Truncate(time.Second)
	return &Error{
		Code: CodeRateLimited, RetryAfter: seconds,
		Detail: fmt.Sprintf("Too many requests. Ask again in %d seconds; a mail may be on its way already.", int(seconds.Seconds())),
	}
}

// countStart records a start.
func countStart(tx Tx, bounds []bound, now time.Time) error {
	if len(bounds) == 0 {
		return nil
	}
	keys := make([]Hash, len(bounds))
	for i, b := range bounds {
		keys[i] = b.key
	}
	return tx.AddRecent(keys, now)
}
