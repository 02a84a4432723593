package cluster

import (
	"context"

	"souk/dynamic/search/match"
)

// A Cluster is an engine elsewhere that matches, filters, counts and sorts the listings
// of a release.
type Cluster interface {
	// Hold makes the cluster hold these documents, all of them and no others, and returns
	// what asks for them. It returns when they are there and counted; asked for again
	// it goes on with what is missing.
	Hold(ctx context.Context, d *Documents) (Holding, error)
}

// A Holding answers Questions about the Documents of one release. It returns an error
// rather than an Answer of a part of them.
type Holding interface {
	Ask(ctx context.Context, q *Question) (*Answer, error)
}

// A Question says in exact terms, numbers and ids which listings are wanted, in which
// order, and what is to be counted.
type Question struct {
	// Tiers are what a listing must be in one of; the greatest step that it is in
	// comes first.
	Tiers []Tier
	// Words and Preferred order the listings of one step, in what stands for them.
	Words     []WordWeight
	Preferred []Preferred
	// Among narrows to those that hold it as well; nil does not.
	Among *match.Terms
	// Without are left out, and the listings of the sellers whose ids are Withheld.
	Without  []Exclusion
	Withheld []uint32
	// Narrowings must all be passed. They do not narrow what is counted of themselves.
	Narrowings []Narrowing
	// Sort is relevance, name, newest or price of package document; Currency is that of
	// a price. Pinned come before all others by relevance, in order. Equals are in the order
	// of their numbers.
	Sort, Currency string
	Pinned         []uint32
	// Offset and Limit say which listings are told.
	Offset, Limit int
	// Counts: how many have each id is asked for, of each filter those that
	// Documents.Told tells of.
	Counts bool
}

// A Tier is a way to be found.
type Tier struct {
	// Step says how strict it is: the greatest comes first. It is at least 1.
	Step int
	// Everything: all listings are in it. Else those of these numbers are, and those
	// that hold so many of the groups that their weights are at least Least.
	Everything bool
	Numbers    []uint32
	Groups     []*match.Terms
	// Weights are those of the groups, nil if each is 1.
	Weights []int
	Least   int
}

// maxStep is the greatest step of a Tier.
const maxStep = 11

// A WordWeight is how much the listings of a word come first.
type WordWeight struct {
	*match.Terms
	// Weight is that of a listing that says nothing else, positive.
	Weight float64
	// Named: it counts more in a name.
	Named bool
}

// Preferred are the ids of a filter whose listings come before others of their tier.
type Preferred struct {
	Filter string
	IDs    []uint32
}

// A Narrowing lets listings pass that have one of some ids of a filter.
type Narrowing struct {
	Filter string
	// Runs are ids from the first to before the second.
	Runs [][2]uint32
}

// An Exclusion leaves out the listings that pass all Narrowings and hold Terms, if there are any.
type Exclusion struct {
	Narrowings []Narrowing
	Terms      *match.Terms
}

// An Answer is what a Question asked for.
type Answer struct {
	Total int
	Top   []Ranked
	// Counts are those of the listings that pass all narrowings, by filter.
	Counts map[string][]Count
	// Without has, for each narrowing, what passes all others: how many listings, and how
	// many of them have each id of its filter.
	Without []Uncounted
}

// A Ranked is a listing that is told, with how well its words match.
type Ranked struct {
	Number uint32
	Score  float64
}

// An Uncounted is what passes all narrowings but one.
type Uncounted struct {
	Total  int
	Counts []Count
}

// A Count is how many listings have an id.
type Count struct {
	ID       uint32
	Listings int
}
