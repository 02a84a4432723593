// Package codes knows which codes there are of countries, currencies and languages, so that content
// and search take the same. It refuses to know who uses them, and what to say of one that is none.
package codes
