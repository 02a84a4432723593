// Package searchapi serves the endpoints of search and of comparison over HTTP: it parses
// parameters, writes answers as JSON with ETags, and turns errors into problems. It does
// not know how anything is found, counted, ranked or compared; search decides which values
// of a filter are valid.
package searchapi
