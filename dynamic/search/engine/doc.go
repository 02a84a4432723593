// Package engine joins the postings of words to matching listings, sorts and counts them.
// Engine is the interface that search uses; Embedded does the work in this process, package
// cluster elsewhere. It does not know languages or the meaning of a text.
package engine
