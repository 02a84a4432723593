package picture

import (
	"bytes"
	"encoding/xml"
	"strings"

	"souk/build/problem"
)

// bind puts the namespace declarations of a tag into force.
func (d *drawing) bind(attrs []xml.Attr) {
	for _, a := range attrs {
		switch {
		case a.Name.Space == "" && a.Name.Local == "xmlns":
			d.bindings = append(d.bindings, binding{"", a.Value})
		case a.Name.Space == "xmlns":
			d.bindings = append(d.bindings, binding{a.Name.Local, a.Value})
		}
	}
}

// resolve returns the namespace that a prefix is bound to, and false when it is
// bound to none. Having no prefix is fine without a declaration.
func (d *drawing) resolve(prefix string) (space string, bound bool) {
	switch prefix {
	case "xml":
		return xmlSpace, true
	case "xmlns":
		return xmlnsSpace, true
	}
	for i := len(d.bindings) - 1; i >= 0; i-- {
		if d.bindings[i].prefix == prefix {
			return d.bindings[i].space, prefix == "" || d.bindings[i].space != ""
		}
	}
	return "", prefix == ""
}

// attribute judges the n-th attribute of a tag, and notes what of it is left out.
func (d *drawing) attribute(t xml.StartElement, n int, w written) {
	name, value := t.Attr[n].Name, t.Attr[n].Value
	if name.Space == "xmlns" || name.Space == "" && name.Local == "xmlns" {
		if !keptSpace(value) {
			d.cut(w.before, w.end, "")
		}
		return
	}
	fault := func(text string) { d.fault(w.start, text) }
	space := ""
	if name.Space != "" {
		var bound bool
		if space, bound = d.resolve(name.Space); !bound {
			fault("the namespace prefix " + problem.Quoted(name.Space) + " is not declared: " +
				"declare it, or remove the attributes that use it")
			return
		}
	}
	switch {
	case isReference(space, name.Space, name.Local):
		if text := referenceFault(t.Name.Local, name.Local, value); text != "" {
			fault(text)
			return
		}
	case !keptSpace(space): // notes that drawing programs leave for themselves
		d.cut(w.before, w.end, "")
		return
	case space != "":
		return
	case isHandler(name.Local):
		fault("the attribute " + problem.Quoted(name.Local) + " runs a script: remove it")
		return
	}
	if isAnimation(t.Name.Local) && space == "" {
		if text := animationFault(name.Local, value); text != "" {
			fault(text)
			return
		}
	}
	d.value(name, space, value, w)
}

// value judges and cleans the value of an attribute.
func (d *drawing) value(name xml.Name, space, value string, w written) {
	clean, text, faults := value, "", len(d.faults)
	switch {
	case isReference(space, name.Space, name.Local):
		clean, text = embedded(value)
	case mayHoldCSS(name.Local):
		scanCSS(value, func(_ int, f finding) bool {
			d.note(w.start, f)
			return !d.stopped
		})
		clean, text = cleanCSS(value)
	}
	switch {
	case d.hidden.depth > 0 || len(d.faults) > faults && text != "":
	case text != "":
		d.fault(w.start, text)
	case clean != value:
		d.rewrite(w, clean)
	}
}

// checkForm notes what encoding/xml lets pass in a tag although browsers stop
// at it: an attribute given twice, attributes without a blank between them, and
// a colon at the edge of a name.
func (d *drawing) checkForm(t xml.StartElement, tag []byte, from int) {
	if strings.Contains(t.Name.Local, ":") {
		d.fatal(from, "the name "+problem.Quoted(t.Name.Local)+" has a colon at its edge: remove it")
		return
	}
	if n := repeated(t.Attr); n >= 0 {
		d.fatal(from+attributeStart(tag, n), "the attribute "+problem.Quoted(t.Attr[n].Name.Local)+" is given twice: remove one")
		return
	}
	end := nameEnd(tag)
	for n := range t.Attr {
		start, next := nextAttribute(tag, end)
		if start == end {
			d.fatal(from+start, "a blank is missing before this attribute: insert one")
			return
		}
		if strings.Contains(t.Attr[n].Name.Local, ":") {
			d.fatal(from+start, "the name "+problem.Quoted(t.Attr[n].Name.Local)+" has a colon at its edge: remove it")
			return
		}
		end = next
	}
}

// repeated returns the place of an attribute whose name came before, or -1.
func repeated(attrs []xml.Attr) int {
	const few = 16 // up to here comparing all pairs is quicker than a map
	if len(attrs) <= few {
		for i := range attrs {
			for j := range i {
				if attrs[i].Name == attrs[j].Name {
					return i
				}
			}
		}
		return -1
	}
	seen := make(map[xml.Name]bool, len(attrs))
	for i := range attrs {
		if seen[attrs[i].Name] {
			return i
		}
		seen[attrs[i].Name] = true
	}
	return -1
}

// attributeStart returns where in a well-formed tag its n-th attribute begins.
func attributeStart(tag []byte, n int) int {
	start, next := nextAttribute(tag, nameEnd(tag))
	for range n {
		start, next = nextAttribute(tag, next)
	}
	return start
}

// nextAttribute returns where the first attribute after a place in a
// well-formed tag begins and ends.
func nextAttribute(tag []byte, after int) (start, end int) {
	start = after
	for start < len(tag) && isBlank(tag[start]) {
		start++
	}
	open := bytes.IndexAny(tag[start:], `"'`)
	if open < 0 {
		return start, len(tag)
	}
	open += start
	length := bytes.IndexByte(tag[open+1:], tag[open])
	if length < 0 {
		return start, len(tag)
	}
	return start, open + 1 + length + 1
}

// nameEnd returns where the name of the element in a tag ends.
func nameEnd(tag []byte) int {
	if end := bytes.IndexAny(tag, " \t\r\n/>"); end >= 0 {
		return end
	}
	return len(tag)
}
