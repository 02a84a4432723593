// Package searchapi serves the endpoints of search over HTTP: it parses parameters, writes
// answers as JSON with ETags, and turns errors of search into problems. It does not know
// how anything is found, counted or ranked; search decides which values of a filter are
// valid.
package searchapi
