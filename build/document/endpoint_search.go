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
				Description: "The text to search for. If it is empty or only spaces, everything is listed by name; if it is only punctuation or symbols, nothing is found.",
			},
			{
				Name: "limit", In: InQuery, Type: TypeInteger, Min: 0, Max: MaxLimit, Default: DefaultLimit, Example: 20,
				Description: "The maximum number of listings to return; 0 returns only the counts.",
			},
			{
				Name: "offset", In: InQuery, Type: TypeInteger, Min: 0, Max: MaxOffset, Default: 0, Example: 20,
				Description: "The number of listings to skip.",
			},
			{
				Name: "kind", In: InQuery, Type: TypeString, Enum: []string{"product", "service"}, Example: "product",
				Description: "Only products, or only services.",
			},
			{
				Name: "category", In: InQuery, Type: TypeString, Repeat: true, Example: []string{"product/robots"},
				Pattern: CategoryPattern, Max: MaxFilterText,
				Description: "Only listings in the category (`rootKind/slug`) or its descendants. If repeated, in any of them.",
			},
			{
				Name: "seller", In: InQuery, Type: TypeString, Repeat: true, Example: []string{"a-company"},
				Pattern: SlugPattern, Max: MaxFilterText,
				Description: "Only listings of the seller with this companySlug. If repeated, of any of them.",
			},
			{
				Name: "country", In: InQuery, Type: TypeString, Repeat: true, Example: []string{"DE"}, Pattern: "^[A-Z]{2}$",
				Description: "Only listings of sellers with headquarters in the country, an ISO 3166-1 alpha-2 code. If repeated, in any of them.",
			},
			{
				Name: FilterAvailability, In: InQuery, Type: TypeString, Repeat: true, Enum: Availabilities(), Example: []string{"inStock"},
				Description: "Only products with this availability, or with a variant that has it. If repeated, any of them.",
			},
			{
				Name: FilterDelivery, In: InQuery, Type: TypeString, Repeat: true, Enum: Deliveries(), Example: []string{"remote"},
				Description: "Only services with this kind of delivery. If repeated, any of them.",
			},
			{
				Name: FilterRegion, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"Benelux"},
				Description: "Only services offered in the region, as sellers write it, ignoring case and accents. If repeated, in any of them.",
			},
			{
				Name: FilterLanguage, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"de"},
				Description: "Only listings of sellers who speak the language, a BCP 47 tag. If repeated, any of them.",
			},
			{
				Name: FilterProof, In: InQuery, Type: TypeString, Repeat: true, Enum: ProofKinds(), Example: []string{"certification"},
				Description: "Only listings with public proof of this kind, their own or their seller's. If repeated, of any of them.",
			},
			{
				Name: FilterPriceUnit, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"hour"},
				Description: "Only listings with a price per this unit, ignoring case and accents. If repeated, any of them.",
			},
			{
				Name: FilterPrice, In: InQuery, Type: TypeString, Max: MaxFilterText, Pattern: `^(-?[0-9]*(\.[0-9]+)?<?)?\.\.(<?-?[0-9]*(\.[0-9]+)?)?$`, Example: "100..500",
				Description: "Only listings with a price in `currency`, their own or a variant's, from the first amount to the second; either may be omitted. `<` excludes a bound, as in `100<..`. A price that is the lowest of several counts as its amount.",
			},
			{
				Name: paramCurrency, In: InQuery, Type: TypeString, Pattern: "^[A-Z]{3}$", Example: "EUR",
				Description: "The ISO 4217 currency for `price` and `sort=price`, which require it.",
			},
			{
				Name: FilterAttribute, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"Payload:5..20 kg"},
				Description: "Only listings with this attribute: `Name:value`, or for numbers `Name:MIN..MAX unit`, where MIN or MAX may be omitted. `<` excludes a bound, as in `Ports:4<..`. Units of one dimension are converted; case and accents are ignored. Values of the same name are alternatives; different names must all match. A product also has the attributes of its variants.",
			},
			{
				Name: "sort", In: InQuery, Type: TypeString, Enum: []string{SortRelevance, SortName, SortNewest, SortPrice}, Default: SortRelevance, Example: SortNewest,
				Description: "The order: best match first; by name; most recently published first; or lowest price in `currency` first. Listings without a date or price come last; ties are ordered by name.",
			},
			{
				Name: "interpret", In: InQuery, Type: TypeString, Enum: []string{"off"}, Example: "off",
				Description: "off: search only for the words of the text, without interpreting it.",
			},
		},
		Status: http.StatusOK, Response: SearchResult{}, Answers: []Answer{{
			Status:      http.StatusNotModified,
			Description: "The answer has not changed: its `ETag` is the one in `If-None-Match`.",
		}}, Cache: SearchCache, Dynamic: true,
		Problems: []string{CodeInvalidParameter, CodeMethodNotAllowed, CodeUnavailable},
	}
}

// companiesEndpoint derives the search of companies from the search of listings.
func companiesEndpoint() Endpoint {
	e := searchEndpoint()
	e.ID, e.Path, e.Tag, e.Summary, e.Response = CompaniesID, companiesPath, tagCompanySearch, "Search companies", CompanyResult{}
	e.Description = "Returns companies, best match first, with exact counts. The rules are those of the search of listings for case, accents, forms of words, typing errors, tiers, counts and questions such as \"welders in Stuttgart\". " +
		"Search considers a company's names, tagline, summary, description, keywords, categories and their synonyms, city, region, proof, and the names of its products and services; the more specific a field, the greater its weight. " +
		"`in` followed by a city with companies becomes the filter `city`; `in` followed by a country becomes the filter `country`."
	params := map[string]Param{}
	for _, p := range e.Params {
		params[p.Name] = p
	}
	change := func(name, description string) {
		p := params[name]
		p.Description = description
		params[name] = p
	}
	change("q", "The text to search for. If it is empty or only spaces, all companies are listed by name.")
	change("limit", "The maximum number of companies to return; 0 returns only the counts.")
	change("offset", "The number of companies to skip. `next` in an answer is the address of the next page.")
	change(FilterCategory, "Only companies that name the category (`rootKind/slug`) or a descendant, or have a listing there. If repeated, any of them.")
	change(FilterCountry, "Only companies with headquarters in the country, an ISO 3166-1 alpha-2 code. If repeated, in any of them.")
	change(FilterLanguage, "Only companies that speak the language, a BCP 47 tag. If repeated, any of them.")
	change(FilterProof, "Only companies with public proof of this kind. If repeated, of any of them.")
	params[FilterCity] = Param{
		Name: FilterCity, In: InQuery, Type: TypeString, Repeat: true, Max: MaxFilterText, Example: []string{"Utrecht"},
		Description: "Only companies with headquarters in the city, as they write it, ignoring case and accents. If repeated, in any of them.",
	}
	sort := params["sort"]
	sort.Enum, sort.Example, sort.Description = []string{SortRelevance, SortName}, SortName, "The order: best match first, or by name."
	params["sort"] = sort
	e.Params = nil
	for _, name := range CompanyParameters() {
		e.Params = append(e.Params, params[name])
	}
	return e
}

// searchDescription defines the set that total and filters count. The documentation of the
// search package says the same, with reasons.
const searchDescription = `Returns products and services in one list, best match first, with exact counts.

**What is found.** The words of ` + "`q`" + ` determine which listings are found, before any filter: a filter only narrows the results and never changes how the words are interpreted. Case, accents and punctuation are ignored; umlauts also match their two-letter spelling (Müsli, muesli); plurals and other forms of a word match; and words written together, apart or with hyphens are the same. Stop words such as "the" are optional, and so, in English, German, French, Spanish, Italian and Dutch, are words that only ask, such as "I am looking for": they count if the text contains nothing else or is a name as a whole. The operator's synonyms match like the word or phrase itself. A SKU, in any spelling, finds its product, once, with ` + "`matched`" + `.

Results come in tiers. A tier is added only if the earlier ones found few listings, and its listings come after theirs:

1. listings whose SKU or GTIN, or that of a variant, is the whole query;
2. listings whose name is the whole query;
3. listings with every word; the last word, unless followed by a space or other character, may be the beginning of a word of the name;
4. if fewer than 10 were found: listings with every word, where the last word may be the beginning of any of their words;
5. if fewer than 3 were found, and none by 1 or 2: listings with every word, where words that no listing contains are treated as misspelled or joined;
6. if still fewer than 3 were found: the same for all words;
7. if fewer than 20 were found, unless the whole text is a name or a synonym: listings that match at least half of the query's weight; if these are fewer than 20, listings with any of its words.

The rarer a word is in this marketplace, the greater its weight. Words that nearly always appear together, such as "open source", are weighted as one word, and words that no listing contains have no weight.

A text of more than three words, not counting stop words, is a question unless it is a name as a whole. After the results of tiers 1 to 3, it finds listings that match at least a third of its weight; if these are fewer than 20, listings with any of its words. Words that no listing contains are treated as misspelled, the last one as unfinished, and are otherwise ignored. For a long question to a large marketplace, the most frequent words are ignored if they and the rarer ones together would match more than one and a half times as many listings as there are.

A misspelling is one typing error in a word of four letters or more, or two in a word of eight or more if one is not enough; two swapped letters count as one error. Words with digits and stop words are never treated as misspelled.

**Counts.** ` + "`total`" + ` counts all results after all filters and is the same on every page. The count of a filter's value is the total if that were the filter's only selected value, with all other filters unchanged; the values of an attribute form one filter. A filter lists at most 100 values and those selected, and ` + "`more`" + ` is set if there are others. An attribute has a filter if at least 1 in 20 results has it and at most 80 % of its values are distinct, counting each value of a product; at most 50 attributes have one, most frequent first. For numbers, a filter contains the minimum and the maximum, in the most frequent unit.

**Filters.** Values of one parameter are alternatives; different parameters must all match, and so must attributes of different names. A product also has the attributes and prices of its variants. A well-formed value that no listing has, such as a seller, a category or an attribute's name, finds nothing: the answer is 200 with a total of 0. Malformed values and unknown parameters are answered with 400.

**Order.** By tier (in the second, names spelled exactly like the query first: C++ before C), then by relevance, then by name, then by address. Relevance is BM25 over all texts of a listing, weighted by field, the name most. For a question it is multiplied by the share of the question that the listing matches, and also considers words that the best results have in common.`

func suggestEndpoint() Endpoint {
	return Endpoint{
		ID: SuggestID, Method: http.MethodGet, Path: "/marketplace/search/suggestions", Tag: tagSuggest,
		Summary:     "Completions of a text that is being typed",
		Description: "Returns categories (also by their synonyms), products, services and sellers with a word that starts with each word of the text. Exact names come first, starting with those in the same spelling; then the kinds alternate, so that none crowds out the others. If fewer than three are found, one typing error is accepted in words of four letters or more.",
		Params: []Param{
			{
				Name: "q", In: InQuery, Type: TypeString, Min: 1, Max: MaxQuery, Required: true, Example: "rob",
				Description: "The text typed so far.",
			},
			{
				Name: "limit", In: InQuery, Type: TypeInteger, Min: 1, Max: MaxSuggestions, Default: DefaultSuggestions, Example: 8,
				Description: "The maximum number of suggestions.",
			},
			{
				Name: "kind", In: InQuery, Type: TypeString, Enum: []string{"category", "product", "service", "seller"}, Repeat: true, Example: []string{"category"},
				Description: "Only suggestions of this kind. If repeated, of any of them.",
			},
		},
		Status: http.StatusOK, Response: Suggestions{}, Answers: []Answer{{
			Status:      http.StatusNotModified,
			Description: "The answer has not changed: its `ETag` is the one in `If-None-Match`.",
		}}, Cache: SearchCache, Dynamic: true,
		Problems: []string{CodeInvalidParameter, CodeMethodNotAllowed, CodeUnavailable},
	}
}
