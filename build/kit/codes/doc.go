// Package codes knows the valid codes of countries, currencies and languages, so that
// content and search accept the same ones. It does not know who uses them, or how to report
// an invalid one.
package codes
