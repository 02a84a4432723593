package cluster

import (
	"context"

	"souk/dynamic/search/match"
)

// A Cluster is an engine elsewhere that matches, filters, counts and sorts the listings of a
// release.
type Cluster interface {
	// Hold makes the cluster store exactly these documents, and returns the Holding that
	// answers questions about them. It returns when they are stored and counted. If it is
	// called again, it continues with the missing ones.
	Hold(ctx context.Context, d *Documents) (Holding, error)
}

// A Holding answers Questions about the Documents of one release. It returns an error rather
// than a partial Answer.
type Holding interface {
	Ask(ctx context.Context, q *Question) (*Answer, error)
}

// A Question says in exact terms, numbers and ids which listings are requested, in which
// order, and what to count.
type Question struct {
	// Tiers are the alternatives, one of which a listing must satisfy. The highest step that
	// it satisfies comes first.
	Tiers []Tier
	// Words and Preferred order the listings of one step.
	Words     []WordWeight
	Preferred []Preferred
	// Among narrows to listings that also match it; nil does not.
	Among *match.Terms
	// Without are excluded, and so are the listings of sellers whose ids are Withheld.
	Without  []Exclusion
	Withheld []uint32
	// Narrowings must all be passed. They do not narrow the counts of their own filter.
	Narrowings []Narrowing
	// Sort is relevance, name, newest or price of package document; Currency is that of a
	// price. Pinned come before all others by relevance, in order. Ties are in the order of
	// their numbers.
	Sort, Currency string
	Pinned         []uint32
	// Offset and Limit select the page of listings to return.
	Offset, Limit int
	// Counts requests the number of listings with each id, for each filter as many as
	// Documents.Told says.
	Counts bool
}

// A Tier is one way to match.
type Tier struct {
	// Step says how strict it is; the highest comes first. It is at least 1.
	Step int
	// Everything means that all listings match. Otherwise those with these numbers match, and
	// those in groups whose total weight is at least Least.
	Everything bool
	Numbers    []uint32
	Groups     []*match.Terms
	// Weights are the weights of the groups, or nil if each is 1.
	Weights []int
	Least   int
}

// maxStep is the maximum step of a Tier.
const maxStep = 11

// A WordWeight is the influence of a word on the order.
type WordWeight struct {
	*match.Terms
	// Weight is the positive weight of a listing with no other word.
	Weight float64
	// Named means that it counts more in a name.
	Named bool
}

// Preferred are the ids of a filter whose listings come before others of their tier.
type Preferred struct {
	Filter string
	IDs    []uint32
}

// A Narrowing passes listings with one of some ids of a filter.
type Narrowing struct {
	Filter string
	// Runs are ranges of ids, from the first to before the second.
	Runs [][2]uint32
}

// An Exclusion excludes the listings that pass all Narrowings and have Terms, if there are
// any.
type Exclusion struct {
	Narrowings []Narrowing
	Terms      *match.Terms
}

// An Answer is the result of a Question.
type Answer struct {
	Total int
	Top   []Ranked
	// Counts are the counts, by filter, of the listings that pass all narrowings.
	Counts map[string][]Count
	// Without contains, for each narrowing, the number of listings that pass all others, and
	// their counts by id of its filter.
	Without []Uncounted
}

// A Ranked is a listing in the result, with its score.
type Ranked struct {
	Number uint32
	Score  float64
}

// An Uncounted is the result of passing all narrowings but one.
type Uncounted struct {
	Total  int
	Counts []Count
}

// A Count is the number of listings with an id.
type Count struct {
	ID       uint32
	Listings int
}
