package dynamic

import (
	"context"
	"sync/atomic"
	"time"

	"souk/build/document"
	"souk/build/site"
	"souk/dynamic/search"
	"souk/dynamic/verification"
	"souk/dynamic/web/preview"
)

// An origin is where the releases come from that a server answers with: builds, which
// makes them of content, or a follower of those that another process makes.
type origin interface {
	observed
	learner
	remover
	// begin makes or opens the first release, before anything is served.
	begin(ctx context.Context) error
	// parts are what keeps it up to date from then on, each until ctx ends.
	parts() []func(ctx context.Context)
	// served describes what is served, but for the address.
	served() Served
	close() error
}

// observed is what answers, health and metrics read of an origin.
type observed interface {
	// shown is what requests are answered from.
	shown() shown
	// state is what health and metrics report.
	state() state
}

// A learner learns of removals.
type learner interface {
	// shown is what requests are answered from.
	shown() shown
	// learn reads who is removed, who are withheld from then on.
	learn(ctx context.Context) error
	// signals are heard, which takes a value when another process announced a removal or
	// a release, and newer, which has one when the release is another; nil where others
	// hear of it anyway.
	signals() (heard chan<- struct{}, newer <-chan struct{})
}

// A remover makes removals take effect.
type remover interface {
	// remove waits until a removal that is on record is released, or ctx ends, after which
	// that goes on: from its call on the seller is withheld from every answer, and when it
	// returns nil nothing of it is public.
	remove(ctx context.Context, removal verification.Removal) error
	// copied returns the state of the published copy, once that is up to date or
	// some time has passed; empty where there is none.
	copied(ctx context.Context) string
}

// A shown is what requests are answered from. All of it is safe for concurrent use.
type shown struct {
	surface
	sellers directory
	live    *search.Live
	// pages renders the pages that are made for a request; nil where the site
	// belongs to somebody else. Its value is nil while there is no release.
	pages *atomic.Pointer[site.Site]
	// preview adds to the pages of a preview; nil where the release is none.
	preview *preview.Preview
}

// addresses returns those of the marketplace, as far as they are known by now.
func (s shown) addresses() document.Addresses {
	m, err := s.sellers.market()
	if err != nil {
		return document.Addresses{API: document.APIRoot}
	}
	return m.addresses
}

// A state is how an origin does.
type state struct {
	// checks are by the part that they are of.
	checks map[string]string
	// pending counts the removals on record that are not completed here.
	pending int
	// copied is when the published copy was last completed; copyPending tells that
	// it is behind.
	copied      time.Time
	copyPending bool
}
