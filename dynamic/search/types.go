package search

import "souk/build/document"

// The public responses are types of package document, which defines everything public; these
// are their short names.
type (
	// Result is the response to a search.
	Result = document.SearchResult
	// Hit is the card of a listing in the results.
	Hit = document.SearchHit
	// Matched says which variant or SKU of a product matched.
	Matched = document.Matched
	// CompanyResult is the response to a search of companies.
	CompanyResult = document.CompanyResult
	// CompanyHit is the card of a company in the results.
	CompanyHit = document.CompanyHit
	// FoundCompanies are the first companies in a response.
	FoundCompanies = document.FoundCompanies
	// Filter is one way to narrow the results.
	Filter = document.SearchFilter
	// FilterValue is one value of a Filter.
	FilterValue = document.SearchFilterValue
	// Direction is a category of some results.
	Direction = document.CategoryDirection
	// FoundArticle is an Article or a Market Map that a text finds.
	FoundArticle = document.FoundArticle
	// HitHighlight says where the query's words are in a listing.
	HitHighlight = document.HitHighlight
	// Interpretation is a part of a text that was not taken literally.
	Interpretation = document.Interpretation
	// Suggestions is the response to a text that is being typed.
	Suggestions = document.Suggestions
	// Suggestion links to an item whose name completes the text.
	Suggestion = document.Suggestion
)
