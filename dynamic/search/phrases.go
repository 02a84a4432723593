package search

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"souk/build/catalog"
	"souk/build/fold"
	"souk/build/index/text"
)

// A meaning is what a phrase says of what comes behind it.
type meaning uint8

const (
	// atMost and atLeast are bounds of an amount, inclusive like those of filters.
	atMost meaning = iota + 1
	atLeast
	// between begins a range: an amount, a joiner, an amount.
	between
	// located precedes a place, outside one that must not be.
	located
	outside
	// made precedes a seller, otherThan one that must not be.
	made
	otherThan
	// excluding precedes what must not be had; tailExcluding does so only at the end
	// of a text, since "no code" asks for something.
	excluding
	tailExcluding
	// commaExcluding does so only at the end, behind a comma or between two things: what
	// we do not trust is wanted.
	commaExcluding
	// prefixing excludes the next word alone, as in non-electric.
	prefixing
	// similar precedes a listing; like does so only at the start or behind a word
	// that stands for anything.
	similar
	like
	// onsite is a way of delivery.
	onsite
	// comparing precedes the names of listings, against stands between two of them.
	comparing
	against
)

// denies reports whether what comes behind must not be had.
func (m meaning) denies() bool { return m == excluding || m == tailExcluding || m == commaExcluding }

// phrases are what is understood, by language: English always, the others in their
// markets. A phrase may mean several things, of which the first that fits is taken.
var phrases = []struct {
	language string
	means    meaning
	words    string // alternatives, parted by bars
}{
	{"en", between, "between|from"},
	{"en", atMost, "under|below|less than|fewer than|cheaper than|at most|no more than|not more than|no more expensive than|not more expensive than|max|maximum|up to|not over|not above|lighter than|shorter than|smaller than|narrower than|thinner than|slower than|younger than|<|<=|≤"},
	{"en", atLeast, "over|above|more than|more expensive than|at least|no less than|not less than|no fewer than|not fewer than|not under|not below|min|minimum|from|starting at|starting from|heavier than|longer than|larger than|bigger than|wider than|taller than|higher than|deeper than|thicker than|faster than|older than|>|>=|≥"},
	{"en", located, "in|from|made in|based in|located in"},
	{"en", outside, "outside|outside of"},
	{"en", made, "by|made by|sold by"},
	{"en", otherThan, "other than"},
	{"en", excluding, "without|but without|except|except for|excluding|but not|and not|neither|nor"},
	{"en", tailExcluding, "no|but no"},
	{"en", commaExcluding, "not|isn t|aren t"},
	{"en", prefixing, "non"},
	{"en", similar, "alternative to|alternatives to|an alternative to|alternative for|alternatives for|similar to|comparable to|replacement for|a replacement for|instead of"},
	{"en", like, "like"},
	{"en", onsite, "on site|onsite"},
	{"en", comparing, "compare|comparing|comparison of|comparison between|difference between|differences between|which is better|what is better"},
	{"en", against, "vs|versus|compared to|compared with|in comparison to|in comparison with"},

	{"de", between, "zwischen|von"},
	{"de", atMost, "unter|weniger als|billiger als|günstiger als|höchstens|maximal|max|bis|bis zu|nicht mehr als|nicht teurer als|nicht über|leichter als|kürzer als|kleiner als|schmaler als|dünner als|langsamer als|jünger als"},
	{"de", atLeast, "über|mehr als|teurer als|mindestens|wenigstens|ab|min|nicht weniger als|nicht unter|schwerer als|länger als|größer als|breiter als|höher als|tiefer als|dicker als|schneller als|älter als"},
	{"de", located, "in|aus|in der|in den|aus der|aus den|mit Sitz in|hergestellt in"},
	{"de", outside, "außerhalb|außerhalb von"},
	{"de", made, "von|vom"},
	{"de", otherThan, "andere als|anderer als|anderes als|anderen als"},
	{"de", excluding, "ohne|aber ohne|außer|aber nicht|und nicht|weder|noch"},
	{"de", tailExcluding, "kein|keine|keinen|aber kein|aber keine|aber keinen"},
	{"de", commaExcluding, "nicht"},
	{"de", similar, "Alternative zu|Alternativen zu|eine Alternative zu|Alternative für|Alternativen für|ähnlich wie|vergleichbar mit|Ersatz für|statt|anstatt|anstelle von"},
	{"de", like, "wie"},
	{"de", onsite, "vor Ort"},
	{"de", comparing, "vergleiche|Vergleich von|Vergleich zwischen|Unterschied zwischen|Unterschiede zwischen|was ist besser"},
	{"de", against, "verglichen mit|im Vergleich zu|im Vergleich zum|im Vergleich zur|im Vergleich mit"},
}

// boundsBehind are bounds that stand behind an amount.
var boundsBehind = []phrase{
	{[]string{"or", "less"}, atMost}, {[]string{"or", "cheaper"}, atMost}, {[]string{"or", "under"}, atMost}, {[]string{"or", "more"}, atLeast}, {[]string{"or", "above"}, atLeast},
	{[]string{"oder", "weniger"}, atMost}, {[]string{"oder", "billiger"}, atMost}, {[]string{"oder", "gunstiger"}, atMost}, {[]string{"oder", "mehr"}, atLeast},
}

// compared are the names of the attributes that a bound compares by, by its first word, and usual
// those that an amount is of which tells nothing but its dimension.
var (
	compared = namesBy(map[string]string{
		"lighter heavier leichter schwerer": weighed, "shorter longer kurzer langer": "length länge", "wider narrower breiter schmaler": "width breite",
		"taller higher hoher": "height höhe", "thicker thinner dicker dunner": "thickness dicke stärke", "deeper tiefer": "depth tiefe",
		"faster slower schneller langsamer": "speed geschwindigkeit", "older younger alter junger": "age alter",
	})
	usual = namesBy(map[string]string{"mass": weighed})
)

const weighed = "weight mass gewicht masse"

func namesBy(lists map[string]string) map[string][]string {
	names := map[string][]string{}
	for words, list := range lists {
		for word := range wordSet(words) {
			names[word] = strings.Fields(list)
		}
	}
	return names
}

// Words with a part in a pattern, of all languages that it knows.
var (
	// rangeJoiners are between two amounts of a range, spanJoiners where no word tells of it
	// before; placeJoiners are between two places.
	rangeJoiners, spanJoiners = wordSet("and to und bis"), wordSet("to bis")
	placeJoiners              = wordSet("or and oder und")
	// bothBounds may stand between two bounds of one price, alternatives between two of which
	// one is to hold.
	bothBounds, alternatives = wordSet("and but und aber"), wordSet("or oder")
	// either may stand between two listings that are compared, comparedTo where a phrase tells
	// so before.
	either, comparedTo = wordSet("or oder"), wordSet("or oder and und with mit to")
	// negations deny what stands behind them, beside the phrases of what is excluded.
	negations = wordSet("never cannot niemals nie keinem keiner keines ausgenommen")
	// furtherDenials go on with a denial that one of these words began: alone NOR is a kind of
	// flash memory, and noch means still.
	furtherDenials = map[string]map[string]bool{"nor": wordSet("neither not never no without"), "noch": wordSet("weder")}
	// others behind the name of a listing ask for what is like it.
	others = wordSet("alternative alternatives alternativen")
	// anything are words that "like X" may say more of.
	anything = wordSet("something anything somewhat tool tools service services product products software system systems platform platforms app apps one ones things thing listings etwas sowas werkzeug werkzeuge produkt produkte dienst dienste programm programme system systeme software plattform plattformen")
	// articleWords may stand before a name or a thing.
	articleWords = wordSet("the a an any der die das den dem ein eine einen einem einer")
	// definite may stand before a country: the Netherlands, der Schweiz.
	definite = wordSet("the der die das den dem")
	// having may stand before a bound of an attribute.
	having = wordSet("with having mit")
	// aroundAmounts may stand before a bound and say no more than it does.
	aroundAmounts = wordSet("price prices priced rate rates fee fees costing costs cost budget for preis preise preisen kosten kostet budget fur fuer zu einem")
	// aged are people of whom an amount may be the age.
	aged = wordSet("age aged ages child children kid kids baby babies toddler toddlers boy boys girl girls people persons person adult adults anyone everyone those who alter kind kinder kinder baby babys jungen madchen personen leute erwachsene jugendliche")
	// kinds are what a text may ask for that asks for nothing else.
	kinds = map[string]string{"services": catalog.KindService.String(), "dienstleistungen": catalog.KindService.String(), "products": catalog.KindProduct.String(), "produkte": catalog.KindProduct.String()}
	// speaking stand before the names of languages or behind one.
	speaking = wordSet("speak speaks speaking spricht sprechen sprechend sprechende")
	// each may stand behind a price: 50 per day.
	each = wordSet("per each pro je")
	// spelledUnits are other spellings of units that prices are in, byUnit what prices in them are
	// called: an hourly rate.
	spelledUnits = map[string]string{"h": "hour", "hr": "hour", "stunde": "hour", "std": "hour", "tag": "day", "woche": "week", "monat": "month", "mo": "month", "jahr": "year", "annum": "year", "nacht": "night", "kopf": "person", "head": "person"}
	byUnit       = map[string]string{"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annual": "year"}
	// ofAmounts may stand between an amount and the name of what it is of.
	ofAmounts = wordSet("of in a an the is as von an mit der die das")
	// but may stand between "like X" and the rest.
	but = wordSet("but aber only nur just")
)

// tellsOfOthers has the words of all phrases, of whatever language, and those that deny.
var tellsOfOthers = sync.OnceValue(func() map[string]bool {
	words := maps.Clone(negations)
	for _, one := range phrases {
		for word := range strings.FieldsFuncSeq(one.words, func(r rune) bool { return r == ' ' || r == '|' }) {
			words[fold.Text(word)] = true
		}
	}
	return words
})

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// A phrase is one of the phrases in folded words.
type phrase struct {
	words []string
	means meaning
}

// phrasesOf returns the phrases that are understood in a language, a BCP 47 tag, by
// their first word: the longest first.
func phrasesOf(tag string) map[string][]phrase {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	all := map[string][]phrase{}
	for _, p := range phrases {
		if p.language != "en" && p.language != base {
			continue
		}
		for words := range strings.SplitSeq(p.words, "|") {
			spellings := []string{fold.Text(words)}
			if digraphs := text.Digraphs(words); digraphs != "" {
				spellings = append(spellings, fold.Text(digraphs))
			}
			for _, s := range spellings {
				list := strings.Fields(s)
				all[list[0]] = append(all[list[0]], phrase{list, p.means})
			}
		}
	}
	for first := range all {
		slices.SortStableFunc(all[first], func(a, b phrase) int { return len(b.words) - len(a.words) })
	}
	return all
}

// currencies are the codes of ISO 4217 that a word or a symbol may mean. Where more
// than one of them is in a market, it means none.
var currencies = map[string][]string{
	"€": {"EUR"}, "eur": {"EUR"}, "euro": {"EUR"}, "euros": {"EUR"},
	"$": dollars, "dollar": dollars, "dollars": dollars, "us$": {"USD"}, "usd": {"USD"},
	"£": {"GBP"}, "gbp": {"GBP"},
	"¥": {"JPY", "CNY"}, "yen": {"JPY"}, "jpy": {"JPY"}, "yuan": {"CNY"}, "cny": {"CNY"},
	"chf": {"CHF"}, "franken": {"CHF"}, "franc": {"CHF"}, "francs": {"CHF"}, "₹": {"INR"}, "rupees": {"INR"}, "inr": {"INR"},
	"₩": {"KRW"}, "won": {"KRW"}, "krw": {"KRW"}, "zł": {"PLN"}, "zl": {"PLN"}, "zloty": {"PLN"}, "pln": {"PLN"},
	"kr": {"SEK", "NOK", "DKK", "ISK"}, "kronen": {"SEK", "NOK", "DKK", "ISK"}, "sek": {"SEK"}, "nok": {"NOK"}, "dkk": {"DKK"},
	"czk": {"CZK"}, "cad": {"CAD"}, "aud": {"AUD"},
}

var dollars = []string{"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "BRL"}
