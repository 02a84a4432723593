package search

import "context"

// An engine says which listings hold what a text asks for, in which order, and how many
// of them have what. What a text means in words, which of these are misspelt, and when
// a laxer tier is opened is decided before it, by a matcher: an engine knows groups of
// listings, tiers and ids, and no language. The embedded one counts with the postings
// of the parts, that of a Cluster asks elsewhere.
type engine interface {
	// begin begins a query.
	begin(ctx context.Context, x *Index, v *visibility) gathering
}

// A gathering collects the listings of one query, the strictest tier first. One that is
// there already stays in its tier; those of withheld sellers are left out.
type gathering interface {
	// everything adds all listings.
	everything()
	// one adds a listing that is known by an exact term.
	one(t tier, score float32, doc uint32)
	// all adds the listings that have every needed group.
	all(t tier, groups []group, needed int)
	// some adds those that have at least so many of the needed groups.
	some(t tier, groups []group, needed, least int)
	// weighed adds those that have every needed group, then those that hold enough of
	// them by weight and, where these are few, any.
	weighed(groups []group, needed int) error
	// count returns how many were found.
	count() (int, error)
	// best returns the keys of the best so many, in order.
	best(most int) ([]uint64, error)
	// lift orders what does not have every word by further words as well.
	lift(words []learnt)
	// end ends the gathering and returns what was found.
	end() found
}

// found are the listings that a text finds, before filters.
type found interface {
	// none reports whether there are none.
	none(ctx context.Context) (bool, error)
	// leaves reports whether any pass a selection.
	leaves(ctx context.Context, c *selection) (bool, error)
	// among returns those that have a term, and whether these are no more than so many.
	among(ctx context.Context, p *postings, most int) (docs []uint32, safe bool, err error)
	// within returns those that pass a selection, and whether these are no more than so many.
	within(ctx context.Context, c *selection, most int) (docs []uint32, safe bool, err error)
	// without leaves listings out.
	without(out map[uint32]bool) found
	// prefer puts listings that are preferred before others of their tier.
	prefer(wanted *preferences)
	// tally counts, and returns a page of the best. Whoever is done with it calls done.
	tally(ctx context.Context, c *selection, offset, limit int) (t *tally, done func(), err error)
}
