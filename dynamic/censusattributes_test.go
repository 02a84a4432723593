package dynamic

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"souk/build/kit/fold"
	"souk/build/kit/unit"
)

// An attributeCensus collects an attribute of a category's listings from their own
// documents.
type attributeCensus struct {
	listings map[string]bool
	values   map[string]map[string]bool
	numbers  []*big.Rat
}

// checkAttributes checks that a category has the attributes of its listings' documents.
func (c *census) checkAttributes(address string, doc map[string]any, within map[string]bool, offers map[string]map[string]any) {
	c.Helper()
	there := map[string]*attributeCensus{}
	for at := range within {
		lists := []any{offers[at]["attributes"]}
		if variants, has := offers[at]["variants"].([]any); has {
			for _, v := range variants {
				lists = append(lists, v.(map[string]any)["attributes"])
			}
		}
		for _, list := range lists {
			for _, a := range list.([]any) {
				note(there, at, a.(map[string]any))
			}
		}
	}
	told := doc["attributes"].([]any)
	if len(told) != min(50, len(there)) {
		c.Errorf("%s tells of %d attributes, and its listings have %d", address, len(told), len(there))
	}
	for _, one := range told {
		use := one.(map[string]any)
		symbol, _ := use["unit"].(string)
		u, _ := unit.Parse(symbol)
		key := fmt.Sprint(fold.Text(strings.TrimSpace(use["name"].(string))), " ", use["type"], " ", u.Dimension())
		is := there[key]
		switch {
		case is == nil:
			c.Errorf("%s tells of %s, which no listing has", address, key)
		case use["count"] != float64(len(is.listings)):
			c.Errorf("%s: %v listings have %s, not %d", address, use["count"], key, len(is.listings))
		case use["type"] == "number":
			c.checkEnds(address+" "+key, u, use, is.numbers)
		default:
			c.checkValues(address+" "+key, use, is.values)
		}
	}
}

func note(there map[string]*attributeCensus, at string, a map[string]any) {
	symbol, _ := a["unit"].(string)
	typed, value, u := "text", fmt.Sprint(a["value"]), unit.Unit{}
	var number *big.Rat
	switch v := a["value"].(type) {
	case float64:
		typed = "number"
		u, _ = unit.Parse(symbol)
		amount, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
		number = u.Base(amount)
	case bool:
		typed = "boolean"
	}
	key := fmt.Sprint(fold.Text(strings.TrimSpace(a["name"].(string))), " ", typed, " ", u.Dimension())
	if there[key] == nil {
		there[key] = &attributeCensus{listings: map[string]bool{}, values: map[string]map[string]bool{}}
	}
	is, folded := there[key], fold.Text(strings.TrimSpace(value))
	is.listings[at] = true
	if number != nil {
		is.numbers = append(is.numbers, number)
		return
	}
	if is.values[folded] == nil {
		is.values[folded] = map[string]bool{}
	}
	is.values[folded][at] = true
}

// checkEnds checks the numbers at the ends of an attribute's range.
func (c *census) checkEnds(what string, u unit.Unit, use map[string]any, numbers []*big.Rat) {
	c.Helper()
	for i, name := range []string{"min", "max"} {
		want := slices.MinFunc(numbers, func(a, b *big.Rat) int { return (1 - 2*i) * a.Cmp(b) })
		exact, _ := u.FromBase(want).Float64()
		if got, told := use[name].(float64); !told || got-exact > 1e-6*max(1, exact, -exact) || exact-got > 1e-6*max(1, exact, -exact) {
			c.Errorf("%s: %s is %v, not %v", what, name, use[name], exact)
		}
	}
}

// checkValues checks that the values of an attribute are those of the most listings.
func (c *census) checkValues(what string, use map[string]any, values map[string]map[string]bool) {
	c.Helper()
	pairs := 0
	for _, listings := range values {
		pairs += len(listings)
	}
	told, _ := use["values"].([]any)
	if use["type"] == "text" && len(values)*5 > pairs*4 {
		if len(told) > 0 {
			c.Errorf("%s: nearly all of %d values are distinct, and %d are told", what, pairs, len(told))
		}
		return
	}
	counts := slices.Sorted(func(yield func(int) bool) {
		for listings := range maps.Values(values) {
			if !yield(-len(listings)) {
				return
			}
		}
	})
	if len(told) != min(20, len(values)) {
		data, _ := json.Marshal(told)
		c.Errorf("%s: the values are %s, and there are %d", what, data, len(values))
		return
	}
	for i, one := range told {
		v := one.(map[string]any)
		if listings := values[fold.Text(strings.TrimSpace(v["value"].(string)))]; v["count"] != float64(len(listings)) || len(listings) != -counts[i] {
			c.Errorf("%s: %v of %v listings is not the value number %d", what, v["value"], v["count"], i)
		}
	}
}
