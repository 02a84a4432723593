package grammar

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"souk/build/fold"
)

// A Meaning is what a phrase says of what comes behind it.
type Meaning uint8

const (
	// AtMost and AtLeast are bounds of an amount, inclusive like those of filters.
	AtMost Meaning = iota + 1
	AtLeast
	// Between begins a range: an amount, a joiner, an amount.
	Between
	// Located precedes a place, Near a city or a region alone, Outside a place that must not be.
	Located
	Near
	Outside
	// Made precedes a seller, OtherThan one that must not be.
	Made
	OtherThan
	// Excluding precedes what must not be had; TailExcluding does so only at the end
	// of a text, since "no code" asks for something.
	Excluding
	TailExcluding
	// CommaExcluding does so only at the end, behind a comma or between two things: what
	// we do not trust is wanted.
	CommaExcluding
	// Prefixing excludes the next word alone, as in non-electric.
	Prefixing
	// Similar precedes a listing; Like does so only at the start or behind a word
	// that stands for anything.
	Similar
	Like
	// Onsite is a way of delivery.
	Onsite
	// Comparing precedes the names of listings, Against stands between two of them.
	Comparing
	Against
)

// Denies reports whether what comes behind must not be had.
func (m Meaning) Denies() bool { return m == Excluding || m == TailExcluding || m == CommaExcluding }

// Bounds are those of an amount; "" is none.
type Bounds struct{ Least, Most string }

// Bounds returns those of what is at most or at least so much.
func (m Meaning) Bounds(amount string) Bounds {
	if m == AtMost {
		return Bounds{Most: amount}
	}
	return Bounds{Least: amount}
}

// Opposite returns those of what is not within: ok is false where there is something on
// either side.
func (b Bounds) Opposite() (other Bounds, ok bool) {
	return Bounds{b.Most, b.Least}, b.Least == "" || b.Most == ""
}

// String writes them as the value of a filter.
func (b Bounds) String() string { return b.Least + ".." + b.Most }

// A worded is what some phrases mean. A phrase may mean several things, of which the
// first that fits is taken.
type worded struct {
	means Meaning
	words string // alternatives, parted by bars; an apostrophe parts words
}

// TellsOfOthers has the words of all phrases, of whatever language, and those that deny.
var TellsOfOthers = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, l := range languages {
		maps.Copy(words, Set(l.negations))
		for _, one := range l.phrases {
			for word := range strings.FieldsFuncSeq(one.words, func(r rune) bool { return r == ' ' || r == '|' }) {
				words[fold.Text(word)] = true
			}
		}
	}
	return words
})

// A Phrase is one of the phrases in folded words.
type Phrase struct {
	Words []string
	Means Meaning
}

// addPhrases adds those of a language, by their first word. Where a word elides de, a
// phrase that ends with it is also said with d.
func (g *Grammar) addPhrases(l *language) {
	for _, p := range l.phrases {
		for words := range strings.SplitSeq(p.words, "|") {
			spelled := spellings(words)
			if before, elides := strings.CutSuffix(fold.Text(words), " de"); elides && l.elides {
				spelled = append(spelled, before+" d") // hors d'Allemagne
			}
			if before, compares := strings.CutSuffix(words, " than"); compares {
				spelled = append(spelled, before+" then") // as many write it
			}
			for _, s := range spelled {
				list := strings.Fields(s)
				g.Phrases[list[0]] = append(g.Phrases[list[0]], Phrase{list, p.means})
			}
		}
	}
	for _, some := range g.Phrases {
		slices.SortStableFunc(some, func(a, b Phrase) int { return len(b.Words) - len(a.Words) })
	}
}

// Currencies are the codes of ISO 4217 that a word or a symbol may mean. Where more
// than one of them is in a market, it means none.
var Currencies = map[string][]string{
	"€": {"EUR"}, "eur": {"EUR"}, "euro": {"EUR"}, "euros": {"EUR"},
	"$": dollars, "dollar": dollars, "dollars": dollars, "us$": {"USD"}, "usd": {"USD"},
	"c$": {"CAD"}, "ca$": {"CAD"}, "a$": {"AUD"}, "au$": {"AUD"}, "nz$": {"NZD"}, "s$": {"SGD"}, "hk$": {"HKD"}, "nt$": {"TWD"}, "r$": {"BRL"},
	"£": {"GBP"}, "gbp": {"GBP"}, "pound": {"GBP"}, "pounds": {"GBP"},
	"¥": {"JPY", "CNY"}, "yen": {"JPY"}, "jpy": {"JPY"}, "yuan": {"CNY"}, "cny": {"CNY"},
	"chf": {"CHF"}, "franken": {"CHF"}, "franc": {"CHF"}, "francs": {"CHF"}, "₹": {"INR"}, "rupee": {"INR"}, "rupees": {"INR"}, "inr": {"INR"},
	"₩": {"KRW"}, "won": {"KRW"}, "krw": {"KRW"}, "zł": {"PLN"}, "zl": {"PLN"}, "zloty": {"PLN"}, "pln": {"PLN"},
	"kr": crowns, "krone": crowns, "kroner": crowns, "kronen": crowns, "krona": crowns, "kronor": crowns, "sek": {"SEK"}, "nok": {"NOK"}, "dkk": {"DKK"},
	"czk": {"CZK"}, "cad": {"CAD"}, "aud": {"AUD"},
}

var dollars = []string{"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "BRL"}

var crowns = []string{"SEK", "NOK", "DKK", "ISK"}
