// Package corpus numbers the current listings, sellers, categories and articles of a release
// for search, and knows which sellers are withheld now. It does not know queries, words or
// matching.
//
// The number of a listing is its position in the order of lists: by name, then by address.
// Lists with an element for each listing may be outside the heap, in a mapped file.
package corpus
