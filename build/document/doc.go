// Package document renders the public documents: their types, their addresses, their bytes,
// and the registry of all endpoints, from which the routes and the OpenAPI description are
// derived. It alone decides what is public. Every document is built from the types in this
// package, field by field, so that a new field in the content never becomes public by itself.
// It does no I/O and knows no clock.
package document
