// Package texts contains every text that the site shows to visitors, claimants and front ends, in
// English, German, French, Spanish, Italian and Dutch, and applies an operator's own wording and
// languages.
//
// A text has a key and may have placeholders in braces, which have the same
// names in every language:
//
//	action.viewSeller: "About {company}"
//
// A text about a number has a key for each plural form of its language (CLDR: zero,
// one, two, few, many, other); {count} is the number, formatted for the language:
//
//	search.results.one: "{count} result"
//	search.results.other: "{count} results"
//
// A Catalogue contains the texts of one marketplace. It is created once from the
// language and the operator's wording, and never changes.
//
// The package does not know where an operator's wording is stored, what a
// marketplace is, or where a text is shown. API errors, logs, commands and the
// API's documentation are in English and not in this package.
package texts
