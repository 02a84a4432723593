// Package suggest completes a text that is being typed with the names of categories, sellers
// and listings. It does not know how listings are matched and filtered.
package suggest
