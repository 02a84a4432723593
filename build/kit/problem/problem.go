// Package problem describes what is wrong with the content: where, what, and what was
// probably meant. It does not know how content is read or what it becomes; all other
// packages of the pipeline report problems with it.
package problem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Problem is something that an author should fix.
type Problem struct {
	// File is the path below the content folder, with forward slashes.
	File string
	// Line and Column count from 1; they are 0 if the problem is the file itself.
	Line, Column int
	// Text says what is wrong.
	Text string
	// Meant says what was probably meant or how to fix it; may be empty.
	Meant string
	// See is another file that the problem concerns, like File, optionally with
	// :line:column; may be empty.
	See string
	// Warning marks something that should be checked but does not stop a build.
	Warning bool
	// Private marks problems that mention a removed company, which must not be in a log
	// that the public may read.
	Private bool
}

// String formats the problem as file:line:column: text (meant), which editors and terminals
// turn into links. It quotes a file name with control characters or line breaks.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", printable(p.File), max(p.Line, 1), max(p.Column, 1))
	b.WriteString(p.Text)
	if hint := p.Hint(); hint != "" {
		fmt.Fprintf(&b, " (%s)", hint)
	}
	return b.String()
}

// Hint returns what was meant and where to look, for the brackets after the text; empty if
// there is neither.
func (p Problem) Hint() string {
	switch {
	case p.See == "":
		return p.Meant
	case p.Meant == "":
		return "see " + printable(p.See)
	}
	return p.Meant + "; see " + printable(p.See)
}

// printable returns a file's name as it can appear in a line of text: quoted if it contains
// unprintable characters.
func printable(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return name
	}
	return strconv.Quote(name)
}

// A List contains the problems found while reading the content.
type List []Problem

// Sort sorts the list by file, line, column and text, and removes duplicates.
func (l *List) Sort() {
	slices.SortFunc(*l, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Text, b.Text),
			cmp.Compare(a.Meant, b.Meant),
			cmp.Compare(a.See, b.See),
		)
	})
	*l = slices.Compact(*l)
}

// Split separates the mistakes, which stop a build, from the warnings.
func (l List) Split() (mistakes, warnings List) {
	for _, p := range l {
		if p.Warning {
			warnings = append(warnings, p)
		} else {
			mistakes = append(mistakes, p)
		}
	}
	return mistakes, warnings
}

// An Error contains the mistakes that stopped a build.
type Error struct{ Mistakes List }

func (e *Error) Error() string {
	return fmt.Sprintf("the content has %s", Count(len(e.Mistakes), "mistake"))
}

// Count formats a number with its noun: "1 mistake", "2 mistakes".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Quoted quotes a value for a message, shortened if it is long.
func Quoted(value string) string {
	const most = 60
	if utf8.RuneCountInString(value) > most {
		value = string([]rune(value)[:most]) + "…"
	}
	return fmt.Sprintf("%q", value)
}
