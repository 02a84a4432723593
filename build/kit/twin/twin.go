// Package twin says which files of a release have compressed twins and how these are named.
// It does not know how they are created, or which of them a host sends.
package twin

import (
	"path"
	"slices"
	"strings"
)

// The name of a twin is the name of its file followed by one of these.
const (
	Gzip   = ".gz"
	Brotli = ".br"
)

// Lines is the extension of compressed files with lines of JSON. They are not twins, since
// there is no uncompressed file.
const Lines = ".jsonl" + Gzip

// kinds are the extensions of files that have twins.
var kinds = []string{"atom", "css", "html", "js", "json", "svg", "txt", "xml"}

// Has reports whether a file is of a kind that has twins.
func Has(file string) bool {
	return slices.Contains(kinds, strings.TrimPrefix(path.Ext(file), "."))
}

// Of returns the file that a twin belongs to, or the file itself if it is not a twin.
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

// Pattern is a regular expression for the extensions of twins, in the common syntax of PCRE
// and RE2.
var Pattern = `\.(?:` + strings.Join(kinds, "|") + `)\.(?:` + Gzip[1:] + `|` + Brotli[1:] + `)`
