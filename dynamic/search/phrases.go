package search

import (
	"maps"
	"slices"
	"strings"
	"sync"

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
	words    string // alternatives, parted by bars; an apostrophe parts words
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

	{"fr", between, "entre|de"},
	{"fr", atMost, "moins de|à moins de|pour moins de|sous|en dessous de|au dessous de|inférieur à|inférieure à|jusqu à|maximum|max|au maximum|au plus|pas plus de|moins cher que|plus léger que|plus légère que|plus court que|plus courte que|plus petit que|plus petite que|plus étroit que|plus étroite que|plus fin que|plus fine que|plus lent que|plus lente que|plus jeune que"},
	{"fr", atLeast, "plus de|au moins|minimum|min|au minimum|à partir de|dès|au dessus de|supérieur à|supérieure à|pas moins de|plus cher que|plus chère que|plus lourd que|plus lourde que|plus long que|plus longue que|plus grand que|plus grande que|plus large que|plus haut que|plus haute que|plus épais que|plus épaisse que|plus profond que|plus rapide que|plus vieux que|plus âgé que"},
	{"fr", located, "à|en|au|aux|dans|de|du|des|d|basé à|basé en|situé à|situé en|fabriqué à|fabriqué en|fabriqués en|fait en"},
	{"fr", outside, "hors de|hors|en dehors de"},
	{"fr", made, "par|de|chez|de chez|fabriqué par|vendu par"},
	{"fr", otherThan, "autre que|autres que"},
	{"fr", excluding, "sans|mais sans|sauf|excepté|hormis|mais pas|et pas|ni"},
	{"fr", tailExcluding, "pas de|pas d|aucun|aucune"},
	{"fr", commaExcluding, "pas|non"},
	{"fr", similar, "alternative à|alternatives à|une alternative à|alternative pour|alternatives pour|similaire à|similaires à|semblable à|comparable à|équivalent de|équivalent à|remplacement de|au lieu de|à la place de"},
	{"fr", like, "comme"},
	{"fr", onsite, "sur place|sur site|à domicile"},
	{"fr", comparing, "comparer|comparaison de|comparaison entre|différence entre|différences entre"},
	{"fr", against, "comparé à|par rapport à"},

	{"es", between, "entre|de|desde"},
	{"es", atMost, "menos de|por menos de|por debajo de|debajo de|bajo|inferior a|hasta|máximo|max|como máximo|como mucho|no más de|más barato que|más barata que|más ligero que|más ligera que|más corto que|más corta que|más pequeño que|más pequeña que|más estrecho que|más estrecha que|más fino que|más lento que|más lenta que|más joven que"},
	{"es", atLeast, "más de|al menos|por lo menos|mínimo|min|como mínimo|a partir de|desde|por encima de|superior a|no menos de|más caro que|más cara que|más pesado que|más pesada que|más largo que|más larga que|más grande que|más ancho que|más ancha que|más alto que|más alta que|más grueso que|más profundo que|más rápido que|más rápida que|mayor que"},
	{"es", located, "en|de|del|desde|con sede en|ubicado en|hecho en|hechos en|fabricado en|fabricados en"},
	{"es", outside, "fuera de"},
	{"es", made, "por|de|hecho por|vendido por"},
	{"es", otherThan, "distinto de|distintos de|distinta de|distintas de"},
	{"es", excluding, "sin|pero sin|salvo|excepto|pero no|y no|ni"},
	{"es", tailExcluding, "ningún|ninguna|nada de"},
	{"es", commaExcluding, "no"},
	{"es", similar, "alternativa a|alternativas a|una alternativa a|alternativa para|alternativas para|similar a|similares a|parecido a|parecida a|parecidos a|comparable a|sustituto de|en lugar de|en vez de"},
	{"es", like, "como"},
	{"es", onsite, "in situ|a domicilio"},
	{"es", comparing, "comparar|comparación de|comparación entre|diferencia entre|diferencias entre"},
	{"es", against, "comparado con|comparada con|en comparación con|frente a"},

	{"it", between, "tra|fra|da"},
	{"it", atMost, "meno di|a meno di|per meno di|sotto|sotto i|sotto gli|al di sotto di|inferiore a|fino a|massimo|max|al massimo|non più di|più economico di|più economica di|più leggero di|più leggera di|più corto di|più corta di|più piccolo di|più piccola di|più stretto di|più stretta di|più sottile di|più lento di|più lenta di|più giovane di"},
	{"it", atLeast, "più di|oltre|oltre i|oltre gli|sopra|sopra i|sopra gli|almeno|minimo|min|come minimo|a partire da|da|superiore a|non meno di|più caro di|più cara di|più costoso di|più costosa di|più pesante di|più lungo di|più lunga di|più grande di|più largo di|più larga di|più alto di|più alta di|più spesso di|più profondo di|più veloce di|più vecchio di"},
	{"it", located, "a|in|nel|nella|di|da|dal|dalla|con sede a|con sede in|fatto in|prodotto in|prodotti in"},
	{"it", outside, "fuori da|fuori dal|fuori dalla|al di fuori di"},
	{"it", made, "da|di|prodotto da|venduto da"},
	{"it", otherThan, "diverso da|diversa da|diversi da|diverse da"},
	{"it", excluding, "senza|ma senza|tranne|eccetto|salvo|ma non|e non|né"},
	{"it", tailExcluding, "nessun|nessuna"},
	{"it", commaExcluding, "non"},
	{"it", similar, "alternativa a|alternative a|un alternativa a|alternativa per|alternative per|simile a|simili a|paragonabile a|sostituto di|al posto di|invece di"},
	{"it", like, "come"},
	{"it", onsite, "in loco|sul posto|a domicilio"},
	{"it", comparing, "confronta|confrontare|confronto tra|confronto fra|differenza tra|differenze tra"},
	{"it", against, "rispetto a|in confronto a|paragonato a"},

	{"nl", between, "tussen|van"},
	{"nl", atMost, "onder|onder de|minder dan|voor minder dan|lager dan|goedkoper dan|maximaal|max|maximum|hoogstens|ten hoogste|tot|niet meer dan|niet duurder dan|lichter dan|korter dan|kleiner dan|smaller dan|dunner dan|langzamer dan|jonger dan"},
	{"nl", atLeast, "boven|boven de|meer dan|minstens|ten minste|minimaal|min|minimum|vanaf|niet minder dan|duurder dan|zwaarder dan|langer dan|groter dan|breder dan|hoger dan|dikker dan|dieper dan|sneller dan|ouder dan"},
	{"nl", located, "in|uit|te|vanuit|gevestigd in|gemaakt in"},
	{"nl", outside, "buiten"},
	{"nl", made, "van|door|gemaakt door|verkocht door"},
	{"nl", otherThan, "andere dan|anders dan"},
	{"nl", excluding, "zonder|maar zonder|behalve|uitgezonderd|maar niet|en niet"},
	{"nl", tailExcluding, "geen|maar geen"},
	{"nl", commaExcluding, "niet"},
	{"nl", similar, "alternatief voor|alternatieven voor|een alternatief voor|vergelijkbaar met|vervanging voor|in plaats van"},
	{"nl", like, "zoals"},
	{"nl", onsite, "op locatie|ter plaatse|aan huis"},
	{"nl", comparing, "vergelijk|vergelijking van|vergelijking tussen|verschil tussen|verschillen tussen"},
	{"nl", against, "vergeleken met|in vergelijking met"},
}

// tellsOfOthers has the words of all phrases, of whatever language, and those that deny.
var tellsOfOthers = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, v := range vocabularies {
		maps.Copy(words, wordSet(v.negations))
	}
	for _, one := range phrases {
		for word := range strings.FieldsFuncSeq(one.words, func(r rune) bool { return r == ' ' || r == '|' }) {
			words[fold.Text(word)] = true
		}
	}
	return words
})

// A phrase is one of the phrases in folded words.
type phrase struct {
	words []string
	means meaning
}

// phrasesOf returns the phrases that are understood in a language, the first part of a BCP 47 tag, by
// their first word: the longest first.
func phrasesOf(base string) map[string][]phrase {
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
			if before, elides := strings.CutSuffix(fold.Text(words), " de"); elides && p.language == "fr" {
				spellings = append(spellings, before+" d") // hors d'Allemagne
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
	"£": {"GBP"}, "gbp": {"GBP"}, "pound": {"GBP"}, "pounds": {"GBP"},
	"¥": {"JPY", "CNY"}, "yen": {"JPY"}, "jpy": {"JPY"}, "yuan": {"CNY"}, "cny": {"CNY"},
	"chf": {"CHF"}, "franken": {"CHF"}, "franc": {"CHF"}, "francs": {"CHF"}, "₹": {"INR"}, "rupees": {"INR"}, "inr": {"INR"},
	"₩": {"KRW"}, "won": {"KRW"}, "krw": {"KRW"}, "zł": {"PLN"}, "zl": {"PLN"}, "zloty": {"PLN"}, "pln": {"PLN"},
	"kr": {"SEK", "NOK", "DKK", "ISK"}, "kronen": {"SEK", "NOK", "DKK", "ISK"}, "sek": {"SEK"}, "nok": {"NOK"}, "dkk": {"DKK"},
	"czk": {"CZK"}, "cad": {"CAD"}, "aud": {"AUD"},
}

var dollars = []string{"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "BRL"}
