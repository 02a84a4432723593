package catalog

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"souk/build/kit/unit"
)

// This file tells which attributes the listings of a Category use.

// A usage is what the listings of a Category have of an attribute. It is kept as
// listings come and go.
type usage struct {
	// listings have it; pairs are the values of each of them, added up.
	listings, pairs int
	names, units    spellings
	// texts are by the text without case and accents, and truth values; numbers by
	// the number in the base unit. One of the two is nil.
	texts   map[string]heldText
	numbers map[string]heldNumber
}

// A heldText is how many listings have a text. Of 100,000 listings each may have
// one of its own, so that it is small: most are written in one way.
type heldText struct {
	listings int
	text     string
	// others are other spellings; nil mostly.
	others *spellings
}

// count adds a listing that writes the value in this way, or takes it away.
func (h *heldText) count(text string, by int) {
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

// written returns how many listings write the value as text.
func (h *heldText) written() int {
	uses := h.listings
	if h.others != nil {
		for _, one := range *h.others {
			uses -= one.uses
		}
	}
	return uses
}

// most returns the most frequent spelling.
func (h *heldText) most() string {
	if h.others == nil {
		return h.text
	}
	all := slices.Clone(*h.others)
	all.count(h.text, h.written())
	return all.most()
}

// A heldNumber is how many listings have a number.
type heldNumber struct {
	listings int
	near     float64
}

// spellings count how a thing is written, in the order of the texts.
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

// most returns the most frequent one, the first of several.
func (s spellings) most() string {
	best := spelling{}
	for _, one := range s {
		if one.uses > best.uses {
			best = one
		}
	}
	return best.text
}

// countFacts adds what a listing has to the attributes of a Category, or takes it
// away where by is -1.
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
		u.numbers = map[string]heldNumber{}
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
		u.texts = map[string]heldText{}
	}
	one := u.texts[f.value]
	if one.count(f.text, by); one.listings == 0 {
		delete(u.texts, f.value)
	} else {
		u.texts[f.value] = one
	}
}

// distinct reports whether nearly every value is another one, so that none of them
// says much: over 80 %.
func (u *usage) distinct() bool { return len(u.texts)*5 > u.pairs*4 }

// An AttributeUse is an attribute that listings of a Category have: those of one
// type and, of numbers, one dimension.
type AttributeUse struct {
	Name     string
	Kind     ValueKind
	Listings int
	// Unit is the one that most numbers are given in. Min and Max are the least and
	// the greatest in it, as decimals: between them lie all numbers.
	Unit, Min, Max string
	// Values are those of a text or a truth value that most listings have; none where
	// nearly every text is another one.
	Values []ValueUse
}

// A ValueUse is how many listings have a value.
type ValueUse struct {
	Value    string
	Listings int
}

// Attributes returns up to most attributes of a Category's listings, with up to
// mostValues of each: those of the most listings first, then by name and by value. A
// listing has what its variants have, and counts once.
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

// top returns the values of the most listings.
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

// span returns the unit that most numbers are given in, as it is mostly written, and
// the least and the greatest number in it.
func (u *usage) span() (symbol, least, greatest string) {
	of, symbol := u.unit()
	low, high := u.ends()
	return symbol, unit.DecimalBelow(of.FromBase(low)), unit.DecimalAbove(of.FromBase(high))
}

// unit returns the most frequent unit, however it is written, and how it mostly is.
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

// ends returns the least and the greatest number, in the base unit. Only those next
// to the least and the greatest floating-point number are compared exactly.
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
