// Package problem describes what is wrong with the content: where, what, and
// what was probably meant. It knows nothing of how content is read or what it
// becomes; every other package of the pipeline reports through it.
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

// A Problem is one thing that an author should mend.
type Problem struct {
	// File is the path below the content folder, with forward slashes.
	File string
	// Line and Column count from 1; they are 0 if the problem is the file itself.
	Line, Column int
	// Text says what is wrong.
	Text string
	// Meant says what was probably meant or what would mend it; may be empty.
	Meant string
	// See is the other file that the problem concerns, as File, perhaps with
	// :line:column; may be empty.
	See string
	// Warning marks what should be looked at but does not stop a build.
	Warning bool
	// Private marks what tells of a removed company: it is not for a log that the
	// public may read.
	Private bool
}

// String formats the problem as file:line:column: text (meant), which editors and
// terminals turn into links. A name with what a terminal would obey, or that would end
// the line, is quoted.
func (p Problem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", shown(p.File), max(p.Line, 1), max(p.Column, 1))
	b.WriteString(p.Text)
	if hint := p.Hint(); hint != "" {
		fmt.Fprintf(&b, " (%s)", hint)
	}
	return b.String()
}

// Hint returns what was meant and what to look at, for the brackets after the
// text; empty where there is neither.
func (p Problem) Hint() string {
	switch {
	case p.See == "":
		return p.Meant
	case p.Meant == "":
		return "see " + shown(p.See)
	}
	return p.Meant + "; see " + shown(p.See)
}

// shown returns a file's name as a line of text may have it: quoted where something in
// it is not to be printed.
func shown(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return name
	}
	return strconv.Quote(name)
}

// A List is what one reading of the content found.
type List []Problem

// Sort sorts the list by file, line, column and text, and drops duplicates.
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

// An Error carries the mistakes that stopped a build.
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
