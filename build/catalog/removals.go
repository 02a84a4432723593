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

// A Removal is the durable fact that a Seller was removed from the public surface, with the
// data needed to recognise the same company again. It is in force for every later build until
// it is restored.
type Removal struct {
	// ID is the canonical id, Domain the official domain and Slug the companySlug, all as of
	// the removal. A handwritten list may have only one of them.
	ID, Domain, Slug string
	// FormerIDs are the canonical ids that the Seller had before. An id that is also in Beside
	// is now another company's.
	FormerIDs []string
	// Beside contains the canonical ids of other companies that the removal never covers. When
	// it was verified, these Sellers had Domain among their former domains, or an address of
	// the removed Seller among their aliases, or were at a companySlug that the removed Seller
	// had before.
	SeparateIDs []string
	// Addresses are all known addresses that the Seller ever had, relative to the API, except
	// those that another company had when the Seller was removed. It is nil if none are
	// recorded, as in a handwritten list; then the content decides.
	Addresses []string
	// At is when the Seller was removed; zero if unknown.
	At time.Time
	// Undone is when the removal was restored; zero while it is in force. A restored removal
	// withholds no Seller, but explains why the stubs that it left may be deleted.
	Undone time.Time
}

// Restored reports whether the removal was undone.
func (r Removal) Restored() bool { return !r.Undone.IsZero() }

// A Company identifies a Seller across removals.
type Company struct {
	// ID is the canonical id, Domain the official domain.
	ID, Slug, Domain string
	// Former are its former domains, Aliases its former companySlugs.
	Former, Aliases []string
	// Web are the hosts of its web addresses and its mailbox, if it has declared no official
	// domain.
	Web []string
	// ReplacesRemoved means that the content declares that this is not the company that had
	// the companySlug before.
	ReplacesRemoved bool
}

// Company returns the identity of a Seller.
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

// The rules.
const (
	ByID           By = "id"
	ByDomain       By = "official domain"
	ByFormerDomain By = "former domain"
	ByAlias        By = "alias"
	BySlug         By = "companySlug"
	ByWebsite      By = "website"
)

// A Hold is the reason why a company is withheld.
type Hold struct {
	Removal Removal
	By      By
}

// Own reports whether the removal is the company's own, and not that of a company it used to
// be or whose place it took. Only then do its addresses answer 410; those of the others were
// never public. A handwritten list may have another word for the id; there the official domain
// decides.
func (h Hold) Own() bool {
	return h.By == ByID || h.By == ByDomain && (h.Removal.ID == "" || h.Removal.Addresses == nil || strings.EqualFold(strings.TrimSuffix(h.Removal.ID, "."), h.Removal.Domain))
}

// Removals is the complete record of removals at one time, and alone decides which Sellers are
// withheld. It is immutable. Nil and the zero value contain no removals.
type Removals struct {
	// Revision grows with each change to the ledger that the set was read from: of two sets
	// from the same ledger, the one with the higher revision is newer. It is 0 without a
	// ledger.
	Revision uint64

	list []Removal
	key  string
	// holding indexes removals in force, ever also restored ones.
	holding, ever index
}

// An index finds removals by the identity of companies.
type index struct {
	list []Removal
	// ids is by folded id.
	ids, domains map[string][]int
	addresses    func() map[string]bool
	// slugs is by every companySlug that a removed Seller ever had.
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

// slugs returns every companySlug that the Seller ever had, the last one first.
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
// address is the profile's.
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

// key encodes the content of a removal.
func (r Removal) key() string {
	return fmt.Sprintf("%q %q %q %q %q %t %t %q", r.ID, r.Domain, r.Slug, r.FormerIDs, r.SeparateIDs, r.Restored(), r.Addresses == nil, r.Addresses)
}

// With returns a set with additional removals.
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

// List returns all removals, including restored ones, in their original order.
func (r *Removals) List() []Removal {
	if r == nil {
		return nil
	}
	return r.list
}

// Empty reports whether no removal is in force.
func (r *Removals) Empty() bool { return r == nil || len(r.holding.list) == 0 }

// Key is a digest of the set. Sets with different keys differ.
func (r *Removals) Key() string {
	if r == nil {
		return ""
	}
	return r.key
}

// Holds reports whether a removal withholds a company, and the first one that does, with the
// first rule that matches.
func (r *Removals) Holds(c Company) (Hold, bool) {
	for hold := range r.Holding(c) {
		return hold, true
	}
	return Hold{}, false
}

// Holding returns the removals that withhold a company, each once, with the first rule that
// matches: the canonical id; the official domain; a former domain, or an alias that is a
// companySlug of the removed Seller, unless the company is in Beside; a companySlug that the
// removed Seller ever had, unless the company replaces the removed Seller there, or is in
// Beside and the removed Seller had left that companySlug; a website at or below the official
// domain.
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
		// apart leaves out removals that have the company in Beside.
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

// HoldsAddress reports whether an address, relative to the API, is recorded as a removed
// Seller's.
func (r *Removals) HoldsAddress(address string) bool {
	return !r.Empty() && r.holding.addresses()[address]
}

// HoldsSlug reports whether a companySlug is recorded as a removed Seller's present or former
// one.
func (r *Removals) HoldsSlug(slug string) bool {
	return !r.Empty() && len(r.holding.slugs()[slug]) > 0
}

// Explains reports whether any removal, restored or not, is of this company or contains this
// address, so that a stub there has a reason.
func (r *Removals) Explains(c Company, address string) bool {
	if r == nil || len(r.list) == 0 {
		return false
	}
	known := func(domain string) bool { return len(r.ever.domains[domain]) > 0 }
	return len(r.ever.ids[foldedID(c.ID)])+len(r.ever.slugs()[c.Slug]) > 0 || known(c.Domain) || slices.ContainsFunc(c.Former, known) ||
		r.ever.addresses()[address]
}

// Standing returns the set without removals restored before a time. These do not explain a
// stub that still exists then.
func (r *Removals) Standing(at time.Time) *Removals {
	if r == nil {
		return nil
	}
	return NewRemovals(slices.DeleteFunc(slices.Clone(r.list), func(one Removal) bool { return one.Restored() && one.Undone.Before(at) }))
}

// knows reports whether a removal that was once in force is recorded, in force or restored. An
// older removal of the same company, which was restored before, does not count.
func (r *Removals) knows(once Removal) bool {
	if r == nil {
		return false
	}
	for _, i := range slices.Concat(r.ever.ids[foldedID(once.ID)], r.ever.domains[once.Domain]) {
		one, at := r.list[i], once.At
		if one.At.Nanosecond() == 0 { // a list has only seconds
			at = at.Truncate(time.Second)
		}
		if !one.Restored() || one.At.IsZero() || !one.At.Before(at) {
			return true
		}
	}
	return false
}

// Since compares a set with an earlier one. It returns the removals that are newly in force,
// those that were restored, and those that were in force before and are no longer recorded, as
// after restoring a backup of the ledger.
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

// A Register stores the latest Removals that this process knows of, for code that must apply
// them at once. It is safe for concurrent use.
type Register struct{ now atomic.Pointer[Removals] }

// Now returns the latest set, or nil if there is none yet or r is nil.
func (r *Register) Now() *Removals {
	if r == nil {
		return nil
	}
	return r.now.Load()
}

// Learn stores a set unless a newer one is known, since a goroutine that read the ledger
// earlier may arrive later. It ignores nil: if the ledger is gone, no Seller comes back.
func (r *Register) Learn(set *Removals) {
	for set != nil {
		known := r.now.Load()
		if known != nil && known.Revision > set.Revision || r.now.CompareAndSwap(known, set) {
			return
		}
	}
}
