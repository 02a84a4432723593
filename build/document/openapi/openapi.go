// Package openapi holds the descriptions of the API to a validator that is not
// ours, in a module of its own, since nothing but this needs it. It has no code
// of its own.
package openapi
