// Package twin says which files of a release have compressed twins, and how these are named.
// It refuses to know how they are made, and which of them a host sends.
package twin

import (
	"path"
	"slices"
	"strings"
)

// The name of a twin is that of its file, and one of these.
const (
	Gzip   = ".gz"
	Brotli = ".br"
)

// Lines ends the name of lines of JSON that are compressed by themselves: no twin, since
// there is no file beside it.
const Lines = ".jsonl" + Gzip

// kinds are how the names of files that have twins end.
var kinds = []string{"atom", "css", "html", "js", "json", "svg", "txt", "xml"}

// Has reports whether a file is of a kind that has twins.
func Has(file string) bool {
	return slices.Contains(kinds, strings.TrimPrefix(path.Ext(file), "."))
}

// Of returns the file that a twin belongs to, or the file itself where it is none.
func Of(file string) string {
	if strings.HasSuffix(file, Lines) {
		return file
	}
	for _, suffix := range [...]string{Gzip, Brotli} {
		if plain, is := strings.CutSuffix(file, suffix); is {
			return plain
		}
	}
	return file
}

// Pattern is a regular expression of how the names of twins end, in the common part of PCRE
// and RE2.
var Pattern = `\.(?:` + strings.Join(kinds, "|") + `)\.(?:` + Gzip[1:] + `|` + Brotli[1:] + `)`
