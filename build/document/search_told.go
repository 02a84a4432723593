package document

// The types in this file describe how search understood a text, where its words matched, and
// what else it found.

// FoundArticle is an Article or a Market Map that a text finds.
type FoundArticle struct {
	Link
	Summary string `json:"summary,omitempty" doc:"Its summary."`
}

// HitHighlight says where the query's words are in a listing.
type HitHighlight struct {
	Name             [][2]int `json:"name" doc:"The parts of the name that match the query, each as a start and an exclusive end, in Unicode code points."`
	Snippet          string   `json:"snippet,omitempty" doc:"A passage of the summary or description around these words: plain text of at most 200 characters, with … where it was cut."`
	SnippetHighlight [][2]int `json:"snippetHighlight,omitempty" doc:"The words within the snippet, counted in the same way."`
}

// The ways in which a part of a text is interpreted.
const (
	AsCorrected = "corrected"
	AsLeftOut   = "leftOut"
	AsFilter    = "filter"
	AsCategory  = "category"
	AsPreferred = "preferred"
	AsExcluded  = "excluded"
	AsSimilar   = "similar"
)

// Interpretation is a part of a text that was not taken literally.
type Interpretation struct {
	Text     string   `json:"text" doc:"The part of the query, as typed."`
	Start    int      `json:"start" doc:"Its start in the query, counted in Unicode code points."`
	End      int      `json:"end" doc:"Its end, exclusive."`
	As       string   `json:"as" doc:"How it was interpreted: corrected to other words; leftOut because it matches nothing, or is negated and has no opposite; as a filter, as if the parameter had been sent; as a category; preferred, so that matches come first; excluded, so that matches are omitted; similar, for listings like the named one." jsonschema:"enum=corrected,enum=leftOut,enum=filter,enum=category,enum=preferred,enum=excluded,enum=similar"`
	To       []string `json:"to,omitempty" doc:"The corrected, preferred or excluded words, the words that name a listing, or country codes."`
	Filter   string   `json:"filter,omitempty" doc:"The parameter of a filter, or of a bound or country that was left out."`
	Value    string   `json:"value,omitempty" doc:"The value, ready to be sent as that parameter."`
	Currency string   `json:"currency,omitempty" doc:"For a price: the parameter currency, an ISO 4217 code."`
	Link     *Link    `json:"link,omitempty" doc:"The category, the listing that others are similar to, or a compared listing, which comes first."`
}

// understoodDescription explains to users of the API how texts are interpreted.
const understoodDescription = `

**What is understood.** Phrases that clearly mean more than their words are taken out of the text and listed in ` + "`interpreted`" + `. This works in English everywhere, and in German, French, Spanish, Italian and Dutch if that is the language of the marketplace:

- a limit with an amount of money, such as "under 50 EUR" or "zwischen 10 und 20 Euro", becomes the filter ` + "`price`" + `, including the limits, if there are prices in that currency; several limits form one range. A symbol such as $ counts only if it can mean just one currency of the marketplace. "under 500" without a currency is a price if all prices are in one currency, unless it follows people, whose age it may be. A limit that is ambiguous, such as "under 500" with prices in several currencies, is left out. "per hour" after it becomes the filter ` + "`priceUnit`" + `, and is preferred without a limit;
- "services in Austria", "service under 50 EUR" and the like, with nothing else to search for, set ` + "`kind`" + `;
- a limit for a numeric attribute, such as "at least 4 ports", "payload over 5 kg" or "payload 5 kg or more", becomes the filter ` + "`attribute`" + `. If no attribute is named, it is the one that the comparison implies ("lighter than 10 kg" its weight, "wider than 40 mm" its width), the weight for a mass, or the only attribute with such amounts;
- "in" or "from" and a country where sellers have their headquarters becomes the filter ` + "`country`" + `. A city or region of headquarters, a region where services are offered, and "on site" are preferred: they affect the order and exclude nothing;
- a country without "in" or "from", as in "bike repair Germany", and a city or region alone or at the end are preferred if no listing contains the word, or all words of the name next to each other; a country alone always becomes the filter;
- "English-speaking" or "who speaks German" prefers sellers who do;
- "by X", "made by X" or "from X" with a seller's name becomes the filter ` + "`seller`" + `; "products by X" and the like also select up to three sellers whose names begin with X;
- "alternative to X" or "like X" finds listings similar to the one named X (as its name, or in parentheses at its end) but not X itself; with "but cheaper", and in "cheaper than X" or "lighter than X", its price or measure is the limit;
- "without X", "-X", "not X" with nothing else to search for, or "non-X" if no listing has that name, excludes listings with X in their name, keywords, categories, attributes or delivery; an attribute with the value no does not count, nor do descriptions;
- a negation directly before one of these, as in "not under 50 EUR", "no payload over 5 kg" or "not in Germany", reverses a limit and excludes the sellers of a country; anything else that is negated is left out of the text.

A text that is the name of a listing, seller or category as a whole is never interpreted. If limits or a country would leave no results, they are left out and the rest applies; if any other interpretation would, or if nothing public has the name, only the words count. A parameter that is sent takes precedence over an interpreted filter. With ` + "`interpret=off`" + `, only the words count; corrections of typing errors still apply, and are listed. ` + "`articles`" + ` depend only on the text: they match all of up to three words, or else at least half of the words by weight, not counting stop words.`
