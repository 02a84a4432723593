package engine

import (
	"context"

	"souk/dynamic/search/corpus"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
)

// An Engine says which listings hold what a text asks for, in which order, and how many
// of them have what. What a text means in words, which of these are misspelt, and when
// a laxer tier is opened is decided before it, by a matcher: an engine knows groups of
// listings, tiers and ids, and no language. The embedded one counts with the postings
// of the parts, that of a Cluster asks elsewhere.
type Engine interface {
	// Begin begins a query.
	Begin(ctx context.Context, v *corpus.Visibility) Begun
}

// Begun is a gathering that its engine began.
type Begun interface {
	match.Gathering
	// End ends the gathering and returns what was found.
	End() Found
}

// Found are the listings that a text finds, before filters.
type Found interface {
	// Passing returns how many pass a selection.
	Passing(ctx context.Context, c *facet.Selection) (int, error)
	// Without leaves listings out.
	Without(out []Exclusion) Found
	// Prefer puts listings that are preferred before others of their tier.
	Prefer(wanted *Preferences)
	// Tally counts, and returns a page of the best. Whoever is done with it calls done.
	Tally(ctx context.Context, c *facet.Selection, offset, limit int) (t *facet.Tally, done func(), err error)
}

// An Exclusion leaves out the listings that pass a selection and have postings; nil is of all.
type Exclusion struct {
	Selection *facet.Selection
	Postings  *match.Postings
}

// Preferences are what is preferred: sellers, categories with their descendants, and what has one of the values
// served.
type Preferences struct {
	Sellers    []int32
	Served     []Serving
	Categories []int32
}

func (p *Preferences) Empty() bool { return len(p.Sellers)+len(p.Served)+len(p.Categories) == 0 }

// A Serving is a value of a facet that is preferred: where services are done, or what
// things have.
type Serving struct {
	Filter string
	ID     uint32
}

// What is preferred stands before others of its tier, unless it is much worse. The
// factor was chosen on the half of the questions over cncf that is there to tune on.
const preferFactor, preferPlus = 2, 3
