package document

import "net/http"

// The IDs of the Endpoints.
const (
	SearchID    = "searchListings"
	CompaniesID = "searchCompanies"
	SuggestID   = "suggest"
)

// The parameters that filter results by values. Several values of one parameter are
// alternatives; attributes of different names narrow further.
const (
	FilterKind         = "kind"
	FilterCategory     = "category"
	FilterSeller       = "seller"
	FilterCountry      = "country"
	FilterCity         = "city"
	FilterAvailability = "availability"
	FilterDelivery     = "delivery"
	FilterRegion       = "region"
	FilterLanguage     = "language"
	FilterProof        = "proof"
	FilterPriceUnit    = "priceUnit"
	FilterPrice        = "price"
	FilterAttribute    = "attribute"
)

// SearchFilters returns the parameters that filter results by values, in the order of the
// response.
func SearchFilters() []string {
	return []string{
		FilterKind, FilterCategory, FilterSeller, FilterCountry, FilterAvailability, FilterDelivery, FilterRegion, FilterLanguage, FilterProof,
		FilterPriceUnit, FilterPrice, FilterAttribute,
	}
}

// CompanyFilters returns the parameters that filter companies by values, in the order of the
// response.
func CompanyFilters() []string {
	return []string{FilterCategory, FilterCountry, FilterCity, FilterLanguage, FilterProof}
}

// CompanyParameters returns the names of all parameters of a search of companies.
func CompanyParameters() []string {
	return append([]string{"q", "limit", "offset", "sort", "interpret"}, CompanyFilters()...)
}

// SearchParameters returns the names of all parameters of a search.
func SearchParameters() []string {
	return append([]string{"q", "limit", "offset", "currency", "sort", "interpret"}, SearchFilters()...)
}

// The orders of results.
const (
	SortRelevance = "relevance"
	SortName      = "name"
	SortNewest    = "newest"
	SortPrice     = "price"
)

// Availabilities returns the availabilities that content may give.
func Availabilities() []string {
	return []string{"inStock", "outOfStock", "preOrder", "onRequest", "discontinued"}
}

// AvailabilityTexts returns the keys of the texts that name Availabilities.
func AvailabilityTexts() map[string]string {
	return map[string]string{
		"inStock": "site.availability.inStock", "outOfStock": "site.availability.outOfStock", "preOrder": "site.availability.preOrder",
		"onRequest": "site.availability.onRequest", "discontinued": "site.availability.discontinued",
	}
}

// Deliveries returns the ways of delivery in content.
func Deliveries() []string { return []string{"remote", "onsite", "hybrid"} }

// ProofKinds returns the kinds of proof in content.
func ProofKinds() []string {
	return []string{"certification", "award", "customer", "caseStudy", "review", "publication"}
}

// DeliveryTexts returns the keys of the texts that name Deliveries.
func DeliveryTexts() map[string]string {
	return map[string]string{"remote": "site.delivery.remote", "onsite": "site.delivery.onsite", "hybrid": "site.delivery.hybrid"}
}

// ProofTexts returns the keys of the texts that name ProofKinds.
func ProofTexts() map[string]string {
	return map[string]string{
		"certification": "site.proof.certification", "award": "site.proof.award", "customer": "site.proof.customer",
		"caseStudy": "site.proof.caseStudy", "review": "site.proof.review", "publication": "site.proof.publication",
	}
}

// searchPath is the path of search below the API.
const searchPath = "/marketplace/listings/search"

// companiesPath is the path of the search of companies below the API.
const companiesPath = "/marketplace/companies/search"

// The limits of the parameters of search.
const (
	MaxQuery           = 200
	MaxLimit           = 100
	DefaultLimit       = 20
	MaxOffset          = 10_000
	MaxSuggestions     = 20
	DefaultSuggestions = 8
	MaxFilterText      = 500
)

// paramCurrency is the currency of prices.
const paramCurrency = "currency"

func searchEndpoint() Endpoint {
	return Endpoint{
		ID: SearchID, Method: http.MethodGet, Path: searchPath, Tag: tagSearch,
		Summary: "Search products and services", Description: searchDescription + understoodDescription,
		Params: []Param{
			{
				Name: "q", In: InQuery, Type: TypeString, Max: MaxQuery, Example: "robot arm",
				Description: "What is searched for, as text. Empty or only spaces lists everything by name; only punctuation or symbols finds nothing.",
			},
			{
				Name: "limit", In: InQuery, Type: TypeInteger, Min: 0, Max: MaxLimit, Default: DefaultLimit, Example: 20,
				Description: "How many listings to answer; 0 asks for the counts alone.",
			},
			{
				Name: "offset", In: InQuery, Type: TypeInteger, Min: 0, Max: MaxOffset, Default: 0, Example: 20,
				Description: "How many listings to skip.",
			},
			{
				Name: "kind", In: InQuery, Type: TypeString, Enum: []string{"product", "service"}, Example: "product",
				Description: "Only products, or only services.",
			},
			{
				Name: "category", In: InQuery, Type: TypeString, Repeat: true, Example: []string{"product/robots"},
				Pattern: CategoryPattern, Max: MaxFilterText,
				Description: "Only listings of the category or its descendants, as rootKind and slug. May repeat: any of several.",
			},
			{
				Name: "seller", In: InQuery, Type: TypeString, Repeat: true, Example: []string{"a-company"},
				Pattern: SlugPattern, Max: MaxFilterText,
				Description: "Only listings of the seller, by its companySlug. May repeat: any of several.",
			},
			{
				Name: "country", In: InQuery, Type: TypeString, Repeat: true, Example: []string{"DE"}, Pattern: "^[A-Z]{2}$",
				Description: "Only listings of sellers whose headquarters are in the country, a code of ISO 3166-1 alpha-2. May repeat: any of several.",
			},
			{
				Name: FilterAvailability, In: InQuery, Type: TypeString, Repeat: true, Enum: Availabilities(), Example: []string{"inStock"},
				Description: "Only products that are available so, or have a variant that is. May repeat: any of several.",
			},
			{
				Name: FilterDelivery, In: InQuery, Type: TypeString, Repeat: true, Enum: Deliveries(), Example: []string{"remote"},
				Description: "Only services delivered so, or in any of these ways.",
			},
			{
				Name: FilterRegion, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"Benelux"},
				Description: "Only services offered in the region, as their sellers write it, without regard to case and accents. May repeat: any of several.",
			},
			{
				Name: FilterLanguage, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"de"},
				Description: "Only listings of sellers who speak the language, a tag of BCP 47. May repeat: any of several.",
			},
			{
				Name: FilterProof, In: InQuery, Type: TypeString, Repeat: true, Enum: ProofKinds(), Example: []string{"certification"},
				Description: "Only listings with public proof of this kind, their own or their seller's. May repeat: any of several.",
			},
			{
				Name: FilterPriceUnit, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"hour"},
				Description: "Only listings with a price for this unit, whatever its case and accents. May repeat: any of several.",
			},
			{
				Name: FilterPrice, In: InQuery, Type: TypeString, Max: MaxFilterText, Pattern: `^(-?[0-9]*(\.[0-9]+)?<?)?\.\.(<?-?[0-9]*(\.[0-9]+)?)?$`, Example: "100..500",
				Description: "Only listings that have a price in `currency`, their own or a variant's, from the first amount to the second; either may be left out. `<` leaves a bound out, as in `100<..`. A price that is the lowest of several counts as its amount.",
			},
			{
				Name: paramCurrency, In: InQuery, Type: TypeString, Pattern: "^[A-Z]{3}$", Example: "EUR",
				Description: "The currency, ISO 4217, of `price` and of `sort=price`, which need it.",
			},
			{
				Name: FilterAttribute, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"Payload:5..20 kg"},
				Description: "Only listings with an attribute of this value, as `Name:value`, or of numbers within these bounds, as `Name:MIN..MAX unit`, either may be missing. `<` leaves a bound out, as in `Ports:4<..`. Units of one dimension are converted; case and accents do not count. Another name narrows, the same name widens. A product has its variants' attributes too.",
			},
			{
				Name: "sort", In: InQuery, Type: TypeString, Enum: []string{SortRelevance, SortName, SortNewest, SortPrice}, Default: SortRelevance, Example: SortNewest,
				Description: "The order: the best first; by name; the last published first; or the lowest price in `currency` first. Those without come last; equal ones are ordered by name.",
			},
			{
				Name: "interpret", In: InQuery, Type: TypeString, Enum: []string{"off"}, Example: "off",
				Description: "off: nothing is understood of the text beyond its words.",
			},
		},
		Status: http.StatusOK, Response: SearchResult{}, Answers: []Answer{{
			Status:      http.StatusNotModified,
			Description: "The answer is still the one whose `ETag` was sent as `If-None-Match`.",
		}}, Cache: SearchCache, Dynamic: true,
		Problems: []string{CodeInvalidParameter, CodeMethodNotAllowed, CodeUnavailable},
	}
}

// companiesEndpoint derives the search of companies from the search of listings.
func companiesEndpoint() Endpoint {
	e := searchEndpoint()
	e.ID, e.Path, e.Tag, e.Summary, e.Response = CompaniesID, companiesPath, tagCompanySearch, "Search companies", CompanyResult{}
	e.Description = "Answers companies, the best first, with exact counts, by the rules of the search of listings: case, accents, forms of words, typing errors, questions as in \"welders in Stuttgart\", tiers and counts. " +
		"A company is found by its names, tagline, summary, description, keywords, categories and their synonyms, city, region, proof, and the names of what it offers; what says most of it weighs most. " +
		"In a text, `in` and a city where companies are is the filter `city`, and `in` and a country the filter `country`."
	params := map[string]Param{}
	for _, p := range e.Params {
		params[p.Name] = p
	}
	change := func(name, description string) {
		p := params[name]
		p.Description = description
		params[name] = p
	}
	change("q", "What is searched for, as text. Empty or only spaces lists all companies by name.")
	change("limit", "How many companies to answer; 0 asks for the counts alone.")
	change("offset", "How many companies to skip. `next` of an answer is the address of the page after it.")
	change(FilterCategory, "Only companies that name the category or a descendant, or have a listing there, as rootKind and slug; of any of them where it is repeated.")
	change(FilterCountry, "Only companies with their headquarters in the country, a code of ISO 3166-1 alpha-2; in any of them where it is repeated.")
	change(FilterLanguage, "Only companies that speak the language, a tag of BCP 47; any of them where it is repeated.")
	change(FilterProof, "Only companies with public proof of this kind; of any of these where it is repeated.")
	params[FilterCity] = Param{
		Name: FilterCity, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"Utrecht"},
		Description: "Only companies with their headquarters in the city, as they write it, without regard to case and accents; in any of them where it is repeated.",
	}
	sort := params["sort"]
	sort.Enum, sort.Example, sort.Description = []string{SortRelevance, SortName}, SortName, "The order: the best first, or by name."
	params["sort"] = sort
	e.Params = nil
	for _, name := range CompanyParameters() {
		e.Params = append(e.Params, params[name])
	}
	return e
}

// searchDescription defines the set that total and filters count. The documentation of the
// search package says the same, with reasons.
const searchDescription = `Answers one sequence of products and services, the best first, with exact counts.

**What is found.** The words of ` + "`q`" + ` decide which listings are found, before any filter: a filter only narrows, it never changes what the words mean. Case, accents and punctuation do not count; an umlaut is also found as two letters (Müsli, muesli); plurals and other forms of a word are found with it; words written together, apart or with hyphens are one. Words that say nothing, as "the", need not be there, nor, in English, German, French, Spanish, Italian and Dutch, words that only ask, as "I am looking for": they count where nothing else is asked or where the whole text is a name. The operator's synonyms count as the word or phrase itself. A SKU, in any spelling, leads to its product, once, with ` + "`matched`" + `.

The set is built in tiers. A tier is added only where those before it found few listings, and its listings come after theirs:

1. those whose SKU or GTIN, or a variant's, is the whole query;
2. those whose name is the whole query;
3. those that have every word; the last word, unless a space or other character ends it, may be the beginning of a word of the name;
4. where fewer than 10 were found: those that have every word, the last one being the beginning of any of their words;
5. where fewer than 3 were found, and none by 1 or 2: those that have every word, words that no listing has being taken for misspelt or joined ones;
6. where still fewer than 3 were found: the same for all words;
7. where fewer than 20 were found, unless the whole text is a name or a synonym: those that have at least half of its weight; where these are fewer than 20, those that have any of its words.

The weight of a word is how rare it is in this marketplace. Neighbours that nearly always stand together, as open source, weigh as one word, and a word that no listing has weighs nothing.

A text of more than three words that say something is a question, unless it is wholly a name. It finds, after what is found by 1 to 3, those that have at least a third of its weight; where these are fewer than 20, those that have any of its words. Words that no listing has are taken for misspelt ones, the last for an unfinished one, and else ask for nothing. Of a long question over a large marketplace the most frequent words do not count that together with the rarer ones have more than one and a half times as many listings as there are.

A misspelling is one typing error in a word of four letters or more, two in one of eight or more where one is not enough; two swapped letters count one. Words with digits are never taken for misspelt, nor those that say nothing.

**Counts.** ` + "`total`" + ` counts the whole set behind all filters and is the same on every page. The count of a filter's value is the total that choosing it alone in its filter would give, the other filters staying as they are; of an attribute, its filter is what is chosen under its name. A filter tells at most 100 values, with ` + "`more`" + ` beyond, and those selected. An attribute has a filter where at least 1 in 20 results has it and its values are not nearly all distinct (at most 80 % of those that the results have, each of a product's counted); at most 50 have, the most frequent first. Of numbers the least and the greatest are told, in the unit that most listings use.

**Filters.** Values of one parameter are alternatives, and parameters narrow each other. Attributes narrow where their names differ. A product has the attributes and the prices of its variants too. A well-formed value that no listing has, be it a seller, a category or the name of an attribute, finds nothing: the answer is 200 with a total of 0. A malformed value and an unknown parameter are 400.

**Order.** By tier, in the second those that are spelled like the query first (C++ before C), then by how much the words say of the listing (BM25 over all its texts, weighted by where they stand, more where they are its name; of a question, times the share of it that the listing holds, and by the words that its best answers share), then by name, then by address.`

func suggestEndpoint() Endpoint {
	return Endpoint{
		ID: SuggestID, Method: http.MethodGet, Path: "/marketplace/search/suggestions", Tag: tagSuggest,
		Summary:     "How a text that is being typed may go on",
		Description: "Categories (by their synonyms as well), products, services and sellers that have a word which begins as each word of the text does. An exact name comes first, one that is spelled like the text before all, then the kinds take turns, so that none crowds out the others. Where fewer than three are found, one typing error in a word of four letters or more is forgiven.",
		Params: []Param{
			{
				Name: "q", In: InQuery, Type: TypeString, Min: 1, Max: MaxQuery, Required: true, Example: "rob",
				Description: "What was typed so far.",
			},
			{
				Name: "limit", In: InQuery, Type: TypeInteger, Min: 1, Max: MaxSuggestions, Default: DefaultSuggestions, Example: 8,
				Description: "How many suggestions to answer at most.",
			},
			{
				Name: "kind", In: InQuery, Type: TypeString, Enum: []string{"category", "product", "service", "seller"}, Repeat: true, Example: []string{"category"},
				Description: "Only suggestions of this kind, or of any of these.",
			},
		},
		Status: http.StatusOK, Response: Suggestions{}, Answers: []Answer{{
			Status:      http.StatusNotModified,
			Description: "The answer is still the one whose `ETag` was sent as `If-None-Match`.",
		}}, Cache: SearchCache, Dynamic: true,
		Problems: []string{CodeInvalidParameter, CodeMethodNotAllowed, CodeUnavailable},
	}
}
