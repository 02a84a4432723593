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

// An origin provides the releases that a server serves: builds makes them from content,
// follower follows those of another process.
type origin interface {
	observed
	learner
	remover
	// begin builds or opens the first release, before anything is served.
	begin(ctx context.Context) error
	// parts returns the functions that keep the release up to date, each until ctx ends.
	parts() []func(ctx context.Context)
	// served describes what is served, except the address.
	served() Served
	close() error
}

// observed is the part of an origin that requests, health checks and metrics read.
type observed interface {
	// sources returns the data for answering requests.
	sources() sources
	// state returns the state for health checks and metrics.
	state() state
}

// A learner reads removals.
type learner interface {
	// sources returns the data for answering requests.
	sources() sources
	// learn reads the current removals. Their sellers are withheld from then on.
	learn(ctx context.Context) error
	// signals returns two channels that may be nil if they are not needed. heard receives a
	// value when another process announced a removal or a release; newer sends one when the
	// release has changed.
	signals() (heard chan<- struct{}, newer <-chan struct{})
}

// A remover makes removals take effect.
type remover interface {
	// remove waits until a recorded removal is released or ctx ends; the release continues
	// after that. From the call on, the seller is withheld from every answer. When remove
	// returns nil, nothing of the seller is public.
	remove(ctx context.Context, removal verification.Removal) error
	// copied waits a while for the published copy to be up to date and returns its state;
	// empty if there is no copy.
	copied(ctx context.Context) string
}

// sources is the data for answering requests. All of it is safe for concurrent use.
type sources struct {
	surface
	sellers directory
	live    *search.Live
	// pages renders the pages that are made on request; nil if the site belongs to another
	// program. Its value is nil while there is no release.
	pages *atomic.Pointer[site.Site]
	// preview makes the additions to a preview's pages; nil if this is not a preview.
	preview *preview.Preview
}

// addresses returns the marketplace's addresses, as far as they are known.
func (s sources) addresses() document.Addresses {
	m, err := s.sellers.market()
	if err != nil {
		return document.Addresses{API: document.APIRoot}
	}
	return m.addresses
}

// A state is the state of an origin.
type state struct {
	// checks contains the state of each part.
	checks map[string]string
	// pending is the number of recorded removals that are not completed here.
	pending int
	// copied is when the published copy was last completed; copyPending means that it is
	// behind.
	copied      time.Time
	copyPending bool
}
