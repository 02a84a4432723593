package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Removal is the durable fact that a Seller left the public surface, with
// what it takes to know the same company again. It outlives every later build,
// until it is restored.
type Removal struct {
	// ID is the canonical identity, Domain the official domain and Slug the
	// companySlug, each as it was when the Seller was removed. A list that was
	// written by hand may tell one of them alone.
	ID, Domain, Slug string
	// Beside are the canonical ids of Sellers that had Domain among their former
	// domains when the removal was verified: other companies, which it never
	// takes along.
	Beside []string
	// Addresses are those that the Seller ever had, relative to the API, as far
	// as they are known.
	Addresses []string
	// Restored: the removal was undone. It withholds no one; it says why the
	// stubs that it left may go.
	Restored bool
}

// A Company is what a Seller can be known again by.
type Company struct {
	// ID is the canonical identity, Domain the official domain.
	ID, Slug, Domain string
	// Former are its former domains.
	Former []string
	// ReplacesRemoved: the content says that this is not who had the companySlug
	// before.
	ReplacesRemoved bool
}

// Company returns what a Seller can be known again by.
func (s *Seller) Company() Company {
	return Company{ID: s.ID, Slug: s.Ref.Slug, Domain: s.OfficialDomain, Former: s.FormerDomains, ReplacesRemoved: s.ReplacesRemoved}
}

// By says by what a Removal knows a company.
type By string

// What a Removal knows a company by.
const (
	ByID           By = "id"
	ByDomain       By = "official domain"
	ByFormerDomain By = "former domain"
	BySlug         By = "companySlug"
)

// A Hold is why a company is withheld.
type Hold struct {
	Removal Removal
	By      By
}

// Own reports whether the removal is that of the company itself, and not of one
// that it was before or whose place it took: its addresses are gone, where those
// of the others were never public.
func (h Hold) Own() bool {
	return h.By == ByID || h.By == ByDomain && (h.Removal.ID == "" || strings.EqualFold(strings.TrimSuffix(h.Removal.ID, "."), h.Removal.Domain))
}

// Removals is everything on record about who was removed, at one moment: the
// one answer to who is withheld. It does not change; who needs another is
// handed another. Nil and the zero value know of no one.
type Removals struct {
	// Revision counts the changes of the ledger that it was read from: of two
	// from the same ledger the one with the higher revision is later. It is 0
	// without a ledger.
	Revision uint64

	list []Removal
	key  string
	// holding is of the removals that hold, ever of the restored ones too.
	holding, ever index
}

// An index finds removals by what companies are known by.
type index struct {
	list                []Removal
	ids, slugs, domains map[string][]int
	addresses           func() map[string]bool
}

func newIndex(list []Removal) index {
	x := index{list: list, ids: map[string][]int{}, slugs: map[string][]int{}, domains: map[string][]int{}}
	for i, one := range list {
		for _, by := range []struct {
			at    map[string][]int
			value string
		}{{x.ids, one.ID}, {x.slugs, one.Slug}, {x.domains, one.Domain}} {
			if by.value != "" {
				by.at[by.value] = append(by.at[by.value], i)
			}
		}
	}
	x.addresses = sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		for _, one := range list {
			for _, address := range one.Addresses {
				all[address] = true
			}
		}
		return all
	})
	return x
}

// NewRemovals makes a set. Domains are in lower-case ASCII form.
func NewRemovals(list []Removal) *Removals {
	r := &Removals{list: slices.Clone(list)}
	var holding []Removal
	keys := make([]string, len(r.list))
	for i := range r.list {
		one := &r.list[i]
		one.Domain = BareDomain(one.Domain)
		keys[i] = one.key()
		if !one.Restored {
			holding = append(holding, *one)
		}
	}
	if len(keys) > 0 {
		slices.Sort(keys)
		sum := sha256.Sum256(fmt.Appendf(nil, "%q", keys))
		r.key = hex.EncodeToString(sum[:16])
	}
	r.holding, r.ever = newIndex(holding), newIndex(r.list)
	return r
}

// key stands for what a removal says; addresses that were learnt later are told
// by their number.
func (r Removal) key() string {
	return fmt.Sprintf("%q %q %q %q %t %d", r.ID, r.Domain, r.Slug, r.Beside, r.Restored, len(r.Addresses))
}

// With returns the set with more removals.
func (r *Removals) With(more ...Removal) *Removals {
	if len(more) == 0 {
		return r
	}
	all := NewRemovals(slices.Concat(r.List(), more))
	if r != nil {
		all.Revision = r.Revision
	}
	return all
}

// List returns all removals, the restored ones too, in the order in which they
// were given.
func (r *Removals) List() []Removal {
	if r == nil {
		return nil
	}
	return r.list
}

// Empty reports whether no removal holds.
func (r *Removals) Empty() bool { return r == nil || len(r.holding.list) == 0 }

// Key stands for what the set holds: two sets with different keys differ.
func (r *Removals) Key() string {
	if r == nil {
		return ""
	}
	return r.key
}

// Holds reports whether a removal withholds a company, and which. The first rule
// that fits decides: the canonical id; the official domain; a former domain,
// but for who stood beside the removed Seller; the companySlug, but for who
// replaces the removed Seller there.
func (r *Removals) Holds(c Company) (Hold, bool) {
	if r.Empty() {
		return Hold{}, false
	}
	x := r.holding
	if at := x.ids[c.ID]; len(at) > 0 {
		return Hold{x.list[at[0]], ByID}, true
	}
	if at := x.domains[c.Domain]; len(at) > 0 {
		return Hold{x.list[at[0]], ByDomain}, true
	}
	for _, domain := range c.Former {
		for _, i := range x.domains[domain] {
			if !slices.Contains(x.list[i].Beside, c.ID) {
				return Hold{x.list[i], ByFormerDomain}, true
			}
		}
	}
	if at := x.slugs[c.Slug]; len(at) > 0 && !c.ReplacesRemoved {
		return Hold{x.list[at[0]], BySlug}, true
	}
	return Hold{}, false
}

// HoldsAddress reports whether an address, relative to the API, is on record as
// one that a removed Seller had.
func (r *Removals) HoldsAddress(address string) bool {
	return !r.Empty() && r.holding.addresses()[address]
}

// Explains reports whether a removal, restored or not, is of a company, or had
// an address: a stub there has a reason.
func (r *Removals) Explains(c Company, address string) bool {
	if r == nil || len(r.list) == 0 {
		return false
	}
	known := func(domain string) bool { return len(r.ever.domains[domain]) > 0 }
	return len(r.ever.ids[c.ID])+len(r.ever.slugs[c.Slug]) > 0 || known(c.Domain) || slices.ContainsFunc(c.Former, known) ||
		r.ever.addresses()[address]
}

// Since returns what changed after an earlier set: the removals that hold now
// and did not, and whether any that held does no more.
func (r *Removals) Since(before *Removals) (added []Removal, lifted bool) {
	if r.Key() == before.Key() {
		return nil, false
	}
	held, holds := map[string]bool{}, map[string]bool{}
	for _, one := range before.List() {
		held[one.key()] = !one.Restored
	}
	for _, one := range r.List() {
		if one.Restored {
			continue
		}
		holds[one.ID+"\n"+one.Domain+"\n"+one.Slug] = true
		if !held[one.key()] {
			added = append(added, one)
		}
	}
	for _, one := range before.List() {
		lifted = lifted || !one.Restored && !holds[one.ID+"\n"+one.Domain+"\n"+one.Slug]
	}
	return added, lifted
}

// A Register has the Removals that this process knows of now, for everyone who
// must answer by them at once. It is safe for concurrent use.
type Register struct{ now atomic.Pointer[Removals] }

// Now returns the set; nil before the first, and from a nil Register.
func (r *Register) Now() *Removals {
	if r == nil {
		return nil
	}
	return r.now.Load()
}

// Learn takes in a set, unless a later one is known: whoever read the ledger
// earlier may come later.
func (r *Register) Learn(set *Removals) {
	for {
		known := r.now.Load()
		if known != nil && known.Revision > set.Revision || r.now.CompareAndSwap(known, set) {
			return
		}
	}
}
