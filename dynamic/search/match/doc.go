// Package match finds the listings and articles that a text asks for, in tiers from the
// strictest to the laxest: words and their forms, compounds, misspellings, synonyms and
// categories. It refuses to know filters, pages and how a list of postings is joined: a
// Gathering does that, in this process or in a cluster.
package match
