package search

import (
	"strings"

	"souk/build/catalog"
	"souk/build/fold"
	"souk/build/index/text"
)

// A vocabulary is the words of a language with a part in a pattern, beside its phrases.
type vocabulary struct {
	// rangeJoiners are between two amounts of a range, spanJoiners where no word tells of it
	// before; placeJoiners are between two places.
	rangeJoiners, spanJoiners, placeJoiners string
	// bothBounds may stand between two bounds of one price, alternatives between two of which
	// one is to hold.
	bothBounds, alternatives string
	// comparedTo may stand between two listings where a phrase before tells that they are compared.
	comparedTo string
	// negations deny what stands behind them, beside the phrases of what is excluded.
	negations string
	// others behind the name of a listing ask for what is like it.
	others string
	// anything are words that "like X" may say more of.
	anything string
	// articleWords may stand before a name or a thing, definite before a country: the Netherlands.
	articleWords, definite string
	// having may stand before a bound of an attribute.
	having string
	// aroundAmounts may stand before a bound and say no more than it does, ofAmounts between an
	// amount and the name of what it is of.
	aroundAmounts, ofAmounts string
	// aged are people of whom an amount may be the age.
	aged string
	// speaking stand before the names of languages or behind one.
	speaking string
	// tongues stand before the name of a language that something is wanted in.
	tongues string
	// each may stand behind a price: 50 per day.
	each string
	// but may stand between "like X" and the rest.
	but string
	// borderWords begin what is no part of a thing that is excluded.
	borderWords string
	// behind are the bounds behind an amount: or less, and or more.
	atMostBehind, atLeastBehind string // alternatives, parted by bars
	// services and products are what a text may ask for that asks for nothing else; service and
	// product are one of them.
	services, products, service, product string
	// units are other spellings of units that prices are in, and adverbs what such prices are
	// called: an hourly rate. Each is word=unit.
	units, adverbs string
	// compared are words of bounds that compare by an attribute or the price, each word=measure.
	compared string
}

var vocabularies = map[string]vocabulary{
	"en": {
		rangeJoiners: "and to", spanJoiners: "to", placeJoiners: "or and", bothBounds: "and but", alternatives: "or", comparedTo: "or and with to",
		negations: "never cannot", others: "alternative alternatives",
		anything:     "something anything somewhat tool tools service services product products software system systems platform platforms app apps one ones things thing listings",
		articleWords: "the a an any", definite: "the", having: "with having",
		aroundAmounts: "price prices priced rate rates fee fees costing costs cost budget for", ofAmounts: "of in a an the is as",
		aged:     "age aged ages child children kid kids baby babies toddler toddlers boy boys girl girls people persons person adult adults anyone everyone those who",
		speaking: "speak speaks speaking", tongues: "in", each: "per each", but: "but only just", borderWords: "for with that which on at by",
		atMostBehind: "or less|or cheaper|or under", atLeastBehind: "or more|or above", services: "services", products: "products", service: "service", product: "product",
		units:    "h=hour hr=hour mo=month annum=year head=person",
		adverbs:  "hourly=hour daily=day weekly=week monthly=month yearly=year annual=year",
		compared: "cheaper=price expensive=price lighter=weight heavier=weight shorter=length longer=length wider=width narrower=width taller=height higher=height thicker=thickness thinner=thickness deeper=depth faster=speed slower=speed older=age younger=age",
	},
	"de": {
		rangeJoiners: "und bis", spanJoiners: "bis", placeJoiners: "oder und", bothBounds: "und aber", alternatives: "oder", comparedTo: "oder und mit",
		negations: "niemals nie keinem keiner keines ausgenommen", others: "alternative alternativen",
		anything:     "etwas sowas werkzeug werkzeuge produkt produkte dienst dienste programm programme system systeme software plattform plattformen",
		articleWords: "der die das den dem ein eine einen einem einer", definite: "der die das den dem", having: "mit",
		aroundAmounts: "preis preise preisen kosten kostet budget für zu einem", ofAmounts: "von an mit der die das",
		aged:     "alter kind kinder baby babys jungen mädchen personen leute erwachsene jugendliche",
		speaking: "spricht sprechen sprechend sprechende", tongues: "auf in", each: "pro je", but: "aber nur", borderWords: "für mit das die der auf bei",
		atMostBehind: "oder weniger|oder billiger|oder günstiger", atLeastBehind: "oder mehr", services: "dienstleistungen", products: "produkte", service: "dienstleistung", product: "produkt",
		units:    "stunde=hour std=hour tag=day woche=week monat=month jahr=year nacht=night kopf=person",
		compared: "billiger=price günstiger=price teurer=price leichter=weight schwerer=weight kürzer=length länger=length breiter=width schmaler=width höher=height dicker=thickness dünner=thickness tiefer=depth schneller=speed langsamer=speed älter=age jünger=age",
	},
	"fr": {
		rangeJoiners: "et à", placeJoiners: "ou et", bothBounds: "et mais", alternatives: "ou", comparedTo: "ou et avec à",
		negations: "jamais", others: "alternative alternatives",
		anything:     "quelque chose outil outils service services produit produits logiciel logiciels système systèmes plateforme plateformes",
		articleWords: "le la les l un une des du", definite: "le la les l", having: "avec",
		aroundAmounts: "prix coûtant coûte coût tarif tarifs budget pour à", ofAmounts: "de du des d avec un une le la est",
		aged:     "âge âgé âgés enfant enfants bébé bébés garçon garçons fille filles personnes personne adulte adultes ceux",
		speaking: "parle parlent parlant", tongues: "en", each: "par", but: "mais seulement", borderWords: "pour avec qui sur chez",
		atMostBehind: "ou moins", atLeastBehind: "ou plus", services: "services", products: "produits", service: "service", product: "produit",
		units:    "heure=hour jour=day semaine=week mois=month an=year année=year nuit=night personne=person",
		adverbs:  "horaire=hour journalier=day mensuel=month annuel=year",
		compared: "cher=price chère=price léger=weight légère=weight lourd=weight lourde=weight court=length courte=length long=length longue=length large=width étroit=width étroite=width haut=height haute=height épais=thickness épaisse=thickness fin=thickness fine=thickness profond=depth rapide=speed lent=speed lente=speed vieux=age âgé=age jeune=age",
	},
	"es": {
		rangeJoiners: "y a hasta", placeJoiners: "o y e u", bothBounds: "y pero", alternatives: "o u", comparedTo: "o y con a",
		negations: "nunca jamás", others: "alternativa alternativas",
		anything:     "algo herramienta herramientas servicio servicios producto productos programa programas sistema sistemas plataforma plataformas",
		articleWords: "el la los las un una unos unas", definite: "el la los las", having: "con",
		aroundAmounts: "precio precios cuesta cuestan coste tarifa presupuesto por para", ofAmounts: "de del con un una el la es",
		aged:     "edad niño niños niña niñas bebé bebés personas persona adultos quienes",
		speaking: "habla hablan hable", tongues: "en", each: "por", but: "pero solo", borderWords: "para con que en sobre por",
		atMostBehind: "o menos", atLeastBehind: "o más", services: "servicios", products: "productos", service: "servicio", product: "producto",
		units:    "hora=hour día=day semana=week mes=month año=year noche=night persona=person",
		compared: "barato=price barata=price caro=price cara=price ligero=weight ligera=weight pesado=weight pesada=weight corto=length corta=length largo=length larga=length ancho=width ancha=width estrecho=width estrecha=width alto=height alta=height grueso=thickness fino=thickness profundo=depth rápido=speed rápida=speed lento=speed lenta=speed joven=age",
	},
	"it": {
		rangeJoiners: "e a", placeJoiners: "o e", bothBounds: "e ma", alternatives: "o", comparedTo: "o e con a",
		negations: "mai", others: "alternativa alternative",
		anything:     "qualcosa strumento strumenti servizio servizi prodotto prodotti programma programmi sistema sistemi piattaforma piattaforme",
		articleWords: "il lo la gli le l un uno una", definite: "il lo la gli le l i", having: "con",
		aroundAmounts: "prezzo prezzi costa costano costo tariffa budget per a", ofAmounts: "di del della con un una il la è",
		aged:     "età bambino bambini bambina bambine neonati ragazzi persone persona adulti",
		speaking: "parla parlano parlante", tongues: "in", each: "per al all alla", but: "ma solo", borderWords: "per con che su",
		atMostBehind: "o meno", atLeastBehind: "o più", services: "servizi", products: "prodotti", service: "servizio", product: "prodotto",
		units:    "ora=hour giorno=day settimana=week mese=month anno=year notte=night persona=person",
		compared: "economico=price economica=price caro=price cara=price costoso=price costosa=price leggero=weight leggera=weight pesante=weight corto=length corta=length lungo=length lunga=length largo=width larga=width stretto=width stretta=width alto=height alta=height spesso=thickness sottile=thickness profondo=depth veloce=speed lento=speed lenta=speed vecchio=age giovane=age",
	},
	"nl": {
		rangeJoiners: "en tot", spanJoiners: "tot", placeJoiners: "of en", bothBounds: "en maar", alternatives: "of", comparedTo: "of en met",
		negations: "nooit", others: "alternatief alternatieven",
		anything:     "iets dienst diensten product producten programma systeem systemen software platform",
		articleWords: "de het een", definite: "de het", having: "met",
		aroundAmounts: "prijs prijzen kost kosten tarief budget voor", ofAmounts: "van met een de het is",
		aged:     "leeftijd kind kinderen baby jongens meisjes mensen personen persoon volwassenen",
		speaking: "spreekt spreken sprekend sprekende", tongues: "in", each: "per", but: "maar alleen", borderWords: "voor met dat die op bij",
		atMostBehind: "of minder|of goedkoper", atLeastBehind: "of meer", services: "diensten", products: "producten", service: "dienst", product: "product",
		units:    "uur=hour dag=day week=week maand=month jaar=year nacht=night persoon=person",
		compared: "goedkoper=price duurder=price lichter=weight zwaarder=weight korter=length langer=length breder=width smaller=width hoger=height dikker=thickness dunner=thickness dieper=depth sneller=speed langzamer=speed ouder=age jonger=age",
	},
}

// measures are the names of the attributes of what is compared, in all languages.
var measures = map[string]string{
	"weight": "weight mass gewicht masse poids peso", "length": "length länge longueur longitud largo lunghezza lengte",
	"width": "width breite largeur anchura ancho larghezza breedte", "height": "height höhe hauteur altura alto altezza hoogte",
	"thickness": "thickness dicke stärke épaisseur grosor espesor spessore dikte", "depth": "depth tiefe profondeur profundidad profondità diepte",
	"speed": "speed geschwindigkeit vitesse velocidad velocità snelheid", "age": "age alter âge edad età leeftijd",
}

// usual are the measures that an amount is of which tells nothing but its dimension.
var usual = map[string]string{"mass": "weight"}

// furtherDenials go on with a denial that one of these words began: alone NOR is a kind of
// flash memory, and noch means still.
var furtherDenials = map[string]map[string]bool{"nor": wordSet("neither not never no without"), "noch": wordSet("weder")}

// A grammar is what is understood in a market: its phrases and the words with a part in them,
// folded, in English and in its language.
type grammar struct {
	phrases                                                                                          map[string][]phrase
	rangeJoiners, spanJoiners, placeJoiners, bothBounds, alternatives, comparedTo, negations, others map[string]bool
	anything, articleWords, definite, having, aroundAmounts, ofAmounts, aged, speaking, each, but    map[string]bool
	borderWords, tongues                                                                             map[string]bool
	behind                                                                                           []phrase
	kinds, oneOf, units, adverbs, compared                                                           map[string]string
}

// grammarOf returns the grammar of a language, a BCP 47 tag.
func grammarOf(tag string) grammar {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	g := grammar{phrases: phrasesOf(base), kinds: map[string]string{}, oneOf: map[string]string{}, units: map[string]string{}, adverbs: map[string]string{}, compared: map[string]string{}}
	g.add(vocabularies["en"])
	if own, known := vocabularies[base]; known && base != "en" {
		g.add(own)
	}
	return g
}

func (g *grammar) add(v vocabulary) {
	for _, one := range [...]struct {
		set   *map[string]bool
		words string
	}{
		{&g.rangeJoiners, v.rangeJoiners}, {&g.spanJoiners, v.spanJoiners}, {&g.placeJoiners, v.placeJoiners}, {&g.bothBounds, v.bothBounds},
		{&g.alternatives, v.alternatives}, {&g.comparedTo, v.comparedTo}, {&g.negations, v.negations}, {&g.others, v.others}, {&g.anything, v.anything},
		{&g.articleWords, v.articleWords}, {&g.definite, v.definite}, {&g.having, v.having}, {&g.aroundAmounts, v.aroundAmounts}, {&g.ofAmounts, v.ofAmounts},
		{&g.aged, v.aged}, {&g.speaking, v.speaking}, {&g.tongues, v.tongues}, {&g.each, v.each}, {&g.but, v.but}, {&g.borderWords, v.borderWords},
	} {
		if *one.set == nil {
			*one.set = map[string]bool{}
		}
		for _, word := range spelledWords(one.words) {
			(*one.set)[word] = true
		}
	}
	for _, one := range [...]struct {
		means   meaning
		phrases string
	}{{atMost, v.atMostBehind}, {atLeast, v.atLeastBehind}} {
		for p := range strings.SplitSeq(one.phrases, "|") {
			g.behind = append(g.behind, phrase{strings.Fields(fold.Text(p)), one.means})
		}
	}
	for kind, words := range map[catalog.Kind][2]string{catalog.KindService: {v.services, v.service}, catalog.KindProduct: {v.products, v.product}} {
		g.kinds[fold.Text(words[0])], g.oneOf[fold.Text(words[1])] = kind.String(), kind.String()
	}
	for _, one := range [...]struct {
		of    map[string]string
		words string
	}{{g.units, v.units}, {g.adverbs, v.adverbs}, {g.compared, v.compared}} {
		for _, pair := range strings.Fields(one.words) {
			word, means, _ := strings.Cut(pair, "=")
			for _, spelling := range spelledWords(word) {
				one.of[spelling] = means
			}
		}
	}
}

// spelledWords returns words folded, in each of their spellings.
func spelledWords(words string) (list []string) {
	for _, word := range strings.Fields(words) {
		list = append(list, fold.Text(word))
		if digraphs := text.Digraphs(word); digraphs != "" {
			list = append(list, fold.Text(digraphs))
		}
	}
	return list
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range spelledWords(words) {
		set[word] = true
	}
	return set
}
