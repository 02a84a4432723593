// Package naming indexes names by the beginnings of their words, for suggestions, the best
// names first. It does not know what has a name, what is suggested in the end, or where a List
// is stored.
//
// # Glossary
//
//	word  a folded word of a name; also one with its umlauts as two letters, and the whole
//	      name as one word, so that "k8sdash" and "usbc" find names that are spelled
//	      differently
//	use   the occurrence of a word in a name, with its role
//	rank  the position of a name in a List, the shortest first: the typed text is a
//	      larger part of a short name
package naming
