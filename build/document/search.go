package document

import (
	"bytes"
	"encoding/json"
)

// The types in this file are the responses of search. As in documents, a field without
// omitempty is always present, and lists are never null.

// SearchResult is the answer to a search.
type SearchResult struct {
	Query              string              `json:"query" doc:"The query, as it was sent."`
	Total              int                 `json:"total" doc:"The exact number of matching listings; the same on every page."`
	Offset             int                 `json:"offset" doc:"The number of results before this page."`
	Limit              int                 `json:"limit" doc:"The maximum number of results on this page."`
	Listings           []SearchHit         `json:"listings" doc:"Products and services in one list, in the requested order. Ties are ordered by name, then address."`
	Filters            []SearchFilter      `json:"filters" doc:"The filters that narrow the results: kind, category, seller, country, then the other parameters for which results have values, prices by currency, and up to 50 attributes, most frequent first."`
	CategoryDirections []CategoryDirection `json:"categoryDirections" doc:"The categories of the results, most results first; at most 10. A category is omitted if all its results are in a single subcategory."`
	CategoryMatch      *Link               `json:"categoryMatch" doc:"The category whose name or synonym is the whole query, or null."`
	SellerMatch        *Link               `json:"sellerMatch" doc:"The only seller whose name, legal name, slug or official domain is the whole query, or null."`
	Companies          FoundCompanies      `json:"companies" doc:"Companies that match the text, with the same category and country. Empty if the text is."`
	Articles           []FoundArticle      `json:"articles" doc:"Articles and Market Maps that match the text, best match first; at most 5. Filters and paging do not affect them."`
	Interpreted        []Interpretation    `json:"interpreted,omitempty" doc:"Parts of the text that were not taken literally, in the order of the text; to turn this off, send interpret=off."`
	Next               string              `json:"next,omitempty" doc:"The next page; absent on the last page." jsonschema:"format=uri"`
}

// FoundCompanies are the first companies that match a text.
type FoundCompanies struct {
	Total int          `json:"total" doc:"The exact number of matching companies."`
	Items []CompanyHit `json:"items" doc:"The best matches; at most 5."`
	Next  string       `json:"next,omitempty" doc:"The search that returns all of them; absent if there are none." jsonschema:"format=uri"`
}

// CompanyHit is the card of a company in search results.
type CompanyHit struct {
	CompanyCard
	ListingCount int           `json:"listingCount" doc:"The number of its products and services."`
	Highlight    *HitHighlight `json:"highlight,omitempty" doc:"Where the words of the query are; absent if it has none."`
}

// CompanyResult is the answer to a search of companies.
type CompanyResult struct {
	Query       string           `json:"query" doc:"The query, as it was sent."`
	Total       int              `json:"total" doc:"The exact number of matching companies; the same on every page."`
	Offset      int              `json:"offset" doc:"The number of results before this page."`
	Limit       int              `json:"limit" doc:"The maximum number of results on this page."`
	Companies   []CompanyHit     `json:"companies" doc:"In the requested order. Ties are ordered by name, then address."`
	Filters     []SearchFilter   `json:"filters" doc:"The filters that narrow the results: category, country, city, language, proof."`
	Interpreted []Interpretation `json:"interpreted,omitempty" doc:"Parts of the text that were not taken literally, in the order of the text; to turn this off, send interpret=off."`
	Next        string           `json:"next,omitempty" doc:"The next page; absent on the last page." jsonschema:"format=uri"`
}

// SearchHit is the card of a listing in search results.
type SearchHit struct {
	Listing
	Matched   *Matched      `json:"matched,omitempty" doc:"The variant or SKU that matched; absent if the listing itself did."`
	Highlight *HitHighlight `json:"highlight,omitempty" doc:"Where the words of the query are; absent if it has none."`
	Pinned    bool          `json:"pinned,omitempty" doc:"true if it comes first because a selected category features it."`
}

// Matched is the variant of a product that matched.
type Matched struct {
	Variant string `json:"variant,omitempty" doc:"The name of the variant; absent if the product's own SKU matched."`
	SKU     string `json:"sku,omitempty" doc:"The article number of the variant, or of the product."`
}

// SearchFilter is one way to narrow the results. Texts, true and false have Values; numbers
// have Min and Max.
type SearchFilter struct {
	Name      string              `json:"name" doc:"The parameter." jsonschema:"enum=kind,enum=category,enum=seller,enum=country,enum=city,enum=availability,enum=delivery,enum=region,enum=language,enum=proof,enum=priceUnit,enum=price,enum=attribute"`
	Attribute string              `json:"attribute,omitempty" doc:"For an attribute: its name. An attribute with both text and numbers, or with units that cannot be converted, has a filter for each."`
	Type      string              `json:"type" doc:"The type of the values." jsonschema:"enum=text,enum=number,enum=boolean"`
	Unit      string              `json:"unit,omitempty" doc:"For numbers: the unit of min and max; for a price, its currency. Values in other units of the dimension are converted."`
	Values    []SearchFilterValue `json:"values" doc:"For text and boolean: the 100 most frequent values of the results, then by label, and the selected ones. Empty for number."`
	More      bool                `json:"more,omitempty" doc:"true if there are more values than listed."`
	Min       json.Number         `json:"min,omitempty" doc:"For number: the minimum of the results, rounded down, or of all listings if no result has a value."`
	Max       json.Number         `json:"max,omitempty" doc:"For number: the maximum of the results, rounded up, or of all listings if no result has a value."`
	Count     int                 `json:"count,omitempty" doc:"For an attribute or a price: the number of results that have it, ignoring this filter's own selection."`
	Selected  []string            `json:"selected,omitempty" doc:"For number: the selected ranges, as they were sent."`
}

// MarshalJSON writes the count of numbers and attributes even if it is 0, as for a selected
// attribute that no result has.
func (f SearchFilter) MarshalJSON() ([]byte, error) {
	type plain SearchFilter
	var told any = plain(f)
	if f.Type == "number" || f.Attribute != "" {
		told = struct {
			plain
			Count int `json:"count"`
		}{plain(f), f.Count}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(told)
	return b.Bytes(), err
}

// SearchFilterValue is one value of a SearchFilter.
type SearchFilterValue struct {
	Value    string `json:"value" doc:"The value to send as the parameter."`
	Label    string `json:"label" doc:"The value as text for people."`
	Count    int    `json:"count" doc:"The total if this were the only selected value of the filter."`
	Selected bool   `json:"selected" doc:"Whether the query selects it."`
}

// CategoryDirection is a category of some results.
type CategoryDirection struct {
	Link
	Count int `json:"count" doc:"The number of results in the category and its descendants."`
}

// Suggestions is the response to a text that is being typed.
type Suggestions struct {
	Query       string       `json:"query" doc:"The text, as it was sent."`
	Suggestions []Suggestion `json:"suggestions" doc:"Categories, products, services and sellers in one list, exact names first."`
}

// Suggestion links to an item whose name completes the text.
type Suggestion struct {
	Link
	Seller    string   `json:"seller,omitempty" doc:"For a product or service: the name of its seller."`
	Highlight [][2]int `json:"highlight" doc:"The parts of the name that match the text, each as a start and an exclusive end, counted in Unicode code points."`
}
