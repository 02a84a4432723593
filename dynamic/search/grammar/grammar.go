package grammar

import (
	"slices"
	"strings"

	"souk/build/catalog"
	"souk/build/fold"
	"souk/build/index/text"
)

// Measures are the names of the attributes of what is compared, in all languages.
var Measures = map[string]string{
	"weight": "weight mass gewicht masse poids peso", "length": "length länge longueur longitud largo lunghezza lengte",
	"width": "width breite largeur anchura ancho larghezza breedte", "height": "height höhe hauteur altura alto altezza hoogte",
	"thickness": "thickness dicke stärke épaisseur grosor espesor spessore dikte", "depth": "depth tiefe profondeur profundidad profondità diepte",
	"speed": "speed geschwindigkeit vitesse velocidad velocità snelheid", "age": "age alter âge edad età leeftijd",
	"strength": "strength force power capacity payload stärke kraft leistung tragkraft traglast zugkraft nutzlast puissance capacité charge fuerza potencia capacidad carga forza potenza capacità portata kracht vermogen draagvermogen trekkracht",
}

// Usual are the measures that an amount is of which tells nothing but its dimension.
var Usual = map[string]string{"mass": "weight"}

// FurtherDenials go on with a denial that one of these words began: alone NOR is a kind of
// flash memory, and noch means still.
var FurtherDenials = map[string]map[string]bool{"nor": Set("neither not never no without"), "noch": Set("weder")}

// A Grammar is what is understood in a market: its phrases and the words with a part in them,
// folded, in English and in its language.
type Grammar struct {
	// comma: the language has a decimal comma.
	comma bool
	// Phrases lead from their first word to them, the longest first. All else is as a
	// language's vocabulary tells it, word by word.
	Phrases map[string][]Phrase

	RangeJoiners, SpanJoiners, PlaceJoiners, BothBounds, Alternatives, ComparedTo, Negations, Others map[string]bool
	Anything, ArticleWords, Definite, Having, AroundAmounts, OfAmounts, Aged, Speaking, Each, But    map[string]bool
	BorderWords, Tongues, Than                                                                       map[string]bool
	Behind                                                                                           []Phrase
	Kinds, OneOf, Units, Adverbs, Compared                                                           map[string]string
}

// Of returns the grammar of a language, a BCP 47 tag. One that is not known has that of
// English alone.
func Of(tag string) Grammar {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	g := Grammar{
		comma:   base != "" && base != "en" && base != "zh" && base != "ja" && base != "ko",
		Phrases: map[string][]Phrase{}, Kinds: map[string]string{}, OneOf: map[string]string{}, Units: map[string]string{}, Adverbs: map[string]string{}, Compared: map[string]string{},
	}
	g.add(&english)
	if own, known := languages[base]; known && own != &english {
		g.add(own)
	}
	return g
}

func (g *Grammar) add(l *language) {
	g.addPhrases(l)
	g.addWords(&l.vocabulary)
	g.addBehind(l)
}

func (g *Grammar) addWords(v *vocabulary) {
	for _, one := range [...]struct {
		set   *map[string]bool
		words string
	}{
		{&g.RangeJoiners, v.rangeJoiners}, {&g.SpanJoiners, v.spanJoiners}, {&g.PlaceJoiners, v.placeJoiners}, {&g.BothBounds, v.bothBounds},
		{&g.Alternatives, v.alternatives}, {&g.ComparedTo, v.comparedTo}, {&g.Negations, v.negations}, {&g.Others, v.others}, {&g.Anything, v.anything},
		{&g.ArticleWords, v.articleWords}, {&g.Definite, v.definite}, {&g.Having, v.having}, {&g.AroundAmounts, v.aroundAmounts}, {&g.OfAmounts, v.ofAmounts},
		{&g.Aged, v.aged}, {&g.Speaking, v.speaking}, {&g.Tongues, v.tongues}, {&g.Each, v.each}, {&g.But, v.but}, {&g.BorderWords, v.borderWords}, {&g.Than, v.than},
	} {
		if *one.set == nil {
			*one.set = map[string]bool{}
		}
		for _, word := range spelledWords(one.words) {
			(*one.set)[word] = true
		}
	}
	for kind, words := range map[catalog.Kind][2]string{catalog.KindService: {v.services, v.service}, catalog.KindProduct: {v.products, v.product}} {
		g.Kinds[fold.Text(words[0])], g.OneOf[fold.Text(words[1])] = kind.String(), kind.String()
	}
	for _, one := range [...]struct {
		of    map[string]string
		words string
	}{{g.Units, v.units}, {g.Adverbs, v.adverbs}, {g.Compared, v.compared}} {
		for _, pair := range strings.Fields(one.words) {
			word, means, _ := strings.Cut(pair, "=")
			for _, spelling := range spelledWords(word) {
				one.of[spelling] = means
			}
		}
	}
}

// addBehind adds the bounds behind an amount, the longest first.
func (g *Grammar) addBehind(l *language) {
	add := func(means Meaning, phrase string) {
		for _, s := range spellings(phrase) {
			g.Behind = append(g.Behind, Phrase{strings.Fields(s), means})
		}
	}
	for p := range strings.SplitSeq(l.atMostBehind, "|") {
		add(AtMost, p)
	}
	for p := range strings.SplitSeq(l.atLeastBehind, "|") {
		add(AtLeast, p)
	}
	than := Set(l.than)
	for _, one := range l.phrases {
		for p := range strings.SplitSeq(one.words, "|") {
			said := strings.Fields(p)
			last := len(said) - 1
			if (one.means == AtMost || one.means == AtLeast) && last > 0 && than[fold.Text(said[last])] {
				for _, or := range strings.Fields(l.alternatives) {
					add(one.means, or+" "+strings.Join(said[:last], " "))
				}
			}
		}
	}
	slices.SortStableFunc(g.Behind, func(a, b Phrase) int { return len(b.Words) - len(a.Words) })
}

// spelledWords returns words folded, in each of their spellings.
func spelledWords(words string) (list []string) {
	for _, word := range strings.Fields(words) {
		list = append(list, spellings(word)...)
	}
	return list
}

// spellings returns a word or a phrase folded, and with umlauts as two letters where it has some.
func spellings(phrase string) []string {
	list := []string{fold.Text(phrase)}
	if digraphs := text.Digraphs(phrase); digraphs != "" {
		list = append(list, fold.Text(digraphs))
	}
	return list
}

// Set returns words in each of their spellings, folded.
func Set(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range spelledWords(words) {
		set[word] = true
	}
	return set
}
