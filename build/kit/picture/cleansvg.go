package picture

import (
	"bytes"
	"encoding/base64"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"souk/build/kit/problem"
)

// cleanSVG inspects a drawing and writes the parts that are kept: elements in the default
// namespace with sorted attributes, and style attributes only for properties that are not
// attributes.
func cleanSVG(data []byte) (public []byte, info Info, faults []Fault) {
	d := readSVG(data)
	if slices.ContainsFunc(d.faults, func(f Fault) bool { return !f.Warning }) {
		return nil, d.info, d.faults
	}
	d.root.attrs["xmlns"] = svgSpace
	out := grown(len(d.text))
	d.root.write(out)
	return out.Bytes(), d.info, d.faults
}

var (
	attributeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\n", " ", "\r", " ", "\t", " ")
	elementText   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
)

func (n *node) write(out *bytes.Buffer) {
	if n.name == "" {
		_, _ = elementText.WriteString(out, n.text) // a Buffer returns no error
		return
	}
	out.WriteString("<" + n.name)
	for _, name := range slices.Sorted(maps.Keys(n.attrs)) {
		out.WriteString(" " + name + `="`)
		_, _ = attributeText.WriteString(out, n.attrs[name])
		out.WriteByte('"')
	}
	if len(n.children) == 0 {
		out.WriteString("/>")
		return
	}
	out.WriteByte('>')
	for _, child := range n.children {
		child.write(out)
	}
	out.WriteString("</" + n.name + ">")
}

// reference keeps an address if it refers to an element of the same picture or is an
// embedded raster picture, which is cleaned.
func (d *drawing) reference(n *node, address string, place func() int) {
	if hrefReference.MatchString(address) {
		n.attrs["href"] = strings.TrimSpace(address)
		return
	}
	picture, text := embedded(address)
	if text != "" {
		d.warn(place, "the reference "+problem.Quoted(address)+" is left out, because "+text+": "+
			"embed a PNG, JPEG, GIF or WebP picture, or refer to an element of the same picture with #name")
		return
	}
	n.attrs["href"] = picture
}

// dataHead matches the part of a data URI before its comma.
var dataHead = regexp.MustCompile(`(?i)^data:.*?(;\s*base64\s*)?$`)

// embedded returns the data URI of an embedded raster picture after cleaning the picture,
// or what is wrong with the address.
func embedded(address string) (clean, fault string) {
	head, body, _ := strings.Cut(strings.TrimSpace(address), ",")
	kind := dataHead.FindStringSubmatch(head)
	if kind == nil {
		return "", "it leads outside the picture"
	}
	if plain, err := url.PathUnescape(body); err == nil {
		body = plain
	}
	data := []byte(body)
	if kind[1] != "" {
		packed := strings.TrimRight(strings.Join(strings.Fields(body), ""), "=")
		data, _ = base64.RawStdEncoding.DecodeString(packed) // decode up to the first error
	}
	if rasterFormatOf(data) == nil {
		return "", "it embeds something else"
	}
	public, info, faults := Clean(data)
	if public == nil {
		return "", "the embedded picture is broken or too large (" + faults[0].Text + ")"
	}
	return "data:" + info.Type + ";base64," + base64.StdEncoding.EncodeToString(public), ""
}
