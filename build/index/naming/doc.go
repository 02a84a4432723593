// Package naming keeps the words of names as whoever suggests names looks for them: by how
// they begin, the best names first. It refuses to know what has a name, what is suggested
// in the end, and where a List is kept.
//
// # Glossary
//
//	word  one of a name, folded; also one with its umlauts as two letters, and all of the
//	      name as one word, so that "k8sdash" and "usbc" find what is written otherwise
//	use   that a name has a word, and as what
//	rank  the place of a name among all of a List, the shortest first: what is typed is
//	      more of a short name
package naming
