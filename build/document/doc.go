// Package document makes the public documents: their types, their addresses,
// their bytes, and the registry of all endpoints, from which the routes and the
// OpenAPI description are made. It alone decides what is public. Every document
// is built from the types of this package, field by field, so that nothing that
// is added to the content can reach the public by itself. It does no I/O and
// knows no clock.
package document
