package verification

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A bound is how often something may happen within any span of a length.
type bound struct {
	key  Hash
	most int
	span time.Duration
}

// A counted is what a start counts towards.
type counted struct {
	// bounds refuse it.
	bounds []bound
	// origin and crowds decide when its mail has its turn.
	origin Hash
	crowds []Hash
}

// countedOf returns what a start counts towards, with bounds that leave room for people
// who make mistakes.
//
// Claims and removals are counted each on their own, so that claims never use up the
// room of removals. What happened is kept in the ledger, as hashes, for an hour: so a
// restart resets no bound, and machines that share a ledger share the bounds. Only starts
// that make a mail count, and a repeated one only once.
//
// No bound is by seller alone, since whoever has many addresses could use it up. The
// mails of a seller, and those of one part of the Internet, wait for their turn
// instead: see Place.
func countedOf(p Purpose, seller string, a Address, client netip.Addr) counted {
	key := func(parts ...string) Hash { return hashOf(append([]string{string(p)}, parts...)...) }
	mailbox, plus := folded(a), strconv.FormatBool(strings.Contains(a.Local, "+"))
	address := key("address", network(client, 32, 64))
	c := counted{origin: address, crowds: []Hash{key("seller", seller), key("region", network(client, 16, 32))}}
	c.bounds = []bound{
		// Whoever asks in its name: it keeps others from flooding the mailbox. The
		// spellings with a plus count together and apart from the one without: they may
		// not arrive, and must not use up what does.
		{key("mailbox", mailbox, plus), 5, time.Hour},
		{key("repeat", mailbox, seller), 1, time.Minute},
		{address, 10, time.Hour}, // of IPv6, a /64 network
	}
	if client.Unmap().Is6() { // a /48 network is the most that one site has
		c.origin = key("network", network(client, 32, 48))
		c.bounds = append(c.bounds, bound{c.origin, 40, time.Hour})
	}
	return c
}

// keys returns everything that is counted, each once.
func (c counted) keys() []Hash {
	all := append([]Hash{c.origin}, c.crowds...)
	for _, b := range c.bounds {
		all = append(all, b.key)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// folded returns a mailbox without what servers commonly ignore: letter case,
// and anything after a plus. It is for counting only.
func folded(a Address) string {
	local, _, _ := strings.Cut(strings.ToLower(a.Local), "+")
	return local + "@" + a.Domain
}

// network returns the range of that many leading bits, of IPv4 or IPv6, in which
// an address lies.
func network(client netip.Addr, bits4, bits6 int) string {
	client = client.Unmap().WithZone("")
	bits := bits4
	if client.Is6() {
		bits = bits6
	}
	prefix, err := client.Prefix(bits)
	if err != nil {
		return "unknown"
	}
	return prefix.String()
}

// recent returns when something was counted within a span, the newest first. Of two starts
// at once, the other may be a moment later; what is later than a span is of a clock that
// was ahead and has been set right since.
func recent(r LimitReader, key Hash, now time.Time, span time.Duration, most int) ([]time.Time, error) {
	return r.Recent(key, now.Add(-span), now.Add(span), most)
}

// check fails with CodeRateLimited if one more start would exceed a bound.
func (c counted) check(r LimitReader, now time.Time) error {
	var wait time.Duration
	for _, b := range c.bounds {
		past, err := recent(r, b.key, now, b.span, b.most)
		if err != nil {
			return err
		}
		if len(past) == b.most {
			wait = max(wait, past[b.most-1].Add(b.span).Sub(now))
		}
	}
	if wait <= 0 {
		return nil
	}
	seconds := (wait + time.Second - 1).Truncate(time.Second)
	return &Error{
		Code: CodeRateLimited, RetryAfter: seconds,
		Detail: fmt.Sprintf("Too many requests. Ask again in %d seconds; a mail may be on its way already, and its link works.", int(seconds.Seconds())),
	}
}

// countingTime is for how long a start is counted: the longest span of the bounds, and
// what turns are counted over.
const countingTime = time.Hour

// mostCounted is up to where starts are told apart: beyond it all are equal, so
// that an honest one in a crowd is behind few.
const mostCounted = 20

// place returns where the mail of a start is in line.
func (c counted) place(r LimitReader, p Purpose, now time.Time) (Place, error) {
	place := Place{Class: classOf(p)}
	past, err := recent(r, c.origin, now, countingTime, mostCounted)
	if err != nil {
		return Place{}, err
	}
	place.Turn = len(past)
	for _, key := range c.crowds {
		past, err := recent(r, key, now, countingTime, mostCounted)
		if err != nil {
			return Place{}, err
		}
		place.Crowd += len(past)
	}
	return place, nil
}
