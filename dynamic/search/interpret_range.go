package search

import (
	"strings"

	"souk/build/unit"
	"souk/dynamic/search/grammar"
)

// span understands a range without a word before it, as in 10-20 EUR or 10 to 20 EUR.
func (r *reading) span(i int) (next int) {
	if r.pieces[i].Hyphen || r.pieces[i].Glued {
		return i
	}
	return r.joinedAmounts(i, i, r.SpanJoiners)
}

// joinedAmounts understands a range, which began at i, of the amount at a piece and another
// behind a hyphen or a joiner.
func (r *reading) joinedAmounts(i, low int, joiners map[string]bool) (next int) {
	for _, at := range r.ends(low) {
		if at >= len(r.pieces) {
			continue
		}
		switch joiner := &r.pieces[at]; {
		case joiner.Hyphen:
			next = r.rangeOf(i, low, at, r.symbolOf(low, at))
		case joiners[joiner.Folded] && !joiner.Ended:
			next = r.rangeOf(i, low, at+1, r.symbolOf(low, at))
		}
		if next > i {
			return next
		}
	}
	return i
}

// ends returns where the amount at a piece may end: behind its number, and behind a unit.
func (r *reading) ends(i int) []int {
	a, ok := r.money(i)
	if !ok {
		return nil
	}
	if to := r.unitEnd(a.end); a.currency == "" && to > a.end {
		return []int{a.end, to}
	}
	return []int{a.end}
}

// symbolOf returns the unit of the amount at a piece that ends before another.
func (r *reading) symbolOf(i, end int) string {
	a, _ := r.money(i)
	return strings.TrimSpace(r.typed[r.pieces[a.end-1].To:r.pieces[end-1].To])
}

// twoBounds understands a bound with the opposite one behind it, of which one tells of
// what, as in over 50 and under 100 EUR, or a payload of more than 1 kg but at most 5 kg.
func (r *reading) twoBounds(i, end int, side grammar.Meaning) (next int) {
	for _, at := range r.ends(end) {
		symbol := r.symbolOf(end, at)
		if at < len(r.pieces) && r.BothBounds[r.pieces[at].Folded] && !r.pieces[at].Ended {
			at++
		}
		if at >= len(r.pieces) || r.pieces[at].Ended {
			continue
		}
		for _, p := range r.Phrases[r.pieces[at].Folded] {
			if p.Means == side || p.Means != grammar.AtMost && p.Means != grammar.AtLeast || !r.reads(at, p.Words) {
				continue
			}
			low, high := end, at+len(p.Words)
			if side == grammar.AtMost {
				low, high = high, low
			}
			if next := r.rangeOf(i, low, high, symbol); next > i {
				return next
			}
		}
	}
	return i
}

// ranged understands a range: the phrase from i to before end, an amount, a joiner,
// an amount.
func (r *reading) ranged(i, end int) (next int) {
	return r.joinedAmounts(i, end, r.RangeJoiners)
}

// rangeOf understands the range between the amounts at two pieces, in either order, which
// began at i. A unit of the amount that is typed first is converted to that of the other.
func (r *reading) rangeOf(i, low, high int, symbol string) (next int) {
	a, ok := r.money(low)
	b, also := r.money(high)
	if !ok || !also {
		return i
	}
	if b.thousands && !a.thousands && ordered(thousandfold(a.number), b.number) { // 5-10k, and not 500-10k
		a.number = thousandfold(a.number)
	}
	code := b.currency
	if code == "" {
		code = a.currency
	}
	if code != "" {
		if symbol != "" || a.currency == "" && r.unitAt(a.end) || b.currency == "" && r.unitAt(b.end) || a.currency != "" && a.currency != code || !ordered(a.number, b.number) {
			return i
		}
		return r.price(i, max(a.end, b.end), code, grammar.Bounds{Least: a.number, Most: b.number})
	}
	end := max(low, high) + 1
	least, ok := r.number(low, false)
	most, also := r.number(high, false)
	if ok && also {
		if symbol != "" {
			first := &least
			if low > high {
				first = &most
			}
			if *first, ok = converted(*first, symbol, strings.TrimSpace(r.typed[r.pieces[end-1].To:r.pieces[r.unitEnd(end)-1].To])); !ok {
				return i
			}
		}
		if !ordered(least, most) {
			return i
		}
		if next := r.attribute(i, end, grammar.Bounds{Least: least, Most: most}); next > i {
			return next
		}
	}
	if code := r.onlyCurrency(); code != "" && symbol == "" && i < low && i < high && ordered(a.number, b.number) && r.plain(i, max(a.end, b.end)) { // between 50 and 100
		return r.price(i, max(a.end, b.end), code, grammar.Bounds{Least: a.number, Most: b.number})
	}
	return i
}

// unitAt reports whether a unit of measure begins at a piece.
func (r *reading) unitAt(i int) bool {
	to := r.unitEnd(i)
	if to == i {
		return false
	}
	_, known := unit.Parse(r.said(i, to))
	return known
}

// converted returns a decimal number in another unit of the same dimension, where that is a
// decimal number too.
func converted(number, from, to string) (decimal string, ok bool) {
	u, _ := unit.Parse(from)
	v, _ := unit.Parse(to)
	amount, ok := unit.ParseDecimal(number)
	if !ok || u.Dimension() != v.Dimension() {
		return "", false
	}
	return unit.Decimal(v.FromBase(u.Base(amount)))
}

func ordered(low, high string) bool {
	a, ok := unit.ParseDecimal(low)
	b, also := unit.ParseDecimal(high)
	return ok && also && a.Cmp(b) <= 0
}
