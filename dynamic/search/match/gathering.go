package match

import (
	"context"

	"souk/dynamic/search/hit"
)

// A Gathering collects the listings of one query, the strictest tier first. A listing stays in
// its first tier; listings of withheld sellers are left out.
type Gathering interface {
	// Everything adds all listings.
	Everything()
	// One adds a listing found by an exact term.
	One(t hit.Tier, score float32, doc uint32)
	// All adds the listings that have every needed group.
	All(t hit.Tier, groups []Group, needed int)
	// Weighed adds the listings with every required group, then those with one part in so many
	// of the total weight and, on request or if fewer than FewAnswers matched, those with any
	// group.
	Weighed(groups []Group, needed, part int, any bool) error
	// Count returns the number of listings so far.
	Count() (int, error)
	// Best returns the keys of the best listings, in order.
	Best(most int) ([]uint64, error)
	// Lift orders listings that lack some words by additional words too.
	Lift(words []Learnt)
	// Any reports whether any of the listings has a term.
	Any(ctx context.Context, p *Postings) (bool, error)
}
