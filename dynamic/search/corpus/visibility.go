package corpus

import "souk/build/catalog"

// A Visibility says which sellers are withheld, as one Corpus sees it: a filter
// over its sellers. Nil withholds none.
type Visibility struct {
	removals *catalog.Removals
	// Hidden is nil if none of the sellers is withheld.
	Hidden   []bool
	sellerOf []int32
	// listings is how many belong to sellers that are not withheld.
	listings int
}

// Visible returns the visibility that follows from the removals on record; before is
// an earlier one, returned again if it still holds.
func (c *Corpus) Visible(removals *catalog.Removals, before *Visibility) *Visibility {
	if removals.Empty() {
		return nil
	}
	if before != nil && before.removals == removals {
		return before
	}
	v := &Visibility{removals: removals, sellerOf: c.SellerOf}
	for i := range c.Sellers {
		if _, held := removals.Holds(c.Sellers[i].Company); held {
			if v.Hidden == nil {
				v.Hidden = make([]bool, len(c.Sellers))
			}
			v.Hidden[i] = true
		}
	}
	for _, seller := range c.SellerOf {
		if !v.Hides(seller) {
			v.listings++
		}
	}
	return v
}

// Listings returns how many listings belong to sellers that are not withheld.
func (c *Corpus) Listings(v *Visibility) int {
	if v.ShowsAll() {
		return len(c.Places)
	}
	return v.listings
}

// Hides reports whether a seller is withheld.
func (v *Visibility) Hides(seller int32) bool { return v != nil && v.Hidden != nil && v.Hidden[seller] }

// ShowsAll reports whether no seller is withheld.
func (v *Visibility) ShowsAll() bool { return v == nil || v.Hidden == nil }

// Count returns how many listings belong to sellers that are not withheld.
func (v *Visibility) Count(listings []uint32) int {
	if v.ShowsAll() {
		return len(listings)
	}
	n := 0
	for _, doc := range listings {
		if !v.Hidden[v.sellerOf[doc]] {
			n++
		}
	}
	return n
}

// Shows reports whether any of the listings belongs to a seller that is not withheld.
func (v *Visibility) Shows(listings []uint32) bool {
	if v.ShowsAll() {
		return len(listings) > 0
	}
	for _, doc := range listings {
		if !v.Hidden[v.sellerOf[doc]] {
			return true
		}
	}
	return false
}
