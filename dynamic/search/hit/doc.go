// Package hit represents found listings: tier and score of each in one integer that sorts,
// sets of them, and the best n. It does not know what listings and queries are.
package hit
