package catalog

// A withholding says whose removal hides a Seller and its offers.
type withholding uint8

const (
	byNone withholding = iota
	// byOwn is the Seller's own removal.
	byOwn
	// byOther is the removal of a company that the Seller used to be or whose place it took.
	byOther
)

// state computes whether the item of n, with its head, is live and whether it is withheld,
// from its own fields and its Seller's.
func (c *Catalog) state(n *Node, head *Head) (live bool, withheld withholding) {
	if head == nil {
		return false, byNone
	}
	live = c.published(head)
	if s, ok := n.item.(*Seller); ok {
		switch hold, held := c.removals.Holds(s.Company()); {
		case held && hold.Own():
			return live, byOwn
		case held:
			return live, byOther
		}
		return live, byNone
	}
	if n.seller != nil {
		return live && n.seller.live, n.seller.withheld
	}
	return live, byNone
}

// Withholds reports whether a removal withholds the Seller at a companySlug or, if there is
// none, the Seller that had it.
func (c *Catalog) Withholds(slug string) bool {
	if n := c.nodes[SellerRef(slug)]; n != nil && n.item != nil {
		return n.Withheld()
	}
	return c.removals.HoldsSlug(slug)
}

// Gone reports whether an address, relative to the API, that a node has in the content was its
// Seller's before the Seller was removed. If no addresses are recorded, as in a handwritten
// list, the content decides.
func (c *Catalog) Gone(n *Node, address string) bool {
	if !n.live || !n.Removed() {
		return false
	}
	seller := n
	if n.seller != nil {
		seller = n.seller
	}
	hold, _ := c.removals.Holds(seller.item.(*Seller).Company())
	return hold.Removal.Addresses == nil || c.removals.HoldsAddress(address)
}

func (c *Catalog) published(h *Head) bool { return c.drafts || c.hiding(h) == Nothing }

// A Hiding is the reason in an item's own file why it is not current.
type Hiding uint8

// The reasons.
const (
	Nothing Hiding = iota
	ByDraft
	ByUnpublished
	ByPublishedAt
	ByExpiresAt
)

func (c *Catalog) hiding(h *Head) Hiding {
	switch {
	case h.Status == Draft:
		return ByDraft
	case h.Status == Unpublished:
		return ByUnpublished
	case !h.PublishedAt.Time.IsZero() && c.now.Before(h.PublishedAt.Time):
		return ByPublishedAt
	case !h.ExpiresAt.Time.IsZero() && !c.now.Before(h.ExpiresAt.Time):
		return ByExpiresAt
	}
	return Nothing
}

// Draft returns the reason that would hide an item if drafts were not shown, and the head that
// contains it: the item's own or its Seller's. Without drafts there is none, since a current
// item is not hidden.
func (c *Catalog) Draft(n *Node) (Hiding, *Head) {
	for _, m := range []*Node{n, n.seller} {
		if m != nil && m.item != nil {
			if h := m.item.Common(); c.hiding(h) != Nothing {
				return c.hiding(h), h
			}
		}
	}
	return Nothing, nil
}
