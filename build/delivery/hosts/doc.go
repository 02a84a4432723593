// Package hosts knows the servers and services that can serve a release: what each answers
// at a removed address, and the configuration with which it keeps the API's promises as far
// as possible.
//
// The configurations are templates in package templates. Everything in them about the API
// (addresses, media types, lifetimes, headers, error bodies) comes from package document;
// the dynamic endpoints come from its registry.
//
// The package does not know how a release is built or published, or whether a running host
// does what the table says: package probe checks that.
package hosts
