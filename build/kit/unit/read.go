package unit

import (
	"fmt"
	"math/big"
	"strings"
)

// exact and folded map texts to units for Parse. folded omits ambiguous texts and single
// letters, unless they are words: "K" is not "k", and "H" is not an hour.
var exact, folded = read()

func read() (exact, folded map[string]*measure) {
	exact, folded = map[string]*measure{}, map[string]*measure{}
	ambiguous := map[string]bool{}
	inAnyCase := func(text string, m *measure) {
		if other := folded[text]; other != nil && other != m {
			ambiguous[text] = true
		}
		folded[text] = m
	}
	for _, group := range table {
		for _, r := range group.units {
			m := &measure{dimension: group.name, symbol: r.symbol, factor: product(r.factor)}
			if r.offset != "" {
				m.offset = product(r.offset)
			}
			for _, symbol := range spellings(r.symbol + "|" + r.symbols) {
				symbol = normal(symbol)
				if exact[symbol] != nil && exact[symbol] != m {
					panic(fmt.Sprintf("unit: %q is both %s and %s", symbol, exact[symbol].symbol, m.symbol))
				}
				exact[symbol] = m
				if len([]rune(symbol)) > 1 {
					inAnyCase(fold(symbol), m)
				}
			}
			for _, word := range spellings(r.words) {
				inAnyCase(fold(normal(word)), m)
			}
		}
	}
	for text := range ambiguous {
		delete(folded, text)
	}
	return exact, folded
}

// spellings returns the spellings in a "|"-separated list: "word(s)" means two, with and
// without the s.
func spellings(list string) []string {
	var all []string
	for text := range strings.SplitSeq(list, "|") {
		if text == "" {
			continue
		}
		if strings.Contains(text, "(s)") {
			all = append(all, strings.ReplaceAll(text, "(s)", "s"), strings.ReplaceAll(text, "(s)", ""))
		} else {
			all = append(all, text)
		}
	}
	return all
}

// product returns the value of "a*b/c", evaluated from left to right.
func product(text string) *big.Rat {
	value, sign := big.NewRat(1, 1), byte('*')
	for text != "" {
		end := strings.IndexAny(text, "*/")
		if end < 0 {
			end = len(text)
		}
		number, ok := ParseDecimal(text[:end])
		if !ok {
			panic("unit: no factor: " + text)
		}
		if sign == '/' {
			number.Inv(number)
		}
		value.Mul(value, number)
		if end == len(text) {
			break
		}
		sign, text = text[end], text[end+1:]
	}
	return value
}
