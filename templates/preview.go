package templates

import (
	"embed"
	htmltemplate "html/template"
	"io"
)

// Parts that a preview adds to the pages that it sends.

//go:embed preview/*.html.tmpl
var previewHTML embed.FS

var previewTemplates = htmltemplate.Must(htmltemplate.ParseFS(previewHTML, "preview/*.html.tmpl"))

// PreviewStyle is the style sheet of these parts.
//
//go:embed preview/style.css
var PreviewStyle string

// PreviewScript is the script that a preview adds.
//
//go:embed preview/script.js
var PreviewScript string

// A PreviewPart names a piece of HTML that a preview adds.
type PreviewPart string

// The parts: links to the script and style sheet, with the state that the page shows; the
// mistakes in the content; a note that something is not published; the next steps in an
// empty market; and a page to show while there is no release.
const (
	PreviewHead     PreviewPart = "head"
	PreviewMistakes PreviewPart = "mistakes"
	PreviewMark     PreviewPart = "mark"
	PreviewEmpty    PreviewPart = "empty"
	PreviewBare     PreviewPart = "bare"
)

// A PreviewMistake is a mistake in the content, and where it is.
type PreviewMistake struct{ Place, Text, Hint string }

// A PreviewState is the data of PreviewMistakes and PreviewBare.
type PreviewState struct {
	// State identifies the state of the content that is shown.
	State    string
	Mistakes []PreviewMistake
	// Before means that pages show the content from before the mistakes.
	Before bool
}

// WritePreview renders a part. The value is a PreviewState, or a string for
// PreviewMark.
func WritePreview(out io.Writer, part PreviewPart, value any) error {
	return previewTemplates.ExecuteTemplate(out, string(part), value)
}
