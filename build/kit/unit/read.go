package unit

import (
	"fmt"
	"math/big"
	"strings"
)

// exact and folded hold the table by what Parse looks for. In folded, a text
// that more than one unit could be meant by is not there, and no text of a
// single letter is, unless it is a word: "K" is not "k", "H" no hour.
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

// spellings returns what a "|"-separated list means: "word(s)" is two, with and
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

// product returns the value of "a*b/c", read from left to right.
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
