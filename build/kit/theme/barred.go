package theme

import (
	"regexp"
	"strings"
)

// barred lists what a template may contain but browsers ignore, since the pages' policy
// (Content-Security-Policy) only allows their own script and style
// sheet, and frames and objects of the site itself.
var barred = []struct {
	markup, unless *regexp.Regexp
	text, meant    string
}{
	{
		regexp.MustCompile(`(?i)<script\b[^>]*>`), regexp.MustCompile(`\{\{-?\s*(script|docs|embed|comparisonScript)\s*-?\}\}|application/(ld\+)?json`),
		"no browser runs this script, since pages run Souk's own alone", "the log of the server tells of visits; docs/theme.md says what else is possible",
	},
	{
		regexp.MustCompile(`(?i)<link\b[^>]*stylesheet[^>]*>`), regexp.MustCompile(`\{\{-?\s*style\s*-?\}\}`),
		"no browser loads this style sheet", "write it into " + StyleFile,
	},
	{regexp.MustCompile(`(?i)<style\b|<[a-z][^<>]*\sstyle\s*=`), nil, "no browser heeds this style", "write it into " + StyleFile},
	{regexp.MustCompile(`(?i)<[a-z][^<>]*\son[a-z]+\s*=`), nil, "no browser runs this script, since pages run Souk's own alone", "leave it out"},
	{regexp.MustCompile(`(?i)<(video|audio)\b|<(iframe|object|embed)\b[^>]*\s(src|data)\s*=\s*["']?(https?:)?//`), nil, "no browser shows this", "show a picture, or lead there by a link"},
	{regexp.MustCompile(`(?i)<form\b[^>]*\saction\s*=\s*["']?(https?:)?//`), nil, "no browser sends this form to another site", "lead there by a link"},
}

// comment matches comments, which are not in pages.
var comment = regexp.MustCompile(`(?s)\{\{(- )?/\*.*?\*/( -)?\}\}|<!--.*?-->`)

// barredIn returns a warning for each part of a template that browsers ignore.
func barredIn(text string) (faults []Fault) {
	held := comment.ReplaceAllStringFunc(text, func(c string) string { return strings.Repeat(" ", len(c)) })
	for _, b := range barred {
		for _, found := range b.markup.FindAllStringIndex(held, -1) {
			if b.unless != nil && b.unless.MatchString(held[found[0]:found[1]]) {
				continue
			}
			line, column := position(text, found[0])
			faults = append(faults, Fault{Line: line, Column: column, Text: b.text, Meant: b.meant, Warning: true})
		}
	}
	return faults
}
