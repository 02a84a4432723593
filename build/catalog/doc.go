// Package catalog is the domain: Sellers, their Products and Services, typed Categories,
// Articles and Market Maps, how they refer to each other, and which of them are current. It
// applies changes, links items, finds mistakes, and computes which parts of the output a
// change touches. It does no I/O and knows nothing of YAML, JSON, HTTP or publishing.
//
// Only one goroutine may change a Catalog, through Apply. Between two calls of Apply, any
// number may read it.
package catalog
