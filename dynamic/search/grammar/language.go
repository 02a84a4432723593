package grammar

// A language is what is understood of it.
type language struct {
	vocabulary
	phrases []worded
	// elides: de is d before a vowel: hors d'Allemagne.
	elides bool
}

// languages are those that are understood, by the first part of a BCP 47 tag.
var languages = map[string]*language{"en": &english, "de": &german, "fr": &french, "es": &spanish, "it": &italian, "nl": &dutch}

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
	// than ends the phrases that compare: what they say is said behind an amount, too, after an
	// alternative, as in 2 kg or lighter.
	than string
	// behind are the further bounds behind an amount: max, and up.
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
