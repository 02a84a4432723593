package verification

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"souk/build/catalog"
)

// Config configures a Process. Ledger, Now and Random are required. Sellers is required
// too, except for API tokens, restoring and lists.
type Config struct {
	Ledger  Ledger
	Sellers Sellers
	// Now is the wall clock.
	Now func() time.Time
	// Random returns unpredictable bits, as crypto/rand.Reader does.
	Random io.Reader
	// LinkLifetime is how long a link is valid, counted from the start; default
	// DefaultLinkLifetime.
	LinkLifetime time.Duration
	// Unlimited disables the rate limits, for tests and trusted networks.
	Unlimited bool
}

// DefaultLinkLifetime is the lifetime in the contract.
const DefaultLinkLifetime = 24 * time.Hour

// idempotencyLifetime is how long a key is remembered.
const idempotencyLifetime = 24 * time.Hour

// A Process runs the operations of this package. Its methods are safe for concurrent use,
// and several Processes may share a Ledger.
type Process struct {
	config Config
	// strangers is the Ledger for starts, claims and bearer tokens. guesses is the Ledger
	// for looking at a removal's token before it is known to be correct.
	strangers, guesses share
	// claiming detects races of claims, within this process only. Across machines the
	// ledger still lets only one win, but a loser from the same workspace may be told that
	// its claim attached the profile.
	claiming overlaps
}

// shareSize is how many transactions of each share run at once. Starts are serialized
// anyway.
const shareSize = 2

// New returns a Process.
func New(c Config) (*Process, error) {
	if c.Ledger == nil || c.Now == nil || c.Random == nil {
		return nil, errors.New("verification needs a ledger, a clock and randomness")
	}
	if c.LinkLifetime < 0 {
		return nil, errors.New("the lifetime of a link must not be negative")
	}
	if c.LinkLifetime == 0 {
		c.LinkLifetime = DefaultLinkLifetime
	}
	return &Process{config: c, strangers: shareOf(c.Ledger, shareSize), guesses: shareOf(c.Ledger, shareSize)}, nil
}

// now returns the time in the precision of the ledger.
func (p *Process) now() time.Time { return p.config.Now().UTC().Truncate(time.Microsecond) }

// checkPublic fails if a seller, looked up for a start or a verification, is not public or
// is withheld.
func checkPublic(s Seller, ok bool) error {
	switch {
	case ok && s.Removed:
		return removed()
	case !ok || !s.Current:
		return notFound()
	default:
		return nil
	}
}

// checkNotRemoved fails if an active removal on record applies to a seller.
func checkNotRemoved(r RemovalReader, s Seller) error {
	_, gone, err := r.ActiveRemoval(s.ID, s.OfficialDomain)
	if err == nil && gone {
		return removed()
	}
	return err
}

// bySlug looks a seller up for a start. If no seller has the slug now, it asks the ledger
// whether a removed seller had it.
func (p *Process) bySlug(ctx context.Context, slug string) (Seller, error) {
	s, ok, err := p.config.Sellers.BySlug(ctx, slug)
	if err != nil {
		return Seller{}, err
	}
	refused := checkPublic(s, ok)
	if refused == nil || ok || catalog.CheckSlug(slug) != nil {
		return s, refused
	}
	err = p.strangers.View(ctx, func(r Reader) error {
		gone, err := r.SlugRemoved(slug)
		if gone {
			refused = removed()
		}
		return err
	})
	if err != nil {
		return s, err
	}
	return s, refused
}

// These lengths are in characters.
const (
	longestName      = 100
	longestWorkspace = 200
	longestReason    = 1000
)

// checkName returns what is wrong with a requester's name. The name is part of a mail to
// somebody who may not know of the request, so it must contain no line break, markup or
// URL.
func checkName(name string) []FieldFault {
	const field = "requesterName"
	switch lower := strings.ToLower(name); {
	case name == "":
		return []FieldFault{{field, FaultRequired, "enter your name"}}
	case utf8.RuneCountInString(name) > longestName:
		return []FieldFault{{field, FaultTooLong, "at most 100 characters"}}
	case !printable(name), strings.ContainsAny(name, "<>@"), strings.Contains(lower, "://"), strings.Contains(lower, "www."):
		return []FieldFault{{field, FaultInvalid, "enter only your name, in one line, without an address"}}
	default:
		return nil
	}
}

// printable reports whether text is one line without characters that affect how others are
// displayed. The joiners that some scripts need count as letters.
func printable(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, c := range text {
		const nonJoiner, joiner = '\u200c', '\u200d'
		if c == nonJoiner || c == joiner {
			continue
		}
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return true
}
