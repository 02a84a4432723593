package catalog

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"souk/build/kit/unit"
)

// This file counts the attributes of a Category's listings.

// A usage counts a Category's listings that have an attribute. It is updated as listings come
// and go.
type usage struct {
	// listings is the number of listings with the attribute. pairs is the total number of
	// their values.
	listings, pairs int
	names, units    spellings
	// texts is by text without case and accents, or truth value; numbers is by number in the
	// base unit. One of the two is nil.
	texts   map[string]textCount
	numbers map[string]numberCount
}

// A textCount is the number of listings with a text. It is small, because each of 100,000
// listings may have a text of its own, mostly with one spelling.
type textCount struct {
	listings int
	text     string
	// others are other spellings; mostly nil.
	others *spellings
}

// count adds or removes a listing with this spelling.
func (h *textCount) count(text string, by int) {
	if h.listings == 0 {
		h.text = text
	}
	h.listings += by
	if text != h.text {
		if h.others == nil {
			h.others = &spellings{}
		}
		h.others.count(text, by)
	}
	if h.others != nil && len(*h.others) > 0 && h.written() == 0 {
		h.text = (*h.others)[0].text
		*h.others = slices.Delete(*h.others, 0, 1)
	}
	if h.others != nil && len(*h.others) == 0 {
		h.others = nil
	}
}

// written returns the number of listings with this spelling.
func (h *textCount) written() int {
	uses := h.listings
	if h.others != nil {
		for _, one := range *h.others {
			uses -= one.uses
		}
	}
	return uses
}

// most returns the most frequent spelling.
func (h *textCount) most() string {
	if h.others == nil {
		return h.text
	}
	all := slices.Clone(*h.others)
	all.count(h.text, h.written())
	return all.most()
}

// A numberCount is the number of listings with a number.
type numberCount struct {
	listings int
	near     float64
}

// spellings counts the ways of writing a value, ordered by text.
type spellings []spelling

type spelling struct {
	text string
	uses int
}

func (s *spellings) count(text string, by int) {
	at, known := slices.BinarySearchFunc(*s, text, func(one spelling, text string) int { return strings.Compare(one.text, text) })
	if !known {
		*s = slices.Insert(*s, at, spelling{text: text})
	}
	if (*s)[at].uses += by; (*s)[at].uses == 0 {
		*s = slices.Delete(*s, at, at+1)
	}
}

// most returns the most frequent spelling, or the first of several.
func (s spellings) most() string {
	best := spelling{}
	for _, one := range s {
		if one.uses > best.uses {
			best = one
		}
	}
	return best.text
}

// countFacts adds a listing to the attributes of a Category, or removes it if by is -1.
func (t *Tallies) countFacts(facts []fact, by int) {
	for i := range facts {
		f := &facts[i]
		u := t.attributes[f.key]
		if u == nil {
			u = &usage{}
			t.attributes[f.key] = u
		}
		u.count(f, by)
		if u.listings == 0 && u.pairs == 0 {
			delete(t.attributes, f.key)
		}
	}
}

func (u *usage) count(f *fact, by int) {
	u.pairs += by
	if f.first {
		u.listings += by
		u.names.count(f.name, by)
	}
	if f.key.kind == NumberValue {
		u.units.count(f.unit, by)
		u.countNumber(f, by)
	} else {
		u.countText(f, by)
	}
}

func (u *usage) countNumber(f *fact, by int) {
	if u.numbers == nil {
		u.numbers = map[string]numberCount{}
	}
	one := u.numbers[f.value]
	one.near = f.near
	if one.listings += by; one.listings == 0 {
		delete(u.numbers, f.value)
	} else {
		u.numbers[f.value] = one
	}
}

func (u *usage) countText(f *fact, by int) {
	if u.texts == nil {
		u.texts = map[string]textCount{}
	}
	one := u.texts[f.value]
	if one.count(f.text, by); one.listings == 0 {
		delete(u.texts, f.value)
	} else {
		u.texts[f.value] = one
	}
}

// distinct reports whether over 80 % of the values are distinct, so that none of them is
// informative.
func (u *usage) distinct() bool { return len(u.texts)*5 > u.pairs*4 }

// An AttributeUse is an attribute of a Category's listings, with one type and, for numbers,
// one dimension.
type AttributeUse struct {
	Name     string
	Kind     ValueKind
	Listings int
	// Unit is the unit of most numbers. Min and Max are the smallest and the largest number in
	// it, as decimals.
	Unit, Min, Max string
	// Values are the most frequent texts or truth values, or none if nearly every text is
	// distinct.
	Values []ValueUse
}

// A ValueUse is the number of listings with a value.
type ValueUse struct {
	Value    string
	Listings int
}

// Attributes returns up to most attributes of a Category's listings, with up to mostValues
// values each: the most frequent first, then by name and by value. A listing includes the
// attributes of its variants and counts once.
func (t *Tallies) Attributes(most, mostValues int) []AttributeUse {
	keys := make([]attributeKey, 0, len(t.attributes))
	for key := range t.attributes {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b attributeKey) int {
		return cmp.Or(cmp.Compare(t.attributes[b].listings, t.attributes[a].listings), compareKeys(a, b))
	})
	keys = keys[:min(most, len(keys))]
	all := make([]AttributeUse, len(keys))
	for i, key := range keys {
		u := t.attributes[key]
		all[i] = AttributeUse{Name: u.names.most(), Kind: key.kind, Listings: u.listings}
		switch {
		case key.kind == NumberValue:
			all[i].Unit, all[i].Min, all[i].Max = u.span()
		case key.kind == BooleanValue || !u.distinct():
			all[i].Values = u.top(mostValues)
		}
	}
	return all
}

func compareKeys(a, b attributeKey) int {
	return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind), strings.Compare(a.dimension, b.dimension))
}

// top returns the most frequent values.
func (u *usage) top(most int) []ValueUse {
	best := make([]string, 0, most+1)
	order := func(a, b string) int {
		return cmp.Or(cmp.Compare(u.texts[b].listings, u.texts[a].listings), strings.Compare(a, b))
	}
	for value := range u.texts {
		if len(best) == most && order(value, best[most-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, value, order)
		best = slices.Insert(best, at, value)
		best = best[:min(most, len(best))]
	}
	all := make([]ValueUse, len(best))
	for i, value := range best {
		one := u.texts[value]
		all[i] = ValueUse{one.most(), one.listings}
	}
	return all
}

// span returns the unit of most numbers, in its most frequent spelling, and the smallest and
// the largest number in it.
func (u *usage) span() (symbol, least, greatest string) {
	of, symbol := u.unit()
	low, high := u.ends()
	return symbol, unit.DecimalBelow(of.FromBase(low)), unit.DecimalAbove(of.FromBase(high))
}

// unit returns the most frequent unit, whatever its spelling, and its most frequent spelling.
func (u *usage) unit() (unit.Unit, string) {
	written := map[unit.Unit]spellings{}
	uses := map[unit.Unit]int{}
	for _, one := range u.units {
		of, _ := unit.Parse(one.text)
		written[of] = append(written[of], one)
		uses[of] += one.uses
	}
	var best unit.Unit
	for of := range uses {
		if uses[of] > uses[best] || uses[of] == uses[best] && of.Symbol() < best.Symbol() {
			best = of
		}
	}
	return best, written[best].most()
}

// ends returns the smallest and the largest number in the base unit. Only numbers near the
// smallest and the largest floating-point number are compared exactly.
func (u *usage) ends() (low, high *big.Rat) {
	var ends [2]struct {
		near   float64
		amount *big.Rat
	}
	for value, held := range u.numbers {
		for i, sign := range [...]float64{1, -1} {
			end := &ends[i]
			c := cmp.Compare(sign*held.near, sign*end.near)
			if end.amount != nil && c > 0 {
				continue
			}
			amount := amountOf(value)
			if end.amount == nil || c < 0 || amount.Cmp(end.amount) == int(-sign) {
				end.near, end.amount = held.near, amount
			}
		}
	}
	return ends[0].amount, ends[1].amount
}
