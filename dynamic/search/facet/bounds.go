package facet

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"souk/build/document"
	"souk/build/kit/fold"
	"souk/build/kit/problem"
	"souk/build/kit/unit"
	"souk/dynamic/search/corpus"
	"souk/dynamic/search/fault"
)

// price chooses the prices between two amounts.
func (r *reader) price(list []string) {
	f := r.facets
	n := r.narrowing(document.FilterPrice, r.asked.Currency, f.Named(document.FilterPrice, ""))
	if len(list) > 1 {
		r.add(document.FilterPrice, fault.TooMany, "a price has one range: give it once")
		return
	}
	within, rest, wrong := bounds(list[0])
	if wrong == "" && rest != "" {
		wrong = "the currency is a separate parameter"
	}
	if wrong != "" {
		r.add(document.FilterPrice, fault.Invalid, "%s: write MIN..MAX, as in 100..500, 100.. or ..500, or 100<.. or ..<500 to exclude the bound, in the currency of the parameter currency", wrong)
		return
	}
	if r.asked.Currency == "" {
		return // order reports it
	}
	for _, one := range f.shownOf(document.FilterPrice, r.asked.Currency, r.visible) {
		r.choose(f.within(&one, within))
		n.choices = append(n.choices, choice{facet: one.First, sent: list[0]})
	}
	if len(n.choices) == 0 {
		n.choices = []choice{{facet: nowhere, sent: list[0]}}
	}
}

// An interval is a range of numbers; nil is open. above and below exclude the bounds.
type interval struct {
	least, most  *big.Rat
	above, below bool
}

// bounds parses MIN..MAX and the text after it. MIN< and <MAX exclude the bound itself.
func bounds(text string) (within interval, rest, fault string) {
	low, high, found := strings.Cut(text, "..")
	if !found {
		return within, "", problem.Quoted(text) + " is not a range"
	}
	low, within.above = strings.CutSuffix(strings.TrimSpace(low), "<")
	high, within.below = strings.CutPrefix(strings.TrimSpace(high), "<")
	low, high = strings.TrimSpace(low), strings.TrimSpace(high)
	end := numberEnd(high)
	high, rest = high[:end], strings.TrimSpace(high[end:])
	for _, one := range [...]struct {
		written string
		number  **big.Rat
		out     bool
	}{{low, &within.least, within.above}, {high, &within.most, within.below}} {
		ok := one.written == "" && !one.out
		if !ok {
			*one.number, ok = unit.ParseDecimal(one.written)
		}
		if !ok {
			return within, "", problem.Quoted(one.written) + " is not a number"
		}
	}
	if within.least != nil && within.most != nil && within.least.Cmp(within.most) > 0 {
		return within, "", fmt.Sprintf("%s is more than %s", low, high)
	}
	return within, rest, ""
}

// attribute chooses a value or a range of an attribute.
func (r *reader) attribute(text string) {
	name, value, found := strings.Cut(text, ":")
	folded := FoldedName(name)
	if !found || folded == "" || strings.TrimSpace(value) == "" {
		r.add(document.FilterAttribute, fault.Invalid, "%s is not an attribute with a value: write Name:value, or Name:MIN..MAX and the unit, as in Range:50..200 m", problem.Quoted(text))
		return
	}
	of := r.facets.shownOf(document.FilterAttribute, folded, r.visible)
	n := r.narrowing(document.FilterAttribute, folded, of)
	if len(r.Narrowings) > maxNarrowings-1 {
		r.add(document.FilterAttribute, fault.TooMany, "there are too many attributes: choose at most %d names", maxNarrowings-len(document.SearchFilters()))
		return
	}
	if len(of) == 0 {
		n.choices = append(n.choices, choice{facet: nowhere, sent: text})
		return
	}
	if wrong := r.chooseOf(n, of, value, text); wrong != "" {
		r.add(document.FilterAttribute, fault.Invalid, "%s: %s", of[0].Name, wrong)
	}
}

// chooseOf chooses a value of an attribute's facets, in each type that it can have: text,
// truth value or number. It reports a fault if the value can have none. Surrounding spaces are
// ignored, unless a listing has a text with them, because filters return it in that form.
func (r *reader) chooseOf(n *Narrowing, of []Facet, written, sent string) (fault string) {
	f, value := r.facets, strings.TrimSpace(written)
	var text, other []choice
	for i := range of {
		one := &of[i]
		switch one.Kind {
		case NumberValues:
			first, end, wrong := f.numbers(one, value)
			if wrong != "" {
				fault = wrong
				continue
			}
			r.choose(first, end)
			other = append(other, choice{facet: one.First, sent: sent})
		case booleanValues:
			truth, is := truthOf(value)
			if !is {
				fault = cmp.Or(fault, "this is true or false")
				continue
			}
			chosen := r.value(one, truth, sent)
			if len(text) > 0 && text[0].exists {
				chosen.otherType = [2]uint32{text[0].id, text[0].id + 1}
			}
			other = append(other, chosen)
		default:
			as := value
			if id, held := f.Find(one, written); held && r.facets.Shown(id, id+1, r.visible) {
				as = written
			}
			text = append(text, r.value(one, as, sent))
		}
	}
	if len(text)+len(other) == 0 {
		return fault
	}
	for i := range text {
		text[i].elsewhere = len(other) > 0
	}
	n.choices = append(append(n.choices, text...), other...)
	return ""
}

// truthOf parses a truth value.
func truthOf(value string) (truth string, is bool) {
	truth = fold.Text(value)
	return truth, truth == "true" || truth == "false"
}

// numbers returns the ids of a facet's numbers that a value or range selects.
func (f *Facets) numbers(one *Facet, value string) (first, end uint32, fault string) {
	var within interval
	symbol := ""
	if strings.Contains(value, "..") {
		if within, symbol, fault = bounds(value); fault != "" {
			return 0, 0, fault + ": " + one.howToWrite()
		}
	} else {
		end := numberEnd(value)
		amount, ok := unit.ParseDecimal(value[:end])
		if !ok {
			return 0, 0, problem.Quoted(value) + " is not a number: " + one.howToWrite()
		}
		within, symbol = interval{least: amount, most: amount}, strings.TrimSpace(value[end:])
	}
	u, _ := unit.Parse(symbol)
	if u.Dimension() != one.Unit.Dimension() {
		if symbol == "" {
			return 0, 0, "the unit is missing: " + one.howToWrite()
		}
		return 0, 0, problem.Quoted(symbol) + " does not measure this: " + one.howToWrite()
	}
	if within.least != nil {
		within.least = u.Base(within.least)
	}
	if within.most != nil {
		within.most = u.Base(within.most)
	}
	first, end = f.within(one, within)
	return first, end, ""
}

// HasNumber reports whether a visible listing has a number as an attribute, by the attribute's
// folded name.
func (f *Facets) HasNumber(attribute, number string, v *corpus.Visibility) bool {
	return slices.ContainsFunc(f.Named(document.FilterAttribute, attribute), func(one Facet) bool {
		if one.Kind != NumberValues {
			return false
		}
		first, end, wrong := f.numbers(&one, number)
		return wrong == "" && f.Shown(first, end, v)
	})
}

// numberEnd returns the end of the number at the start of a text.
func numberEnd(text string) int {
	end := 0
	for end < len(text) && strings.IndexByte("0123456789.+-", text[end]) >= 0 {
		end++
	}
	return end
}

// howToWrite returns an example of a range for an attribute's numbers.
func (one *Facet) howToWrite() string {
	if one.symbol == "" {
		return fmt.Sprintf("write %s:MIN..MAX, as in %s:1..10", one.Name, one.Name)
	}
	return fmt.Sprintf("write %s:MIN..MAX %s, as in %s:1..10 %s", one.Name, one.symbol, one.Name, one.symbol)
}
