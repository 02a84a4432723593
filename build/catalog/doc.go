// Package catalog is the domain: Sellers, their Products and Services, typed
// Categories, Articles and Market Maps, how they refer to each other, and which
// of them are current. It applies changes, links everything together, finds what
// is wrong, and computes what a change touches. It does no I/O and refuses to
// know YAML, JSON, HTTP and how anything is published.
//
// One goroutine may change a Catalog through Apply; between two calls, any
// number may read it.
package catalog
