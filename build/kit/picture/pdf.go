package picture

import (
	"bytes"
	"path"
	"strings"
)

// IsPDF reports whether a file is a PDF, judging by its name.
func IsPDF(file string) bool { return strings.EqualFold(path.Ext(file), ".pdf") }

// Public returns what is published of a media file: a picture as Clean returns it, and a PDF
// as it is.
func Public(file string, data []byte) (public []byte, info Info, faults []Fault) {
	switch {
	case !IsPDF(file):
		return Clean(data)
	case !bytes.HasPrefix(data, []byte("%PDF-")):
		faults = []Fault{{Text: "this is not a PDF; it looks like " + lookOf(data) + ": export it as a PDF, or give it its own ending"}}
	}
	return data, Info{Type: "application/pdf", Extension: "pdf"}, faults
}
