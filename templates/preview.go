package templates

import (
	"embed"
	htmltemplate "html/template"
	"io"
)

// What a preview adds to the pages of its release as it sends them.

//go:embed preview/*.html.tmpl
var previewHTML embed.FS

var previewTemplates = htmltemplate.Must(htmltemplate.ParseFS(previewHTML, "preview/*.html.tmpl"))

// PreviewStyle is the style sheet of what a preview adds.
//
//go:embed preview/style.css
var PreviewStyle string

// PreviewScript is the script that a preview adds.
//
//go:embed preview/script.js
var PreviewScript string

// A PreviewPart names a piece of HTML that a preview adds.
type PreviewPart string

// The parts: what leads to script and style, given the state that the page shows;
// the mistakes of the content; why something is no release's; what to do next in an empty
// market; and a page for where there is no release.
const (
	PreviewHead     PreviewPart = "head"
	PreviewMistakes PreviewPart = "mistakes"
	PreviewMark     PreviewPart = "mark"
	PreviewEmpty    PreviewPart = "empty"
	PreviewBare     PreviewPart = "bare"
)

// A PreviewMistake is a mistake of the content, to be shown with its place.
type PreviewMistake struct{ Place, Text, Hint string }

// A PreviewState is what PreviewMistakes and PreviewBare show.
type PreviewState struct {
	// State identifies what is shown.
	State    string
	Mistakes []PreviewMistake
	// Before: pages show the content before the mistakes.
	Before bool
}

// WritePreview writes a part, with a PreviewState, or the text of a mark.
func WritePreview(out io.Writer, part PreviewPart, value any) error {
	return previewTemplates.ExecuteTemplate(out, string(part), value)
}
