// Package grammar knows how people word what they look for: the phrases, words and
// numbers of a question, in English and five further languages. It refuses to know
// any market: what is in one, and what a question therefore means there, is the
// business of package search.
//
// Each language is one file, and a line in languages makes it understood.
package grammar
