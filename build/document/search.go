package document

import (
	"bytes"
	"encoding/json"
)

// The types in this file are the responses of search. As in documents, a field without
// omitempty is always present, and lists are never null.

// SearchResult is the answer to a search.
type SearchResult struct {
	Query              string              `json:"query" doc:"What was searched for, as it was sent."`
	Total              int                 `json:"total" doc:"How many listings match, exactly; the same on every page."`
	Offset             int                 `json:"offset" doc:"How many of them come before this page."`
	Limit              int                 `json:"limit" doc:"How many this page holds at most."`
	Listings           []SearchHit         `json:"listings" doc:"Products and services in one sequence, in the order asked for. Equal ones are ordered by name, then address."`
	Filters            []SearchFilter      `json:"filters" doc:"What the results can be narrowed by: kind, category, seller, country, then what else they have of what the parameters name, prices by currency, and up to 50 attributes, the most frequent first."`
	CategoryDirections []CategoryDirection `json:"categoryDirections" doc:"Where the results lie, most first; at most 10. A category all of whose results lie in one below it is left out."`
	CategoryMatch      *Link               `json:"categoryMatch" doc:"The category whose name or synonym the whole query is, or null."`
	SellerMatch        *Link               `json:"sellerMatch" doc:"The one seller whose name, legal name, slug or official domain the whole query is, or null."`
	Companies          FoundCompanies      `json:"companies" doc:"Companies that the text finds, with the same category and country. None of an empty text."`
	Articles           []FoundArticle      `json:"articles" doc:"Articles and Market Maps that the text finds, the best first; at most 5. Filters and pages have no part in it."`
	Interpreted        []Interpretation    `json:"interpreted,omitempty" doc:"What was understood, where it differs from what was typed, in the order of the text; send interpret=off to undo it."`
	Next               string              `json:"next,omitempty" doc:"The next page; absent on the last one." jsonschema:"format=uri"`
}

// FoundCompanies are the first companies that match a text.
type FoundCompanies struct {
	Total int          `json:"total" doc:"How many companies match, exactly."`
	Items []CompanyHit `json:"items" doc:"The best of them; at most 5."`
	Next  string       `json:"next,omitempty" doc:"The search of companies that answers with all of them; absent where there is none." jsonschema:"format=uri"`
}

// CompanyHit is the card of a company in search results.
type CompanyHit struct {
	CompanyCard
	ListingCount int           `json:"listingCount" doc:"How many products and services it has."`
	Highlight    *HitHighlight `json:"highlight,omitempty" doc:"Where the words that were asked for are; absent where none were."`
}

// CompanyResult is the answer to a search of companies.
type CompanyResult struct {
	Query       string           `json:"query" doc:"What was searched for, as it was sent."`
	Total       int              `json:"total" doc:"How many companies match, exactly; the same on every page."`
	Offset      int              `json:"offset" doc:"How many of them come before this page."`
	Limit       int              `json:"limit" doc:"How many this page holds at most."`
	Companies   []CompanyHit     `json:"companies" doc:"In the order asked for. Equal ones are ordered by name, then address."`
	Filters     []SearchFilter   `json:"filters" doc:"What the results can be narrowed by: category, country, city, language, proof."`
	Interpreted []Interpretation `json:"interpreted,omitempty" doc:"What was understood, where it differs from what was typed, in the order of the text; send interpret=off to undo it."`
	Next        string           `json:"next,omitempty" doc:"The next page; absent on the last one." jsonschema:"format=uri"`
}

// SearchHit is the card of a listing in search results.
type SearchHit struct {
	Listing
	Matched   *Matched      `json:"matched,omitempty" doc:"The variant or SKU that led here; absent where the listing itself did."`
	Highlight *HitHighlight `json:"highlight,omitempty" doc:"Where the words that were asked for are; absent where none were."`
	Pinned    bool          `json:"pinned,omitempty" doc:"true where it stands first since a category that the query chooses pins it."`
}

// Matched is the variant of a product that matched.
type Matched struct {
	Variant string `json:"variant,omitempty" doc:"The name of the variant; absent where the product's own SKU was found."`
	SKU     string `json:"sku,omitempty" doc:"The article number of the variant, or of the product."`
}

// SearchFilter is one way to narrow the results. Texts, true and false have Values; numbers
// have Min and Max.
type SearchFilter struct {
	Name      string              `json:"name" doc:"The parameter." jsonschema:"enum=kind,enum=category,enum=seller,enum=country,enum=city,enum=availability,enum=delivery,enum=region,enum=language,enum=proof,enum=priceUnit,enum=price,enum=attribute"`
	Attribute string              `json:"attribute,omitempty" doc:"Of an attribute: its name. One that some write as text and others as numbers, or in units that do not convert, has a filter for each."`
	Type      string              `json:"type" doc:"What the values are." jsonschema:"enum=text,enum=number,enum=boolean"`
	Unit      string              `json:"unit,omitempty" doc:"Of numbers: the unit of min and max, of a price its currency. Values in other units of the dimension are converted."`
	Values    []SearchFilterValue `json:"values" doc:"Of text and boolean: the first 100 that the results have, most results first, then by label, and those selected. Empty of number."`
	More      bool                `json:"more,omitempty" doc:"true where there are more values than are told."`
	Min       json.Number         `json:"min,omitempty" doc:"Of number: the least value of the results, rounded down; of all listings where no result has one."`
	Max       json.Number         `json:"max,omitempty" doc:"Of number: the greatest value of the results, rounded up; of all listings where no result has one."`
	Count     int                 `json:"count,omitempty" doc:"Of an attribute or a price: how many results have it, without the filter's own selection."`
	Selected  []string            `json:"selected,omitempty" doc:"Of number: what the query selects, as it was sent."`
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
	Value    string `json:"value" doc:"What to send as the parameter."`
	Label    string `json:"label" doc:"The value in words."`
	Count    int    `json:"count" doc:"The total if this were the only selected value of the filter."`
	Selected bool   `json:"selected" doc:"Whether the query selects it."`
}

// CategoryDirection is a category of some results.
type CategoryDirection struct {
	Link
	Count int `json:"count" doc:"Results in the category and its descendants."`
}

// Suggestions is the response to a text that is being typed.
type Suggestions struct {
	Query       string       `json:"query" doc:"What was typed, as it was sent."`
	Suggestions []Suggestion `json:"suggestions" doc:"Categories, products, services and sellers in one sequence, an exact name first."`
}

// Suggestion links to an item whose name completes the text.
type Suggestion struct {
	Link
	Seller    string   `json:"seller,omitempty" doc:"Of a product or service: the name of its seller."`
	Highlight [][2]int `json:"highlight" doc:"The parts of the name that were typed, each from a character up to but not including another, counted in Unicode code points."`
}
