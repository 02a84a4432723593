// Package fault says what is wrong with a request for search: which parameter, a code for
// programs, and a message for people with what was probably meant.
package fault
