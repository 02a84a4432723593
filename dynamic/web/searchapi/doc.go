// Package searchapi answers the endpoints of search over HTTP: it reads
// parameters, writes answers as JSON with their ETags, and turns what search
// refuses into problems. It refuses to know how anything is found, counted or
// ranked; search decides which values of a filter are valid.
package searchapi
