// Package templates contains the templates of everything that the programs write.
package templates

import (
	"embed"
	"text/template"
)

//go:embed llms.txt.tmpl openapi.md.tmpl robots.txt.tmpl
var files embed.FS

// Text contains the plain-text templates by file name. A missing value is an error,
// never a gap in the text.
var Text = template.Must(template.New("").Option("missingkey=error").ParseFS(files, "*.tmpl"))
