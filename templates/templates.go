// Package templates holds the texts that the programs write, as templates.
package templates

import (
	"embed"
	"text/template"
)

//go:embed llms.txt.tmpl openapi.md.tmpl robots.txt.tmpl
var files embed.FS

// Text holds the templates of plain texts, by file name. A value that a
// template misses is an error, never an empty place in the text.
var Text = template.Must(template.New("").Option("missingkey=error").ParseFS(files, "*.tmpl"))
