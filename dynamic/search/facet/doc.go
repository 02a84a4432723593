// Package facet filters, counts and sorts listings by their attributes, prices, categories,
// sellers and places. It does not know texts; the caller provides the listings that match.
//
// Every value of every filter has a number, its id, and a listing has a list of ids. Total and
// counts are exact: one pass over the matches counts everything.
package facet
