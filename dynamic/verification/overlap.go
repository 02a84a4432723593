package verification

import "sync"

// overlaps distinguishes concurrent verifications of a claim from repeated ones: if they
// overlap in time, they race and only one wins.
type overlaps struct {
	mu      sync.Mutex
	running map[string]*race
}

// A race is a set of overlapping verifications of one claim.
type race struct {
	running int
	// pending means that one of them found the claim pending, so one of them used it.
	pending bool
}

// enter joins or starts the race of a claim; leave ends it when the last participant
// leaves.
func (o *overlaps) enter(claimID string) (r *race, leave func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.running == nil {
		o.running = map[string]*race{}
	}
	r = o.running[claimID]
	if r == nil {
		r = &race{}
		o.running[claimID] = r
	}
	r.running++
	return r, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if r.running--; r.running == 0 {
			delete(o.running, claimID)
		}
	}
}

// foundPending must be called before the claim can be used.
func (o *overlaps) foundPending(r *race) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r.pending = true
}

// lost reports whether a claim that was found used was used within this race.
func (o *overlaps) lost(r *race) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return r.pending
}
