package engine

import (
	"context"

	"souk/dynamic/search/corpus"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/match"
)

// An Engine finds, sorts and counts the listings that match a text. A matcher decides
// beforehand what a text means in words, which words are misspelled, and when a laxer tier is
// used: an engine knows groups of listings, tiers and ids, and no language. The embedded
// engine counts with the postings of the parts; that of a Cluster sends requests.
type Engine interface {
	// Begin begins a query.
	Begin(ctx context.Context, v *corpus.Visibility) Begun
}

// A Begun is a query in progress.
type Begun interface {
	match.Gathering
	// End ends the query and returns the matches.
	End() Found
}

// Found are the listings that match a text, before filters.
type Found interface {
	// Passing returns how many pass a selection.
	Passing(ctx context.Context, c *facet.Selection) (int, error)
	// Without excludes listings.
	Without(out []Exclusion) Found
	// Prefer puts preferred listings before others of their tier.
	Prefer(wanted *Preferences)
	// Tally counts, and returns a page of the best matches. The caller must call done after
	// using it.
	Tally(ctx context.Context, c *facet.Selection, offset, limit int) (t *facet.Tally, done func(), err error)
}

// An Exclusion excludes the listings that pass a selection and have postings; nil stands for
// all.
type Exclusion struct {
	Selection *facet.Selection
	Postings  *match.Postings
}

// Preferences are preferred sellers, categories with their descendants, and listings with one
// of the values served.
type Preferences struct {
	Sellers    []int32
	Served     []Serving
	Categories []int32
}

func (p *Preferences) Empty() bool { return len(p.Sellers)+len(p.Served)+len(p.Categories) == 0 }

// A Serving is a preferred value of a facet: where services are offered, or a property of
// listings.
type Serving struct {
	Filter string
	ID     uint32
}

// A preferred listing comes before others of its tier, unless its score is much lower. The
// factor was chosen on the tuning half of the cncf questions.
const preferFactor, preferPlus = 2, 3
