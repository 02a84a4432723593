// Package question reads what a text means beyond its words: bounds on prices and attributes,
// places, sellers, likeness, comparison, spoken languages, delivery, and what the text denies. It
// refuses to know how a market is indexed, who is withheld, and HTTP: it asks a Market what the
// names and numbers of a text stand for.
//
// # Languages
//
// A text is read in English and in the language of its market. Each language is one file of
// languages/: a line is a role and the phrases that have it, separated by bars. A native speaker
// extends a language by adding phrases there; no code changes. Words and phrases are compared
// without case and accents, and umlauts may be written with two letters.
//
// # Reading
//
//	Pieces    the words, numbers and signs of the text, each with what precedes it
//	marks     which phrases begin and end at each piece, found once for the whole text
//	amounts   bounds are read around each number
//	rules     other meanings are read from left to right
//	denials   each negates the meaning behind it, or denies words
//
// # Denials
//
// A denial that is understood becomes a Meaning that is Excluded. One that is not understood is
// LeftOut, together with what it denies: a text never asks for what it denies. At most maxDenials
// of a text are understood.
package question
