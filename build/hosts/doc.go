// Package hosts knows the servers and services that can serve a release: what
// each does at an address that was removed, and the configuration that has it
// keep the promises of the API as far as it can.
//
// The configurations are templates of package templates. What they hold of the
// API (addresses, media types, lifetimes, headers, bodies of errors) comes from
// package document, and is written nowhere else; the endpoints that a running
// program answers come from its registry.
//
// It refuses to know how a release is made or published, and whether a host that
// runs somewhere keeps what its table says: package probe asks that.
package hosts
