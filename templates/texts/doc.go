// Package texts holds every text of the site's own that visitors, claimants and
// front ends meet, in English, German, French, Spanish, Italian and Dutch, and those that an operator adds or
// words otherwise. It refuses to know where texts lie and where they are shown.
//
// A text has a key and may have placeholders in braces, which have the same
// names in every language:
//
//	action.viewSeller: "About {company}"
//
// A text about a number has a key for each plural form that its language has
// (CLDR: zero, one, two, few, many, other); {count} is the number, written as
// the language writes it:
//
//	search.results.one: "{count} result"
//	search.results.other: "{count} results"
//
// A Catalogue is the texts of one marketplace: made once from its language and
// the operator's wording, never changed, and passed down to whatever renders.
//
// The package does not know where the operator's wording lies, what a
// marketplace is, or where a text is shown. Errors of the API, logs, commands
// and what describes the API to developers are English and not here.
package texts
