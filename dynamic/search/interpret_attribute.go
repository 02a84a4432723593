package search

import (
	"slices"
	"souk/build/document"
	"souk/build/unit"
	"souk/dynamic/search/facet"
	"souk/dynamic/search/grammar"
	"souk/dynamic/search/match"
	"strings"
)

// attribute understands an amount of an attribute: a phrase from i on, whose last number
// ends before end, with a unit or none behind it.
func (r *reading) attribute(i, end int, within grammar.Bounds) (next int) {
	if to := r.unitEnd(end); to > end {
		if next := r.attributeOf(i, end, to, to, within); next > i {
			return next
		}
	}
	return r.attributeOf(i, end, end, end, within)
}

// namedFirst understands a bound with the name of an attribute before its amount, as in max
// weight 20 kg or a minimum range of 80 km. The phrase is the pieces from i to before end.
func (r *reading) namedFirst(i, end int, side grammar.Meaning) (next int) {
	for to := end + 1; to <= min(len(r.pieces)-1, end+maxNameWords); to++ {
		at := to
		for at < len(r.pieces)-1 && r.OfAmounts[r.pieces[at].Folded] && !r.pieces[at].Ended {
			at++
		}
		number, ok := r.number(at, false)
		if !ok || r.pieces[at].Ended {
			continue
		}
		for _, last := range r.ends(at) {
			symbol := r.symbolOf(at, last)
			if name := r.attributeNamed(end, to, symbol); name != "" {
				return r.amountOf(i, last, name, symbol, side.Bounds(number))
			}
		}
	}
	return i
}

// attributeOf understands an amount of an attribute: a phrase from i to before another piece,
// with its unit from one to before another. The attribute's name is behind it, as in at least
// 4 ports or more than 16 GB RAM, or before it, as in payload over 5 kg. Only a name that
// numbers in a fitting unit are of is one, or a word of the only such name, as battery is of
// Battery life. Where there is none, it is what the word behind the unit says, as in 2 m long, what the phrase compares by, as lighter does by weight, or the only attribute that such numbers are of.
func (r *reading) attributeOf(i, from, to, end int, within grammar.Bounds) (next int) {
	symbol := ""
	if to > from {
		symbol = r.said(from, to)
	}
	behind := end
	for behind < len(r.pieces) && r.OfAmounts[r.pieces[behind].Folded] && !r.pieces[behind].Ended {
		behind++
	}
	if name, last := r.attributeFrom(behind, symbol); name != "" {
		return r.amountOf(i, last, name, symbol, within)
	}
	before := i
	for before > 0 && r.OfAmounts[r.pieces[before-1].Folded] && r.free(before-1) {
		before--
	}
	if name, first := r.attributeTo(before, symbol); name != "" {
		r.amountOf(first, end, name, symbol, within)
		return end
	}
	if name := r.attributePart(behind, symbol); name != "" && !r.pieces[behind].Ended {
		return r.amountOf(i, behind+1, name, symbol, within)
	}
	if name := r.attributePart(before-1, symbol); name != "" && r.free(before-1) {
		r.amountOf(before-1, end, name, symbol, within)
		return end
	}
	if end < len(r.pieces) && !r.pieces[end].Ended && len(r.Phrases[r.pieces[end].Folded]) == 0 { // 2 m long
		if name := r.attributeBy(r.Compared[r.pieces[end].Folded], symbol); name != "" && !r.narrowedBy(name) {
			return r.amountOf(i, end+1, name, symbol, within)
		}
	}
	if name := r.attributeMeant(i, end, symbol); name != "" && !r.narrowedBy(name) {
		return r.amountOf(i, end, name, symbol, within)
	}
	return i
}

// attributeMeant returns the attribute that is not named: what the phrase from a piece to before
// another compares by, what amounts of that dimension are usually of, or the only one that has
// such; "" for none.
func (r *reading) attributeMeant(i, end int, symbol string) (name string) {
	u, known := unit.Parse(symbol)
	usual, other := grammar.Usual[u.Dimension()], false
	for at := end - 1; at >= i; at-- {
		measure := r.Compared[r.pieces[at].Folded]
		if name = r.attributeBy(measure, symbol); name != "" {
			return name
		}
		other = other || measure != "" && measure != usual
	}
	if usual != "" && other {
		return "" // stronger than 500 kg is said of no weight
	}
	if name = r.attributeBy(usual, symbol); name != "" {
		return name
	}
	if !known || u.Dimension() == "" {
		return ""
	}
	return r.onlyAttribute(u)
}

// attributeBy returns the attribute in a unit that things are compared by; "" for none.
func (r *reading) attributeBy(measure, symbol string) (name string) {
	for one := range strings.FieldsSeq(grammar.Measures[measure]) {
		if name = r.attributeCalled(one, symbol); name != "" {
			return name
		}
	}
	for one := range strings.FieldsSeq(grammar.Measures[measure]) {
		if name = r.attributeWith(one, symbol); name != "" {
			return name
		}
	}
	return ""
}

// attributePart returns the only attribute in a unit with the word at a piece in its name; "" for
// none, for numbers alone, and for a word that a category is called by: a camera of 20 MP is no
// drone whose camera has so many.
func (r *reading) attributePart(i int, symbol string) (name string) {
	if symbol == "" || i < 0 || i >= len(r.pieces) || r.pieces[i].Number || r.pieces[i].Symbol {
		return ""
	}
	word := r.pieces[i].Folded
	if r.index.Language.IsStop(word) || r.index.Meanings.OfCategories[r.index.Stems.Of(word)] || r.border(i) {
		return ""
	}
	return r.attributeWith(word, symbol)
}

// attributeWith returns the only attribute with a word in its name that has numbers in a unit, of
// what may be shown, as Max depth has depth; "" for none.
func (r *reading) attributeWith(word, symbol string) (name string) {
	u, _ := unit.Parse(symbol)
	stem := strings.TrimSpace(stemmed(word, r.index.Language))
	for key, list := range r.attributes {
		if !slices.Contains(strings.Fields(key), stem) {
			continue
		}
		for _, at := range list {
			one := &r.index.facets.List[at]
			if one.Unit.Dimension() != u.Dimension() || !r.index.facets.Shown(one.First, one.End, r.visible) {
				continue
			}
			if name != "" {
				return ""
			}
			name = one.Name
		}
	}
	return name
}

// narrowedBy reports whether there is a filter by an attribute already: a second would be an
// alternative to it.
func (r *reading) narrowedBy(name string) bool {
	return slices.ContainsFunc(r.filters[document.FilterAttribute], func(value string) bool { return strings.HasPrefix(value, name+":") })
}

// onlyAttribute returns the name of the attribute that alone has numbers of the dimension of
// a unit, of what may be shown; "" for none.
func (r *reading) onlyAttribute(u unit.Unit) (name string) {
	for at := range r.index.facets.List {
		one := &r.index.facets.List[at]
		if one.Filter != document.FilterAttribute || one.Kind != facet.NumberValues || one.Unit.Dimension() != u.Dimension() || !r.index.facets.Shown(one.First, one.End, r.visible) {
			continue
		}
		if name != "" {
			return ""
		}
		name = one.Name
	}
	return name
}

// unitEnd returns the end of what may be a unit: several words that are one, else the next
// word with all that no space parts from it, such as km/h, but for a plus and the end of a range.
func (r *reading) unitEnd(i int) int {
	if i >= len(r.pieces) || r.pieces[i].Number || r.pieces[i].Raw == "+" || r.pieces[i].Ended || r.gap(i) == "/" {
		return i
	}
	if !r.pieces[i].Glued && r.placeFrom(i+1) {
		return i // in Berlin, not inches
	}
	for end := min(len(r.pieces), i+match.MaxUnitWords); end > i+1; end-- {
		if _, known := unit.Parse(r.said(i, end)); known && r.compact(i, end) != "" {
			return end
		}
	}
	end := i + 1
	for end < len(r.pieces) && r.pieces[end].Raw != "+" && !(r.pieces[end].Hyphen && r.pieces[end].Number) && !strings.ContainsAny(r.typed[r.pieces[end-1].To:r.pieces[end].From], " \t\n,;:!?()") && !r.pieces[end].Ended {
		end++
	}
	return end
}

// attributeFrom returns the attribute that is named from a piece on, the longest name
// first, and where its name ends.
func (r *reading) attributeFrom(i int, symbol string) (name string, end int) {
	for end = min(len(r.pieces), i+maxNameWords); end > i; end-- {
		if name = r.attributeNamed(i, end, symbol); name != "" {
			return name, end
		}
	}
	return "", i
}

// attributeTo returns the attribute that is named before a piece, and where its name
// begins.
func (r *reading) attributeTo(end int, symbol string) (name string, from int) {
	for from = max(0, end-maxNameWords); from < end; from++ {
		if r.free(from) {
			if name = r.attributeNamed(from, end, symbol); name != "" {
				return name, from
			}
		}
	}
	return "", end
}

// attributeNamed returns the name of the attribute of numbers in a unit that the pieces
// name and a listing that may be shown has; "" for none.
func (r *reading) attributeNamed(from, end int, symbol string) string {
	for i := from + 1; i < end; i++ {
		if r.pieces[i].Ended {
			return ""
		}
	}
	return r.attributeCalled(r.said(from, end), symbol)
}

// attributeCalled returns the attribute of a name that has numbers in a unit, of what may be
// shown; "" for none.
func (r *reading) attributeCalled(words, symbol string) string {
	u, _ := unit.Parse(symbol)
	for _, at := range r.attributes[stemmed(words, r.index.Language)] {
		one := &r.index.facets.List[at]
		if one.Unit.Dimension() == u.Dimension() && r.index.facets.Shown(one.First, one.End, r.visible) {
			return one.Name
		}
	}
	return ""
}

// unmeasured leaves out a bound of what no listing tells of, as in with more than 5000 stars: the
// phrase is the pieces from i to before end, and the word behind the amount neither one that a
// listing has, a unit, nor a misspelt name of an attribute.
func (r *reading) unmeasured(i, end int) (next int, err error) {
	a, ok := r.money(end)
	if !ok || a.currency != "" || r.pieces[end].Ended || a.end >= len(r.pieces) {
		return i, nil
	}
	of := &r.pieces[a.end]
	if _, known := unit.Parse(of.Raw); known || of.Ended || of.Glued || of.Hyphen || of.Number || of.Symbol || r.index.Language.IsStop(of.Folded) || r.border(a.end) {
		return i, nil
	}
	held, err := r.index.Inflected(r.ctx, of.Folded, match.AskedForms)
	if err != nil || r.visible.Shows(held.Docs) {
		return i, err
	}
	meant, err := r.index.Misspelt(r.ctx, of.Folded, r.visible)
	if err != nil || slices.ContainsFunc(meant.Words, func(word string) bool { return r.attributes[stemmed(word, r.index.Language)] != nil }) {
		return i, err
	}
	return r.leaveOut(r.denied(i), a.end+1), nil
}

// vague leaves out a bound that may be of several things, as under 50 cm or under $50 may be, or
// under 50 where prices are in several currencies: who says so wants what has less, and not these
// words. The phrase is the pieces from i to before end.
func (r *reading) vague(i, end int, side grammar.Meaning) (next int, err error) {
	to, measured := r.quantityAt(end)
	if to == end || !measured && !(side == grammar.AtMost && r.plain(i, to)) {
		return i, nil
	}
	return r.unsaid(i, to)
}

// vagueBehind leaves out such an amount with its bound behind it or before its unit, as in $50 or
// less and 50+ cm.
func (r *reading) vagueBehind(i int) (next int, err error) {
	if !r.pieces[i].Hyphen {
		to, measured := r.quantityAt(i)
		for _, b := range r.Behind {
			if measured && r.boundsAt(to, b.Words) {
				return r.unsaid(i, to+len(b.Words))
			}
			if !r.pieces[i].Number || !r.boundsAt(i+1, b.Words) {
				continue
			}
			from := i + 1 + len(b.Words)
			if to := r.unitEnd(from); to > from && r.measures(r.said(from, to)) {
				return r.unsaid(i, to)
			}
		}
	}
	return i, nil
}

// vagueRange leaves out such a range, as in between 20 and 50 cm.
func (r *reading) vagueRange(i, end int) (next int, err error) {
	at, low := r.quantityAt(end)
	if at == end || at >= len(r.pieces) || !r.RangeJoiners[r.pieces[at].Folded] && !r.pieces[at].Hyphen {
		return i, nil
	}
	if !r.pieces[at].Hyphen {
		at++
	}
	to, high := r.quantityAt(at)
	if to == at || !low && !high {
		return i, nil
	}
	return r.unsaid(i, to)
}

// unsaid leaves out a phrase, the pieces from i to before end, unless a listing says it so, as in Air
// Max 90.
func (r *reading) unsaid(i, end int) (next int, err error) {
	if said := match.WordsOf(r.said(i, end)); !r.pieces[i].Symbol && len(said) > 0 {
		if held, err := r.index.says(r.ctx, said, r.visible); held || err != nil {
			return i, err
		}
	}
	next = r.leaveOut(r.denied(i), end)
	if value, to := r.priceUnitFrom(end); value != "" { // under 50 a month
		r.filter(end, to, document.FilterPriceUnit, "", value)
		return to, nil
	}
	return next, nil
}

// quantityAt returns where the amount at a piece ends, whatever money or unit it is in, and whether
// it is in any; the piece itself where none is.
func (r *reading) quantityAt(i int) (end int, measured bool) {
	_, at := r.moneyAt(i)
	a, ok := r.money(at)
	if !ok || r.pieces[i].Ended || r.pieces[at].Ended {
		return i, false
	}
	if to := r.unitEnd(a.end); to > a.end && r.measures(r.said(a.end, to)) {
		return to, true
	}
	if end = a.end; end < len(r.pieces) && !r.pieces[end].Ended {
		_, end = r.moneyAt(end)
	}
	return end, at > i || end > a.end || a.currency != ""
}

// measures reports whether a unit is known, or numbers of an attribute are in it.
func (r *reading) measures(symbol string) bool {
	u, known := unit.Parse(symbol)
	return known || slices.ContainsFunc(r.index.facets.List, func(one facet.Facet) bool {
		return one.Kind == facet.NumberValues && one.Unit.Dimension() == u.Dimension() && r.index.facets.Shown(one.First, one.End, r.visible)
	})
}

// amountOf tells of a filter by an attribute.
func (r *reading) amountOf(i, end int, name, symbol string, within grammar.Bounds) (next int) {
	before := i
	for before > 0 && (r.ArticleWords[r.pieces[before-1].Folded] || r.Having[r.pieces[before-1].Folded]) && !r.pieces[before].Ended && r.free(before-1) {
		before--
	}
	if from := r.denied(before); from < before {
		opposite, ok := within.Opposite()
		if !ok {
			return r.leaveOut(from, end)
		}
		i, within = from, opposite
	}
	r.filter(i, end, document.FilterAttribute, "", strings.TrimSpace(name+":"+within.String()+" "+symbol))
	return end
}
