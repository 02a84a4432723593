// Package hosts knows the servers and services that can serve a release: what each
// answers at a removed address, and the configuration that makes it keep the
// promises of the API as far as it can.
//
// The configurations are templates in package templates. What they say of the API
// (addresses, media types, lifetimes, headers, error bodies) comes from package
// document alone; the endpoints that a running program answers come from its
// registry.
//
// It refuses to know how a release is made or published, and whether a running
// host does what the table says: package probe checks that.
package hosts
