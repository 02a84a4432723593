// Package suggest completes a text that is being typed with the names of categories, sellers
// and listings. It refuses to know how listings are matched and filtered.
package suggest
