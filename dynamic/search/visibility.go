package search

// A visibility is a Withheld set as one Index sees it: a filter over its
// sellers. Nil withholds no one.
type visibility struct {
	set     *withheldSet
	sellers []bool
}

// visibleNow returns the visibility of this moment, for one query.
func (x *Index) visibleNow() *visibility {
	set := x.withheld.load()
	if set == nil || len(set.slugs) == 0 {
		return nil
	}
	if v := x.visibility.Load(); v != nil && v.set == set {
		return v
	}
	v := &visibility{set: set, sellers: make([]bool, len(x.corpus.sellers))}
	for i := range x.corpus.sellers {
		v.sellers[i] = set.slugs[x.corpus.sellers[i].link.Slug]
	}
	x.visibility.Store(v)
	return v
}

// hides reports whether a seller is withheld.
func (v *visibility) hides(seller int32) bool { return v != nil && v.sellers[seller] }

// shows reports whether any of the postings is of a seller that may be shown.
func (v *visibility) shows(x *Index, p *postings) bool {
	if v == nil {
		return len(p.docs) > 0
	}
	for _, doc := range p.docs {
		if !v.sellers[x.columns.seller[doc]] {
			return true
		}
	}
	return false
}
