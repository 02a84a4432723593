// Package facet filters, counts and sorts listings by their attributes, prices, categories,
// sellers and places. It refuses to know texts: it is given the listings that a text found.
//
// Every value of every filter has a number, its id, and a listing has a list of ids. Total
// and counts are exact: one pass over what was found counts everything.
package facet
