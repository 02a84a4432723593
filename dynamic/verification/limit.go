package verification

import (
	"fmt"
	"net/netip"
	"strings"
	"time"
)

// A Limit is how often something may happen in any span of time of a length.
// Most 0 is no limit.
type Limit struct {
	Most int
	Span time.Duration
}

// Limits bound the starts of claims and removals together. What happened is
// kept in the ledger, as hashes, for no longer than the longest span: so a
// restart opens no door, and machines that share a ledger share the limits.
// Only starts that make a mail are counted, and a repeated one only once.
type Limits struct {
	// Requester is for one mailbox, whoever asks in its name: what keeps others
	// from flooding it.
	Requester Limit
	// Repeat is for the same mailbox, seller and purpose.
	Repeat Limit
	// Client is for one client address; of IPv6, for one network of 64 bits.
	Client Limit
	// Seller is for one seller. It is above Client, so that no single address
	// uses up what the seller's own people have.
	Seller Limit
}

// DefaultLimits leave room for a person who makes mistakes.
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

// A bound is a Limit of one thing.
type bound struct {
	key Hash
	Limit
}

// bounds returns what a start counts for.
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

// folded returns a mailbox with what servers commonly take for the same: letters
// of either case, and what follows a plus. It is for counting alone.
func folded(a Address) string {
	local, _, _ := strings.Cut(strings.ToLower(a.Local), "+")
	return local + "@" + a.Domain
}

// network returns what one client has to itself.
func network(client netip.Addr) string {
	client = client.Unmap().WithZone("")
	if client.Is6() {
		if prefix, err := client.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return client.String()
}

// within fails with CodeRateLimited where one more start would be too many.
func within(r Reader, bounds []bound, now time.Time) error {
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

// count notes a start.
func count(tx Tx, bounds []bound, now time.Time) error {
	if len(bounds) == 0 {
		return nil
	}
	keys := make([]Hash, len(bounds))
	for i, b := range bounds {
		keys[i] = b.key
	}
	return tx.AddRecent(keys, now)
}
