package search

import (
	"math/big"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/unit"
)

// An amount is a number with what stands behind or before it.
type amount struct {
	number   string
	currency string
	// thousands: it is written in them, as in 5k.
	thousands bool
	// from and end are its pieces.
	from, end int
}

// boundBehind understands an amount of money with its bound behind it, as in 50 EUR or
// less.
func (r *reading) boundBehind(i int) (next int) {
	a, ok := r.money(i)
	if !ok || a.currency == "" || r.pieces[i].hyphen {
		return i
	}
	for _, b := range boundsBehind {
		if !r.reads(a.end, b.words) || r.pieces[a.end].ended {
			continue
		}
		if b.means == atMost {
			return r.price(i, a.end+len(b.words), a.currency, "", a.number)
		}
		return r.price(i, a.end+len(b.words), a.currency, a.number, "")
	}
	return i
}

// bounded understands a bound: the phrase from i to before end, then an amount.
func (r *reading) bounded(i, end int, side meaning) (next int) {
	if end < len(r.pieces) && r.pieces[end].ended && r.typed[r.pieces[end-1].to] != '.' {
		return i // max. 50 is one phrase, max, 50 is not
	}
	if next := r.twoBounds(i, end, side); next > i {
		return next
	}
	least, most := "", ""
	a, ok := r.money(end)
	if ok && a.currency != "" {
		if side == atMost {
			most = a.number
		} else {
			least = a.number
		}
		return r.price(i, a.end, a.currency, least, most)
	}
	number, ok := r.number(end, false)
	if !ok {
		return i
	}
	if side == atMost {
		most = number
	} else {
		least = number
	}
	return r.attribute(i, end+1, least, most)
}

// number reads the number at a piece.
func (r *reading) number(i int, money bool) (decimal string, ok bool) {
	if i >= len(r.pieces) || !r.pieces[i].number {
		return "", false
	}
	digits := strings.TrimLeft(r.pieces[i].raw, minuses)
	decimal, ok = decimalOf(digits, money, r.comma)
	if digits != r.pieces[i].raw {
		decimal = "-" + decimal
	}
	if ok {
		_, ok = unit.ParseDecimal(decimal)
	}
	return decimal, ok
}

// money reads a number at a piece with a currency before or behind it, if it has one.
func (r *reading) money(i int) (a amount, ok bool) {
	a.from = i
	if code := r.currencyAt(i); code != "" {
		a.currency = code
		i++
	}
	if a.number, ok = r.number(i, true); !ok {
		return a, false
	}
	a.end = i + 1
	if p := r.pieces; a.end < len(p) && p[a.end].glued && p[a.end].folded == "k" {
		a.number, a.thousands = thousandfold(a.number), true
		a.end++
	}
	if a.currency == "" && a.end < len(r.pieces) && !r.pieces[a.end].ended {
		if a.currency = r.currencyAt(a.end); a.currency != "" {
			a.end++
		}
	}
	return a, true
}

// thousandfold returns a decimal number times a thousand.
func thousandfold(number string) string {
	decimal, ok := unit.ParseDecimal(number)
	if !ok {
		return number
	}
	product, _ := unit.Decimal(decimal.Mul(decimal, big.NewRat(1000, 1))) // exact, as the number is
	return product
}

// currencyAt returns the currency that a piece means: the only one of those that it
// may mean in which a listing that may be shown has a price; "" for none.
func (r *reading) currencyAt(i int) string {
	if i >= len(r.pieces) || r.pieces[i].number {
		return ""
	}
	p := &r.pieces[i]
	codes := currencies[p.folded]
	if codes == nil && len(p.raw) == 3 && isCurrency(p.raw) {
		codes = []string{p.raw}
	}
	found := ""
	for _, code := range codes {
		of := r.index.facets.named(document.FilterPrice, code)
		if len(of) == 0 || !r.index.shown(of[0].first, of[0].end, r.visible) {
			continue
		}
		if found != "" {
			return ""
		}
		found = code
	}
	return found
}

// A bound is what a text says of a price in one place, the pieces from one to before
// another. Either amount may be "".
type bound struct {
	from, end   int
	least, most string
}

// price understands what is said of a price, in one currency in a text.
func (r *reading) price(i, end int, code, least, most string) (next int) {
	if len(r.prices) > 0 && code != r.currency {
		return i
	}
	i = r.around(i)
	if from := r.denied(i); from < i {
		if least != "" && most != "" {
			return r.leaveOut(from, end)
		}
		i, least, most = r.around(from), most, least
	}
	r.currency = code
	r.prices = append(r.prices, bound{i, end, least, most})
	from, to := r.pieces[i].from, r.pieces[end-1].to
	blank(r.rest[from:to])
	blank(r.names[from:to])
	return end
}

// around returns where the words begin that stand before a bound and say no more.
func (r *reading) around(i int) int {
	for i > 0 && aroundAmounts[r.pieces[i-1].folded] && !r.pieces[i].ended && r.free(i-1) {
		i--
	}
	return i
}

// tellPrice tells of the one filter by price that all bounds make together. What no
// price keeps to, or only one of several bounds, is no filter: it stays in the text.
func (r *reading) tellPrice() {
	least, most, either := "", "", false
	for n, b := range r.prices {
		if b.least != "" && (least == "" || ordered(least, b.least)) {
			least = b.least
		}
		if b.most != "" && (most == "" || ordered(b.most, most)) {
			most = b.most
		}
		between := r.between(n)
		either = either || len(between) == 1 && alternatives[between[0].folded]
	}
	if either || least != "" && most != "" && !ordered(least, most) {
		for _, b := range r.prices {
			from, to := r.pieces[b.from].from, r.pieces[b.end-1].to
			copy(r.rest[from:to], r.typed[from:to])
			copy(r.names[from:to], r.typed[from:to])
		}
		return
	}
	for n := 0; n < len(r.prices); {
		first := n
		for n++; n < len(r.prices) && !slices.ContainsFunc(r.between(n), func(p piece) bool { return !bothBounds[p.folded] }); {
			n++
		}
		r.filter(r.prices[first].from, r.prices[n-1].end, document.FilterPrice, r.currency, least+".."+most)
	}
}

// between returns the pieces between what is said of a price and what was said before.
func (r *reading) between(n int) []piece {
	if n == 0 {
		return nil
	}
	return r.pieces[r.prices[n-1].end:r.prices[n].from]
}

// free reports whether a piece is still in the text.
func (r *reading) free(i int) bool { return r.rest[r.pieces[i].from] != ' ' }

// attribute understands an amount of an attribute: a phrase from i on, whose last number
// ends before end. The attribute's name is behind it, as in at least 4 ports or
// more than 16 GB RAM, or before it, as in payload over 5 kg. Only a name that numbers
// in a fitting unit are of is one. Where there is none, as in under 10 kg, it is the only
// attribute that such numbers are of.
func (r *reading) attribute(i, end int, least, most string) (next int) {
	symbols := []int{end}
	if to := r.unitEnd(end); to > end {
		symbols = append(symbols, to)
	}
	for n := len(symbols) - 1; n >= 0; n-- {
		symbol := ""
		if symbols[n] > end {
			symbol = r.typed[r.pieces[end].from:r.pieces[symbols[n]-1].to]
		}
		from := symbols[n]
		for from < len(r.pieces) && ofAmounts[r.pieces[from].folded] && !r.pieces[from].ended {
			from++
		}
		if name, to := r.attributeFrom(from, symbol); name != "" {
			return r.amountOf(i, to, name, symbol, least, most)
		}
		before := i
		for before > 0 && ofAmounts[r.pieces[before-1].folded] && r.free(before-1) {
			before--
		}
		if name, from := r.attributeTo(before, symbol); name != "" {
			r.amountOf(from, symbols[n], name, symbol, least, most)
			return symbols[n]
		}
	}
	if to := symbols[len(symbols)-1]; to > end {
		symbol := r.typed[r.pieces[end].from:r.pieces[to-1].to]
		if name := r.onlyAttribute(symbol); name != "" {
			return r.amountOf(i, to, name, symbol, least, most)
		}
	}
	return i
}

// onlyAttribute returns the name of the attribute that alone has numbers of the dimension of
// a unit, of what may be shown; "" for none.
func (r *reading) onlyAttribute(symbol string) (name string) {
	u, known := unit.Parse(symbol)
	if !known || u.Dimension() == "" {
		return ""
	}
	for at := range r.index.facets.list {
		one := &r.index.facets.list[at]
		if one.filter != document.FilterAttribute || one.kind != numberValues || one.unit.Dimension() != u.Dimension() || !r.index.shown(one.first, one.end, r.visible) {
			continue
		}
		if name != "" {
			return ""
		}
		name = one.name
	}
	if slices.ContainsFunc(r.filters[document.FilterAttribute], func(value string) bool { return strings.HasPrefix(value, name+":") }) {
		return "" // two filters by one attribute are alternatives
	}
	return name
}

// unitEnd returns the end of what may be a unit: the next word with all that no space
// parts from it, such as km/h.
func (r *reading) unitEnd(i int) int {
	if i >= len(r.pieces) || r.pieces[i].number || r.pieces[i].ended {
		return i
	}
	end := i + 1
	for end < len(r.pieces) && !strings.ContainsAny(r.typed[r.pieces[end-1].to:r.pieces[end].from], " \t\n,;:!?()") && !r.pieces[end].ended {
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
		if r.pieces[i].ended {
			return ""
		}
	}
	words := r.typed[r.pieces[from].from:r.pieces[end-1].to]
	u, _ := unit.Parse(symbol)
	for _, at := range r.attributes[stemmed(words, r.index.language)] {
		one := &r.index.facets.list[at]
		if one.unit.Dimension() == u.Dimension() && r.index.shown(one.first, one.end, r.visible) {
			return one.name
		}
	}
	return ""
}

// amountOf tells of a filter by an attribute.
func (r *reading) amountOf(i, end int, name, symbol, least, most string) (next int) {
	before := i
	for before > 0 && (articleWords[r.pieces[before-1].folded] || having[r.pieces[before-1].folded]) && !r.pieces[before].ended && r.free(before-1) {
		before--
	}
	if from := r.denied(before); from < before {
		if least != "" && most != "" {
			return r.leaveOut(from, end)
		}
		i, least, most = from, most, least
	}
	r.filter(i, end, document.FilterAttribute, "", strings.TrimSpace(name+":"+least+".."+most+" "+symbol))
	return end
}
