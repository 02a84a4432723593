package catalog

import (
	"math/big"
	"strings"

	"souk/build/kit/fold"
	"souk/build/kit/unit"
)

// This file reads the attributes of an offer for counting and comparing.

// An attributeKey identifies an attribute: its name without case and accents, the type of its
// values, and the dimension of its numbers.
type attributeKey struct {
	name      string
	kind      ValueKind
	dimension string
}

// A fact is a value of an offer's attribute, in the offer itself or in a variant.
type fact struct {
	key attributeKey
	// first marks the first fact of an offer with its key.
	first bool
	// name, text and unit are as written, without surrounding spaces.
	name, text, unit string
	// value is the form in which values are compared: a text without case and accents, true or
	// false, or a number in the base unit of its dimension as a fraction. near is the nearest
	// floating-point number.
	value string
	near  float64
}

// A factReader reads facts. It caches names and units, of which there are few, and some
// numbers.
type factReader struct {
	names   map[string]string
	units   map[string]unit.Unit
	numbers map[writtenNumber]number
	keys    map[attributeKey]bool
	seen    map[seenFact]bool
}

// mostNumbers is how many numbers are cached.
const mostNumbers = 1 << 12

// A writtenNumber is a number as its author writes it.
type writtenNumber struct{ value, unit string }

// A number is the numeric part of a fact.
type number struct {
	dimension, value string
	near             float64
}

type seenFact struct {
	key   attributeKey
	value string
}

func newFactReader() *factReader {
	return &factReader{
		names: map[string]string{}, units: map[string]unit.Unit{}, numbers: map[writtenNumber]number{},
		keys: map[attributeKey]bool{}, seen: map[seenFact]bool{},
	}
}

// counts are the properties of an offer that lists count.
type counts struct {
	facts []fact
	price band
}

// counts returns the properties of an offer; the zero value for nil and for other items.
func (r *factReader) counts(item Item) counts {
	if item == nil || !KindOf(item).Offer() {
		return counts{}
	}
	o := Unpacked(item).(*Offer)
	return counts{r.facts(o), bandOf(o.Price)}
}

// facts returns each value of an offer once: its own values first, then those of its variants
// in the author's order.
func (r *factReader) facts(o *Offer) []fact {
	clear(r.keys)
	clear(r.seen)
	all := make([]fact, 0, len(o.Attributes))
	add := func(list []Attribute) {
		for i := range list {
			f, ok := r.fact(&list[i])
			if seen := (seenFact{f.key, f.value}); ok && !r.seen[seen] {
				f.first = !r.keys[f.key]
				r.keys[f.key], r.seen[seen] = true, true
				all = append(all, f)
			}
		}
	}
	add(o.Attributes)
	for i := range o.Variants {
		add(o.Variants[i].Attributes)
	}
	return all
}

// fact reads one attribute. ok is false for a number with more digits than any measurement
// has.
func (r *factReader) fact(a *Attribute) (f fact, ok bool) {
	f = fact{key: attributeKey{name: r.fold(a.Name), kind: a.Kind}, name: strings.TrimSpace(a.Name), text: strings.TrimSpace(a.Value), value: a.Value}
	switch a.Kind {
	case TextValue:
		f.value = fold.Text(f.text)
	case NumberValue:
		f.unit = strings.TrimSpace(a.Unit)
		var one number
		if one, ok = r.number(a); !ok {
			return f, false
		}
		f.key.dimension, f.value, f.near = one.dimension, one.value, one.near
		if f.value == f.text {
			f.value = f.text // one copy per value
		}
	}
	return f, true
}

// number reads the number of an attribute. ok is false if it has too many digits.
func (r *factReader) number(a *Attribute) (one number, ok bool) {
	written := writtenNumber{a.Value, a.Unit}
	if one, ok = r.numbers[written]; ok {
		return one, true
	}
	amount, ok := unit.ParseDecimal(a.Value)
	if !ok {
		return one, false
	}
	u := r.unit(a.Unit)
	base := u.Base(amount)
	one.dimension, one.value = u.Dimension(), base.RatString()
	one.near, _ = base.Float64()
	if len(r.numbers) == mostNumbers {
		clear(r.numbers)
	}
	r.numbers[written] = one
	return one, true
}

func (r *factReader) fold(name string) string {
	folded, known := r.names[name]
	if !known {
		folded = fold.Text(strings.TrimSpace(name))
		r.names[name] = folded
	}
	return folded
}

func (r *factReader) unit(symbol string) unit.Unit {
	u, known := r.units[symbol]
	if !known {
		u, _ = unit.Parse(symbol)
		r.units[symbol] = u
	}
	return u
}

// amountOf returns the number of a fact's value.
func amountOf(value string) *big.Rat {
	amount, ok := new(big.Rat).SetString(value)
	if !ok {
		panic("catalog: " + value + " is no number of a fact")
	}
	return amount
}
