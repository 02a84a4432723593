package verification

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A bound limits how often something may happen within any period of length span.
type bound struct {
	key  Hash
	most int
	span time.Duration
}

// A counted contains everything that a start counts towards.
type counted struct {
	// bounds may refuse the start.
	bounds []bound
	// origin and crowds decide the mail's place in line.
	origin Hash
	crowds []Hash
}

// countedOf returns what a start counts towards. Its bounds leave room for people who make
// mistakes.
//
// Claims and removals are counted separately, so that claims never use up the limits for
// removals. The ledger stores the counted actions, as hashes, for an hour. So a restart
// resets no limit, and machines that share a ledger share the limits. Only starts that
// create a mail count, and a repeated start counts once.
//
// No limit is by seller alone, since an attacker with many addresses could use it up.
// Instead, the mails about one seller, or from one part of the Internet, wait for their
// turn: see Place.
func countedOf(p Purpose, seller string, a Address, client netip.Addr) counted {
	key := func(parts ...string) Hash { return hashOf(append([]string{string(p)}, parts...)...) }
	mailbox, plus := folded(a), strconv.FormatBool(strings.Contains(a.Local, "+"))
	address := key("address", network(client, 32, 64))
	c := counted{origin: address, crowds: []Hash{key("seller", seller), key("region", network(client, 16, 32))}}
	c.bounds = []bound{
		// The first bound limits who can flood the mailbox by asking in its name. Spellings
		// with a plus are counted together, separately from the plain one: they may not
		// arrive, and must not use up the limit of the one that does.
		{key("mailbox", mailbox, plus), 5, time.Hour},
		{key("repeat", mailbox, seller), 1, time.Minute},
		{address, 10, time.Hour}, // for IPv6, a /64 network
	}
	if client.Unmap().Is6() { // one site has at most a /48 network
		c.origin = key("network", network(client, 32, 48))
		c.bounds = append(c.bounds, bound{c.origin, 40, time.Hour})
	}
	return c
}

// keys returns everything that is counted, without duplicates.
func (c counted) keys() []Hash {
	all := append([]Hash{c.origin}, c.crowds...)
	for _, b := range c.bounds {
		all = append(all, b.key)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// folded returns a mailbox without what servers commonly ignore: letter case, and anything
// after a plus. It is only used for counting.
func folded(a Address) string {
	local, _, _ := strings.Cut(strings.ToLower(a.Local), "+")
	return local + "@" + a.Domain
}

// network returns the range with that many leading bits, for IPv4 or IPv6, that contains an
// address.
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

// recent returns when something was counted within a period, the newest first. Of two
// concurrent starts, the other may be slightly later than now. Times later than now plus
// span were recorded when a clock was ahead, and are ignored.
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
		Detail: fmt.Sprintf("Too many requests. Try again in %d seconds. An email may already be on its way, and its link works.", int(seconds.Seconds())),
	}
}

// countingTime is how long a start is counted. It is the longest span of the bounds, and
// the period for counting turns.
const countingTime = time.Hour

// mostCounted is the maximum count. Beyond it all starts are equal, so that an honest start
// in a crowd is not far behind.
const mostCounted = 20

// place returns the place in line of a start's mail.
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
