// Package hit has the listings that a query found: how strictly and how well each matches,
// in one integer that sorts, sets of them, and the best so many of them. It refuses to know
// what listings and queries are.
package hit
