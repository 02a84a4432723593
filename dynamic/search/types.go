package search

import "souk/build/document"

// The public answers are types of package document, which decides on everything
// public; these are their short names.
type (
	// Result is the answer of a search.
	Result = document.SearchResult
	// Hit is the card of a listing that was found.
	Hit = document.SearchHit
	// Matched says which variant or SKU of a product was found.
	Matched = document.Matched
	// CompanyResult is the answer of a search of companies.
	CompanyResult = document.CompanyResult
	// CompanyHit is the card of a company that was found.
	CompanyHit = document.CompanyHit
	// FoundCompanies are the first companies of an answer.
	FoundCompanies = document.FoundCompanies
	// Filter is one way to narrow the results.
	Filter = document.SearchFilter
	// FilterValue is one value of a Filter.
	FilterValue = document.SearchFilterValue
	// Direction is a category in which results lie.
	Direction = document.CategoryDirection
	// FoundArticle is an Article or a Market Map that a text finds.
	FoundArticle = document.FoundArticle
	// HitHighlight says where the words that were asked for are in a listing.
	HitHighlight = document.HitHighlight
	// Interpretation is a part of a text that was understood as something else.
	Interpretation = document.Interpretation
	// Suggestions is the answer to a text that is being typed.
	Suggestions = document.Suggestions
	// Suggestion leads to something whose name completes what was typed.
	Suggestion = document.Suggestion
)
