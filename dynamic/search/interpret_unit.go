package search

import "souk/build/document"

// priceUnitFrom returns the unit of prices that is named from a piece on, as in 25 per hour, an
// hour or 25/h, of what may be shown.
func (r *reading) priceUnitFrom(i int) (value string, end int) {
	if i >= len(r.pieces) || r.pieces[i].Ended {
		return "", i
	}
	at := i
	if r.Each[r.pieces[i].Folded] || r.ArticleWords[r.pieces[i].Folded] {
		at++
	} else if i == 0 || r.gap(i) != "/" {
		return "", i
	}
	if at >= len(r.pieces) || r.pieces[at].Ended {
		return "", i
	}
	said := r.pieces[at].Folded
	for _, name := range [...]string{said, r.Units[said]} {
		if value = r.priceUnit(name); value != "" {
			return value, at + 1
		}
	}
	return "", i
}

// priceUnit returns the unit of a name that a price is in, of what may be shown; "" for none.
func (r *reading) priceUnit(name string) string {
	if name == "" {
		return ""
	}
	for _, units := range r.index.facets.Named(document.FilterPriceUnit, "") {
		for id := units.First; id < units.End; id++ {
			if one := r.index.facets.Value[id]; stemmed(one, r.index.Language) == stemmed(name, r.index.Language) && r.index.facets.Shown(id, id+1, r.visible) {
				return one
			}
		}
	}
	return ""
}

// perUnit understands that a price of so much per unit is wanted, as in photographer per hour:
// what has one comes first.
func (r *reading) perUnit(i int) (next int) {
	if !r.Each[r.pieces[i].Folded] {
		return i
	}
	value, end := r.priceUnitFrom(i)
	if value == "" {
		return i
	}
	return r.where(i, end, document.FilterPriceUnit, value)
}
