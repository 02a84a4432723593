// Package fault describes faults in a search request: the parameter, a code for programs, and
// a message for people with a suggestion.
package fault
