// Package catalog is the domain: Sellers, their Products and Services, typed
// Categories, Articles and Market Maps, how they name each other, and which of
// them are current. It is told of changes, ties everything together, says what
// is wrong, and says what a change touches. It does no I/O and refuses to know
// YAML, JSON, HTTP and how anything is published.
//
// A Catalog is changed by one goroutine through Apply and may be read by many
// between two calls of it.
package catalog
