package corpus

import "souk/build/catalog"

// A Visibility says which sellers of one Corpus are withheld. Nil withholds none.
type Visibility struct {
	removals *catalog.Removals
	// Hidden is nil if none of the sellers is withheld.
	Hidden   []bool
	sellerOf []int32
	// listings is the number of listings of visible sellers.
	listings int
}

// Visible returns the Visibility for the present removals. It returns before, an earlier one,
// if that still applies.
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

// Listings returns the number of listings of visible sellers.
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

// Count returns how many of the listings belong to visible sellers.
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

// Shows reports whether any of the listings belongs to a visible seller.
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
