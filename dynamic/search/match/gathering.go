package match

import (
	"context"

	"souk/dynamic/search/hit"
)

// A Gathering collects the listings of one query, the strictest tier first. One that is
// there already stays in its tier; those of withheld sellers are left out.
type Gathering interface {
	// Everything adds all listings.
	Everything()
	// One adds a listing that is known by an exact term.
	One(t hit.Tier, score float32, doc uint32)
	// All adds the listings that have every needed group.
	All(t hit.Tier, groups []Group, needed int)
	// Weighed adds those that have every needed group, then those that hold one part in so
	// many of their weight and, if it is asked for or fewer than FewAnswers were found, those
	// that hold any.
	Weighed(groups []Group, needed, part int, any bool) error
	// Count returns how many were found.
	Count() (int, error)
	// Best returns the keys of the best so many, in order.
	Best(most int) ([]uint64, error)
	// Lift orders what lacks words by further words as well.
	Lift(words []Learnt)
	// Any reports whether any of them has a term.
	Any(ctx context.Context, p *Postings) (bool, error)
}
