// Package question interprets a text beyond its words: bounds on prices and attributes,
// places, sellers, likeness, comparison, spoken languages, delivery, and denials. It does not
// know how a market is indexed, who is withheld, or HTTP; it asks a Market what the names and
// numbers in a text stand for.
//
// # Languages
//
// A text is read in English and in the language of its market. Each language is one file in
// languages/: a line is a role and its phrases, separated by bars. A native speaker extends a
// language by adding phrases there; no code changes. Words and phrases are compared without
// case and accents, and umlauts may be written as two letters.
//
// # Reading
//
//	Pieces    the words, numbers and signs of the text, each with the gap before it
//	marks     the phrases that begin and end at each piece, found once for the whole text
//	amounts   bounds are read around each number
//	rules     other meanings are read from left to right
//	denials   each negates the meaning after it, or denies words
//
// # Denials
//
// A denial that is understood becomes a Meaning that is Excluded. Otherwise it is LeftOut,
// together with what it denies: a text never asks for what it denies. At most maxDenials in a
// text are understood.
package question
