package catalog

// A Removal is the durable fact that a Seller left the public surface. It
// holds for the canonical id and for the official domain; either may be empty.
type Removal struct{ ID, Domain string }

// Removals is a set of removals; the zero value and nil are the empty set.
type Removals struct {
	list    []Removal
	ids     map[string]bool
	domains map[string]bool
	// addresses are those that the removed ever had, as far as is known.
	addresses []string
}

// NewRemovals makes a set. Domains are in lower-case ASCII form; addresses are
// those that the removed ever had, relative to the API, and need not be complete.
func NewRemovals(list []Removal, addresses ...string) *Removals {
	r := &Removals{list: list, ids: map[string]bool{}, domains: map[string]bool{}, addresses: addresses}
	for _, one := range list {
		if one.ID != "" {
			r.ids[one.ID] = true
		}
		if one.Domain != "" {
			r.domains[one.Domain] = true
		}
	}
	return r
}

// List gives the removals as they were given.
func (r *Removals) List() []Removal {
	if r == nil {
		return nil
	}
	return r.list
}

// Addresses gives those that the removals came with.
func (r *Removals) Addresses() []string {
	if r == nil {
		return nil
	}
	return r.addresses
}

// Empty tells whether nobody is removed.
func (r *Removals) Empty() bool { return r == nil || len(r.list) == 0 }

// HoldsID tells whether the seller of a canonical id is removed.
func (r *Removals) HoldsID(id string) bool { return r != nil && r.ids[id] }

// Holds tells whether a seller is removed: by its id, or by its official or a
// former domain, since the same company may come back under another slug.
func (r *Removals) Holds(s *Seller) bool {
	if r.Empty() {
		return false
	}
	return r.ids[s.ID] || r.HoldsDomain(s) != ""
}

// HoldsDomain gives the domain of a seller that is removed, or "".
func (r *Removals) HoldsDomain(s *Seller) string {
	if r.Empty() {
		return ""
	}
	if r.domains[s.OfficialDomain] {
		return s.OfficialDomain
	}
	for _, d := range s.FormerDomains {
		if r.domains[d] {
			return d
		}
	}
	return ""
}

// cameBack gives the domain by which a seller is removed although the removal
// named another company, or "".
func (r *Removals) cameBack(s *Seller) string {
	domain := r.HoldsDomain(s)
	if domain == "" || r.ids[s.ID] {
		return ""
	}
	for _, one := range r.list {
		if one.Domain == domain && one.ID != "" && one.ID != domain {
			return domain
		}
	}
	return ""
}

// HoldsOwner tells whether the seller of a canonical id or of one of the
// domains is removed, for one that the content no longer has.
func (r *Removals) HoldsOwner(id string, domains []string) bool {
	if r.Empty() {
		return false
	}
	for _, d := range domains {
		if r.domains[d] {
			return true
		}
	}
	return r.ids[id]
}
