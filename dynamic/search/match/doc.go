// Package match finds the listings and articles that match a text, in tiers from the strictest
// to the laxest: words and their forms, compounds, misspellings, synonyms and categories. It
// does not know filters, pages or how postings are joined; a Gathering joins them, in this
// process or in a cluster.
package match
