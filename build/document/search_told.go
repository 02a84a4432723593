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
	Name             [][2]int `json:"name" doc:"The parts of the name that were asked for, each from a character to before another, in Unicode code points."`
	Snippet          string   `json:"snippet,omitempty" doc:"A passage of the summary or description around these words, plain text of at most 200 characters, with … where it is cut."`
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
	Start    int      `json:"start" doc:"Where it begins in the query, counted in Unicode code points."`
	End      int      `json:"end" doc:"The character after its last one."`
	As       string   `json:"as" doc:"What it was understood as: corrected to other words; leftOut, since it finds nothing, or is denied and nothing is its opposite; a filter, as if the parameter had been sent; a category that it names; preferred, which comes first and excludes nothing; excluded, so that what says so is left out; similar, for listings like the one it names." jsonschema:"enum=corrected,enum=leftOut,enum=filter,enum=category,enum=preferred,enum=excluded,enum=similar"`
	To       []string `json:"to,omitempty" doc:"The words that it was corrected to, that are preferred or excluded, or that stand for a listing, or codes of countries."`
	Filter   string   `json:"filter,omitempty" doc:"Of a filter, and of a bound or a country that is left out: the parameter."`
	Value    string   `json:"value,omitempty" doc:"The value, ready to be sent as that parameter."`
	Currency string   `json:"currency,omitempty" doc:"Of a price: the parameter currency, an ISO 4217 code."`
	Link     *Link    `json:"link,omitempty" doc:"The category, the listing to which others are similar, or one that is compared and comes first."`
}

// understoodDescription explains to users of the API how texts are interpreted.
const understoodDescription = `

**What is understood.** Phrases that safely mean more than their words are taken out of the text and told in ` + "`interpreted`" + `, in English everywhere, and in German, French, Spanish, Italian and Dutch where that is the language of the marketplace:

- a bound with an amount of money, as in "under 50 EUR" or "zwischen 10 und 20 Euro", is the filter ` + "`price`" + `, bounds included, several of them as one range, where prices are in that currency; a symbol such as $ counts only where one currency of the marketplace can be meant; "under 500" without any is one where all prices are in one currency, unless it follows people, whose age it may be; a bound that may be of several things, as "under 500" where prices are in several currencies, is left out; "per hour" behind it is the filter ` + "`priceUnit`" + `, and preferred without one;
- "services in Austria", "service under 50 EUR" and the like, which ask for nothing else, are of that ` + "`kind`" + `;
- a bound with an amount of a numeric attribute, as in "at least 4 ports", "payload over 5 kg" or "payload 5 kg or more", is the filter ` + "`attribute`" + `; where none is named, it is what is compared by ("lighter than 10 kg" its weight, "wider than 40 mm" its width), the weight of a mass, or the only one of such amounts;
- "in" or "from" and a country in which sellers have their headquarters is the filter ` + "`country`" + `; a city or region of such headquarters, a region in which services are done, or "on site", is preferred: it orders and leaves nothing out;
- a country without such a word, as in "bike repair Germany", and a city or region alone or behind what is asked for, are preferred where no listing has the word, of a name of several words all of them side by side; a country alone is the filter, whatever mentions it;
- "English-speaking" or "who speaks German" prefers sellers who do;
- "by X", "made by X" or "from X" and a seller is the filter ` + "`seller`" + `; in "products by X" and the like also one to three sellers whose names begin with X;
- "alternative to X" or "like X" asks for listings like the one whose name X is, or ends with in parentheses, without that one; with "but cheaper", and in "cheaper than X" or "lighter than X", its price or measure is the bound;
- "without X", "-X", "not X" where nothing else is asked, or "non-X" where no listing is called so, leaves out listings whose name, keywords, categories, attributes or delivery say X; an attribute that says no does not, nor does prose;
- a denial right before one of these, as in "not under 50 EUR", "no payload over 5 kg" or "not in Germany", turns a bound round and leaves out the sellers of a country; what else is denied is left out of the text.

A text that is wholly the name of a listing, seller or category is never understood otherwise. Where bounds of a price or an attribute, or a country, would leave nothing, they are left out, and the rest counts; where anything else that is understood would, or nothing public has what is named, the text is only its words. A parameter that is sent wins over the filter that was understood. With ` + "`interpret=off`" + ` there are only words; corrections of typing errors still apply, and are told. ` + "`articles`" + ` are found by the text alone: by all of up to three words of meaning, else by at least half of them by weight.`
