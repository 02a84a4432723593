// Package searchapi answers the endpoints of search over HTTP: it reads
// parameters, writes answers as JSON with their ETags, and turns what search
// refuses into problems. It refuses to know how anything is found, counted or
// ranked; what a value of a filter may be, search says.
package searchapi
