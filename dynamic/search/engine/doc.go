// Package engine joins the postings of words to the listings that were found, orders and
// counts them. Engine is what search asks of it; Embedded does it in this process, package
// cluster elsewhere. It refuses to know languages and what a text means.
package engine
