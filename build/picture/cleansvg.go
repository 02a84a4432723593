package picture

import (
	"encoding/base64"
	"net/url"
	"strings"

	"souk/build/problem"
)

// cut is a piece of the document that is published otherwise, or not at all.
type cut struct {
	start, end int
	with       string
}

// emptyComment keeps apart what must not meet where a piece was.
const emptyComment = "<!---->"

// cleanSVG inspects a drawing and leaves out what nobody sees: comments,
// processing instructions, the document type, metadata, and whatever belongs to
// another language than SVG and XLink, as drawing programs write it. Style sheets
// lose their comments and what they import. The result is UTF-8 and says nothing
// of its encoding, since that is the default.
func cleanSVG(data []byte) (public []byte, info Info, faults []Fault) {
	d := readSVG(data)
	for _, f := range d.faults {
		if !f.Warning {
			return nil, d.info, d.faults
		}
	}
	out, at := grown(len(d.text)), 0
	for _, c := range d.cuts {
		out.Write(d.text[at:c.start])
		if c.with == "" && out.Len() > 0 && out.Bytes()[out.Len()-1] == ']' {
			c.with = emptyComment // else the text on both sides could make "]]>"
		}
		out.WriteString(c.with)
		at = c.end
	}
	out.Write(d.text[at:])
	return out.Bytes(), d.info, d.faults
}

// cut notes that a piece is left out, or published as something else. What is
// within an element that is left out is not noted by itself.
func (d *drawing) cut(start, end int, with string) {
	if d.hidden.depth == 0 && start < end {
		d.cuts = append(d.cuts, cut{start, end, with})
	}
}

// hiddenElement is an open element that is left out, with all that is in it.
type hiddenElement struct {
	depth   int // how many elements are open within and including it; 0 outside
	from    int
	foreign bool
}

// hide notes that an element begins which is left out, or is within one.
func (d *drawing) hide(space, local string, from int) {
	metadata := space == svgSpace && local == "metadata"
	switch {
	case d.hidden.depth > 0:
		d.hidden.depth++
		// A style counts wherever it is, and others may refer to what is drawn here.
		drawn := local != "metadata" && local != "title" && local != "desc"
		if space == svgSpace && (local == "style" || d.hidden.foreign && drawn) {
			d.fault(from, "the element "+problem.Quoted(local)+" is part of what a drawing program keeps for itself, "+
				"which is not published: export the picture as plain SVG")
		}
	case metadata || space != svgSpace:
		d.hidden = hiddenElement{1, from, !metadata}
	}
}

// unhide notes that an element ends.
func (d *drawing) unhide() {
	if d.hidden.depth == 0 {
		return
	}
	if d.hidden.depth--; d.hidden.depth == 0 {
		d.cut(d.hidden.from, d.offset(), "")
	}
}

// keptSpace reports whether names of a namespace mean something to a browser.
func keptSpace(space string) bool {
	switch space {
	case "", svgSpace, xlinkSpace, xmlSpace, xmlnsSpace:
		return true
	}
	return false
}

// written is where an attribute is in the document: from the end of what is
// before it, from its name, and to its end.
type written struct{ before, start, end int }

// rewrite publishes an attribute with another value.
func (d *drawing) rewrite(w written, value string) {
	name, _, _ := strings.Cut(string(d.text[w.start:w.end]), "=")
	d.cut(w.start, w.end, name+`="`+attributeText.Replace(value)+`"`)
}

var (
	attributeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\n", "&#10;", "\r", "&#13;", "\t", "&#9;")
	elementText   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
)

// embedded returns the address of an embedded picture with the picture cleaned.
// Any other address is returned as it is.
func embedded(address string) (clean, fault string) {
	trimmed := strings.Trim(address, " \t\r\n\f")
	if len(trimmed) < 5 || lower(trimmed[:5]) != "data:" {
		return address, ""
	}
	const mending = ": embed a PNG, JPEG, GIF or WebP picture without metadata, or draw it as part of this picture"
	kind, body, _ := strings.Cut(trimmed, ",")
	if decoded, err := url.PathUnescape(body); err == nil {
		body = decoded
	}
	data := []byte(body)
	if strings.HasSuffix(lower(strings.TrimRight(kind, " ")), ";base64") {
		packed := strings.TrimRight(strip(body), "=")
		var err error
		if data, err = base64.RawStdEncoding.DecodeString(packed); err != nil {
			return "", "the embedded picture is not written in base64" + mending
		}
	}
	f := rasterFormatOf(data)
	if f == nil {
		return "", "the embedded picture is none that is known" + mending
	}
	public, turn, err := f.clean(data)
	switch {
	case err != nil:
		return "", "the embedded picture is broken (" + err.Error() + ")"
	case turn != upright:
		return "", "the Exif of the embedded picture says that it is to be turned: turn it upright and embed it again"
	case string(public) == string(data):
		return address, ""
	}
	return "data:" + f.info.Type + ";base64," + base64.StdEncoding.EncodeToString(public), ""
}
