// Package corpus holds the current listings, sellers, categories and articles of a release
// as search numbers them, and which sellers are withheld now. It refuses to know queries,
// words and how anything is matched.
//
// The number of a listing is its place in the order of lists: names, then addresses. Lists
// of what there is one of for each listing may lie outside the heap, in a mapped file.
package corpus
