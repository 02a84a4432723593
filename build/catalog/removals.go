package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Removal is the durable fact that a Seller was removed from the public
// surface, with what it takes to recognise the same company again. It is in force
// for every later build until it is restored.
type Removal struct {
	// ID is the canonical id, Domain the official domain and Slug the
	// companySlug, each as it was when the Seller was removed. A handwritten
	// list may have just one of them.
	ID, Domain, Slug string
	// FormerIDs are the canonical ids that the Seller had before; one that is in SeparateIDs is
	// another company's by now.
	FormerIDs []string
	// SeparateIDs has the canonical ids of the Sellers that had Domain among their former
	// domains, or an address of the removed one among their aliases, or that were at a
	// companySlug which the removed one had before, when the removal was verified: other
	// companies, which it never removes.
	SeparateIDs []string
	// Addresses are all known addresses that the Seller ever had, relative to the API,
	// except those at which another company was when the Seller was removed. It is nil if
	// nobody has recorded any, as in a list written by hand, so that the content tells.
	Addresses []string
	// At is when the Seller was removed; zero where nobody told.
	At time.Time
	// Undone is when the removal was restored; zero while it is in force. One that was
	// withholds no one, and is kept because it explains why the stubs that it left may be
	// deleted.
	Undone time.Time
}

// Restored reports whether the removal was undone.
func (r Removal) Restored() bool { return !r.Undone.IsZero() }

// A Company is what identifies a Seller across removals.
type Company struct {
	// ID is the canonical id, Domain the official domain.
	ID, Slug, Domain string
	// Former are its former domains, Aliases the companySlugs that it had before.
	Former, Aliases []string
	// Web are the hosts of its web addresses and its mailbox, of a company that has declared
	// no official domain.
	Web []string
	// ReplacesRemoved: the content declares that this is not the company that had
	// the companySlug before.
	ReplacesRemoved bool
}

// Company returns what identifies a Seller.
func (s *Seller) Company() Company {
	c := Company{ID: s.ID, Slug: s.Ref.Slug, Domain: s.OfficialDomain, Former: s.FormerDomains, ReplacesRemoved: s.ReplacesRemoved}
	for _, a := range s.Aliases {
		c.Aliases = append(c.Aliases, a.Ref.Slug)
	}
	if s.OfficialDomain == "" || s.DomainDerived {
		c.Web = Hosts(s.Website)
		if s.Contact != nil {
			c.Web = append(c.Web, Hosts(s.Contact.URL, "//"+s.Contact.Email)...)
		}
	}
	return c
}

// By is the rule by which a Removal matches a company.
type By string

// What a Removal matches a company by.
const (
	ByID           By = "id"
	ByDomain       By = "official domain"
	ByFormerDomain By = "former domain"
	ByAlias        By = "alias"
	BySlug         By = "companySlug"
	ByWebsite      By = "website"
)

// A Hold is why a company is withheld.
type Hold struct {
	Removal Removal
	By      By
}

// Own reports whether the removal is that of the company itself, and not of one
// that it was before or whose place it took: its addresses are gone, where those
// of the others were never public. Whoever wrote a list by hand may have taken another
// word for the id: there the official domain tells.
func (h Hold) Own() bool {
	return h.By == ByID || h.By == ByDomain && (h.Removal.ID == "" || h.Removal.Addresses == nil || strings.EqualFold(strings.TrimSuffix(h.Removal.ID, "."), h.Removal.Domain))
}

// Removals is everything on record about who was removed, at one moment: the
// one answer to who is withheld. It does not change; who needs another is
// handed another. Nil and the zero value know of no one.
type Removals struct {
	// Revision grows with each change to the ledger that the set was read from: of
	// two sets from the same ledger, the one with the higher revision is later.
	// It is 0 without a ledger.
	Revision uint64

	list []Removal
	key  string
	// holding indexes the removals in force, ever the restored ones too.
	holding, ever index
}

// An index finds removals by what identifies companies.
type index struct {
	list []Removal
	// ids has folded ids.
	ids, domains map[string][]int
	addresses    func() map[string]bool
	// slugs finds by every companySlug that a removed Seller ever had.
	slugs func() map[string][]int
}

func newIndex(list []Removal) index {
	x := index{list: list, ids: map[string][]int{}, domains: map[string][]int{}}
	for i, one := range list {
		former := slices.DeleteFunc(slices.Clone(one.FormerIDs), func(id string) bool { return slices.Contains(one.SeparateIDs, id) })
		for _, id := range append(former, one.ID) {
			if id = foldedID(id); id != "" {
				x.ids[id] = append(x.ids[id], i)
			}
		}
		if one.Domain != "" {
			x.domains[one.Domain] = append(x.domains[one.Domain], i)
		}
	}
	x.slugs = sync.OnceValue(func() map[string][]int {
		all := map[string][]int{}
		for i, one := range list {
			for _, slug := range one.slugs() {
				all[slug] = append(all[slug], i)
			}
		}
		return all
	})
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

// slugs returns every companySlug that the Seller ever had, its last one first.
func (r Removal) slugs() (all []string) {
	if r.Slug != "" {
		all = append(all, r.Slug)
	}
	for _, address := range r.Addresses {
		if slug, profile := SlugIn(address); profile && slug != r.Slug {
			all = append(all, slug)
		}
	}
	return all
}

// SlugIn returns the companySlug in an address relative to the API, or "", and whether the
// address is that of the profile.
func SlugIn(address string) (slug string, profile bool) {
	below, ours := strings.CutPrefix(address, SellerRef("").address())
	if !ours {
		return "", false
	}
	slug, _, deeper := strings.Cut(below, "/")
	return slug, !deeper
}

// NewRemovals returns a set. Domains must be in lower-case ASCII form.
func NewRemovals(list []Removal) *Removals {
	r := &Removals{list: slices.Clone(list)}
	var holding []Removal
	keys := make([]string, len(r.list))
	for i := range r.list {
		one := &r.list[i]
		one.Domain = BareDomain(one.Domain)
		keys[i] = one.key()
		if !one.Restored() {
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

// key identifies what a removal says.
func (r Removal) key() string {
	return fmt.Sprintf("%q %q %q %q %q %t %t %q", r.ID, r.Domain, r.Slug, r.FormerIDs, r.SeparateIDs, r.Restored(), r.Addresses == nil, r.Addresses)
}

// With returns a set that has more removals.
func (r *Removals) With(more ...Removal) *Removals {
	if r != nil && len(more) == 0 {
		return r
	}
	all := NewRemovals(slices.Concat(r.List(), more))
	if r != nil {
		all.Revision = r.Revision
	}
	return all
}

// List returns all removals, including restored ones, in the order in which they
// were given.
func (r *Removals) List() []Removal {
	if r == nil {
		return nil
	}
	return r.list
}

// Empty reports whether no removal is in force.
func (r *Removals) Empty() bool { return r == nil || len(r.holding.list) == 0 }

// Key is a digest of the set: two sets with different keys differ.
func (r *Removals) Key() string {
	if r == nil {
		return ""
	}
	return r.key
}

// Holds reports whether a removal withholds a company, and the first that does by
// the first rule that matches.
func (r *Removals) Holds(c Company) (Hold, bool) {
	for hold := range r.Holding(c) {
		return hold, true
	}
	return Hold{}, false
}

// Holding returns the removals that withhold a company, each once, by the first
// rule that matches: the canonical id; the official domain; a former domain, or
// a companySlug that the removed Seller ever had among the aliases, unless the
// company is in SeparateIDs; a companySlug that the removed Seller ever had, unless the
// company replaces the removed Seller there, or is in SeparateIDs and the removed Seller
// had left that companySlug; a website at or below the official domain.
func (r *Removals) Holding(c Company) iter.Seq[Hold] {
	return func(yield func(Hold) bool) {
		if r.Empty() {
			return
		}
		x, more, folded := r.holding, true, foldedID(c.ID)
		var told []int
		hold := func(at []int, by By) {
			for _, i := range at {
				if more && !slices.Contains(told, i) {
					told = append(told, i)
					more = yield(Hold{x.list[i], by})
				}
			}
		}
		// apart leaves out the removals beside which the company stood.
		apart := func(at []int) []int {
			return slices.DeleteFunc(slices.Clone(at), func(i int) bool {
				return slices.ContainsFunc(x.list[i].SeparateIDs, func(id string) bool { return foldedID(id) == folded })
			})
		}
		hold(x.ids[folded], ByID)
		hold(x.domains[c.Domain], ByDomain)
		for _, domain := range c.Former {
			hold(apart(x.domains[domain]), ByFormerDomain)
		}
		for _, slug := range c.Aliases {
			hold(apart(x.slugs()[slug]), ByAlias)
		}
		if at := x.slugs()[c.Slug]; !c.ReplacesRemoved {
			hold(slices.DeleteFunc(slices.Clone(at), func(i int) bool { return x.list[i].Slug != c.Slug }), BySlug)
			hold(apart(at), BySlug)
		}
		for _, host := range c.Web {
			for below := host; below != ""; _, below, _ = strings.Cut(below, ".") {
				hold(x.domains[below], ByWebsite)
			}
		}
	}
}

// HoldsAddress reports whether an address, relative to the API, is on record as
// a removed Seller's.
func (r *Removals) HoldsAddress(address string) bool {
	return !r.Empty() && r.holding.addresses()[address]
}

// HoldsSlug reports whether a companySlug is on record as a removed Seller's, its last one
// or one before.
func (r *Removals) HoldsSlug(slug string) bool {
	return !r.Empty() && len(r.holding.slugs()[slug]) > 0
}

// Explains reports whether any removal, restored or not, is of this company or
// has this address, so that a stub there has a reason.
func (r *Removals) Explains(c Company, address string) bool {
	if r == nil || len(r.list) == 0 {
		return false
	}
	known := func(domain string) bool { return len(r.ever.domains[domain]) > 0 }
	return len(r.ever.ids[foldedID(c.ID)])+len(r.ever.slugs()[c.Slug]) > 0 || known(c.Domain) || slices.ContainsFunc(c.Former, known) ||
		r.ever.addresses()[address]
}

// Standing returns the set without what was restored before a moment, which explains no
// stub that stands at it.
func (r *Removals) Standing(at time.Time) *Removals {
	if r == nil {
		return nil
	}
	return NewRemovals(slices.DeleteFunc(slices.Clone(r.list), func(one Removal) bool { return one.Restored() && one.Undone.Before(at) }))
}

// knows reports whether a removal that was in force once is on record: in force, or
// restored. An older one of the same company is not it: that was restored before.
func (r *Removals) knows(once Removal) bool {
	if r == nil {
		return false
	}
	for _, i := range slices.Concat(r.ever.ids[foldedID(once.ID)], r.ever.domains[once.Domain]) {
		one, at := r.list[i], once.At
		if one.At.Nanosecond() == 0 { // a list tells seconds
			at = at.Truncate(time.Second)
		}
		if !one.Restored() || one.At.IsZero() || !one.At.Before(at) {
			return true
		}
	}
	return false
}

// Since compares a set with an earlier one. It returns the removals that are newly in force,
// those that were restored, and those in force before that are not on record any more, as after
// the ledger was put back from a backup.
func (r *Removals) Since(before *Removals) (added, restored, lost []Removal) {
	if r.Key() == before.Key() {
		return nil, nil, nil
	}
	held, holds := map[string]bool{}, map[string]bool{}
	for _, one := range before.List() {
		held[one.key()] = !one.Restored()
	}
	for _, one := range r.List() {
		if one.Restored() {
			continue
		}
		holds[one.ID+"\n"+one.Domain+"\n"+one.Slug] = true
		if !held[one.key()] {
			added = append(added, one)
		}
	}
	for _, one := range before.List() {
		switch {
		case one.Restored() || holds[one.ID+"\n"+one.Domain+"\n"+one.Slug]:
		case r.knows(one):
			restored = append(restored, one)
		default:
			lost = append(lost, one)
		}
	}
	return added, restored, lost
}

// A Register holds the latest Removals that this process knows of, for those who
// must obey them at once. It is safe for concurrent use.
type Register struct{ now atomic.Pointer[Removals] }

// Now returns the latest set, or nil if there is none yet or r is nil.
func (r *Register) Now() *Removals {
	if r == nil {
		return nil
	}
	return r.now.Load()
}

// Learn stores a set unless a later one is known: a goroutine that read the
// ledger earlier may arrive later. Of nil nothing is learned: a ledger that is
// gone brings nobody back.
func (r *Register) Learn(set *Removals) {
	for set != nil {
		known := r.now.Load()
		if known != nil && known.Revision > set.Revision || r.now.CompareAndSwap(known, set) {
			return
		}
	}
}
