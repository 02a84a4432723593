package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"souk/build/kit/problem"
)

const (
	svgSpace = "http://www.w3.org/2000/svg"

	// maxFaults limits the list of faults: nobody fixes a hundred of them by hand.
	maxFaults = 20
	// maxDepth limits how deep elements are nested.
	maxDepth = 1000
	// maxEntities limits the size of a drawing's expanded entities, in bytes.
	maxEntities = 4 << 20
)

// A drawing parses an SVG document completely and keeps what belongs to a static drawing.
type drawing struct {
	text    []byte // the document in UTF-8
	base    int    // the position in text where the decoder started
	decoder *xml.Decoder
	info    Info
	faults  []Fault
	stopped bool

	root  *node
	open  []*node
	named map[string]*node

	// sheet is the open style element, and css is its text.
	sheet *node
	css   []byte
	// rules are the declarations of the style sheets, by selector.
	rules map[string]cascade
	// declared counts the declarations.
	declared int
	// dashed means that some element has dashes; marked means that some element has markers
	// at its corners.
	dashed, marked bool
	// written is the total cost of the elements in the document, counting each once.
	written float64
	// width and height are in the drawing's own units.
	width, height float64
}

// A node is an element, or a text, which has no name.
type node struct {
	at       int // the position in the document where it begins
	name     string
	text     string
	children []*node
	attrs    map[string]string
	classes  map[string]bool
	// cascade contains the properties that the element's own attributes set.
	cascade cascade
	// sum is nil until it is computed.
	sum *sum
}

// readSVG inspects a drawing.
func readSVG(data []byte) *drawing {
	text, declared, problem, at := asUTF8(data)
	d := &drawing{text: text, base: declared, named: map[string]*node{}, rules: map[string]cascade{}, width: 300, height: 150}
	if bytes.Contains(text, []byte("<svg")) {
		d.recognise()
	}
	if problem != "" {
		d.fault(at, problem)
		return d
	}
	d.decoder = xml.NewDecoder(bytes.NewReader(text[declared:]))
	for !d.stopped && d.step() {
	}
	if d.root != nil {
		d.resolve(d.root)
		d.size()
		d.checkCost()
	}
	return d
}

func (d *drawing) recognise() { d.info.Type, d.info.Extension = "image/svg+xml", "svg" }

// step reads one token, and reports whether there was one.
func (d *drawing) step() bool {
	from := d.offset()
	token, err := d.decoder.Token()
	if err != nil {
		d.end(err)
		return false
	}
	switch t := token.(type) {
	case xml.StartElement:
		d.start(t, from)
	case xml.EndElement:
		d.close()
	case xml.CharData:
		d.characters(t, from)
	case xml.Directive:
		d.declareEntities(t)
	}
	return true
}

// offset returns the decoder's position in the text.
func (d *drawing) offset() int { return d.base + int(d.decoder.InputOffset()) }

// end reports why there is no further token.
func (d *drawing) end(err error) {
	if err == io.EOF && d.root != nil {
		return
	}
	text := err.Error()
	for _, known := range malformed {
		text = known.message.ReplaceAllString(text, known.text)
	}
	if d.info.Type == "" {
		text = noPicture(d.text)
	}
	d.fatal(min(d.offset(), len(d.text)), text)
}

// malformed rewords the messages of encoding/xml.
var malformed = []struct {
	message *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`^EOF$`), "there is no svg element: export the picture again"},
	{regexp.MustCompile(`^xml: .*`), "an XML declaration is allowed only at the very beginning: remove what is before it"},
	{regexp.MustCompile(`^.*: unexpected EOF$`), "the file ends before its elements do, so it was cut short: export or copy it again"},
	{regexp.MustCompile(`^.*: invalid character entity .*\(no semicolon\)$`), "in XML a & begins an entity, and here is none: write &amp; for the character"},
	{regexp.MustCompile(`^.*: invalid character entity (.*)$`), "XML does not know this entity ($1): write the character itself"},
	{regexp.MustCompile(`^XML syntax error .*?: (.*)$`), "this is not well-formed XML ($1): export the picture again"},
}

// fault reports a mistake at a position in the text.
func (d *drawing) fault(at int, text string) {
	d.note(func() int { return at }, Fault{Text: text})
}

// warn reports a warning. place is a function because finding the position is slow and
// often not needed.
func (d *drawing) warn(place func() int, text string) {
	d.note(place, Fault{Text: text, Warning: true})
}

// note adds a fault, unless parsing has stopped or there are enough warnings.
func (d *drawing) note(place func() int, f Fault) {
	if d.stopped || f.Warning && len(d.faults) >= maxFaults {
		return
	}
	if len(d.faults) >= maxFaults {
		d.stopped = true
		f.Text += fmt.Sprintf(" (only the first %d faults are listed)", maxFaults)
	}
	before := d.text[:place()]
	f.Line = 1 + bytes.Count(before, []byte("\n"))
	f.Column = 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	d.faults = append(d.faults, f)
}

// fatal reports a mistake and stops parsing.
func (d *drawing) fatal(at int, text string) {
	d.fault(at, text)
	d.stopped = true
}

func (d *drawing) start(t xml.StartElement, from int) {
	n := &node{at: from, name: t.Name.Local, attrs: map[string]string{}, cascade: cascade{}}
	if d.root == nil {
		d.begin(t.Name, n)
	}
	switch {
	case d.stopped:
		return
	case len(d.open) == 0 && n != d.root:
		d.fatal(from, "a second picture begins here: keep one svg element per file")
		return
	case len(d.open) == maxDepth:
		d.fatal(from, fmt.Sprintf("elements are nested more than %d levels deep: export the picture as plain SVG", maxDepth))
		return
	}
	if t.Name.Space == svgSpace {
		d.attributes(t, n)
		if d.published(n) && n != d.root {
			parent := d.open[len(d.open)-1]
			parent.children = append(parent.children, n)
		}
		if n.name == "style" && screenMedia[n.attrs["media"]] {
			d.sheet, d.css = n, nil
		}
	}
	d.open = append(d.open, n)
}

// begin checks the outermost element.
func (d *drawing) begin(name xml.Name, n *node) {
	if name.Local != "svg" {
		d.info = Info{}
		d.fatal(n.at, notOneOfFive+"it is an XML document of "+problem.Quoted(name.Local)+mendNotOneOfFive)
		return
	}
	d.recognise()
	if name.Space != svgSpace {
		d.fatal(n.at, `browsers do not show this as a picture: write xmlns="`+svgSpace+`" into the svg element`)
		return
	}
	d.root = n
}

// published reports whether an element is published.
func (d *drawing) published(n *node) bool {
	switch {
	case invisible[n.name], n.attrs["requiredExtensions"] != "":
		return false
	case !elements[n.name]:
		d.warn(func() int { return n.at }, "the element "+problem.Quoted(n.name)+" is not part of a static drawing and is left out, with everything in it: "+
			"remove it, or draw what it shows")
		return false
	}
	return len(d.open) == 0 || !labels[d.open[len(d.open)-1].name]
}

// attributes keeps the known attributes of an element.
func (d *drawing) attributes(t xml.StartElement, n *node) {
	for i, a := range t.Attr {
		prefix, known := prefixes[a.Name.Space]
		if !known {
			continue
		}
		name := prefix + a.Name.Local
		place := func() int {
			written := attributePattern.FindAllIndex(d.text[n.at:d.offset()], i+1)
			return n.at + written[len(written)-1][0]
		}
		switch {
		case name == "class":
			n.classes = words(a.Value)
		case name == "style":
			n.cascade.merge(d.readStyle(a.Value, true, func(string) int { return place() }), ownStyle)
		case name == "href", name == "xlink:href" && n.attrs["href"] == "":
			d.reference(n, a.Value, place)
		case properties[name] && d.plain(name, a.Value, place):
			n.cascade.merge(cascade{name: {value: a.Value}}, 0)
		case attributes[name]:
			n.attrs[name] = a.Value
		}
	}
}

// attributePattern matches one attribute of a well-formed tag.
var attributePattern = regexp.MustCompile(`[^\s"'/<>=]+\s*=\s*(?:"[^"]*"|'[^']*')`)

// close ends the innermost element.
func (d *drawing) close() {
	last := len(d.open) - 1
	if d.open[last] == d.sheet {
		d.readStyle(string(d.css), false, d.find)
	}
	d.open = d.open[:last]
}

// find returns the position of a piece of the style sheet in the document. If an entity
// hides the piece, it returns the last position found.
func (d *drawing) find(piece string) int {
	if at := bytes.Index(d.text[d.sheet.at:], []byte(piece)); at >= 0 {
		d.sheet.at += at
	}
	return d.sheet.at
}

func (d *drawing) characters(t xml.CharData, from int) {
	if len(d.open) == 0 {
		if len(bytes.TrimLeft(t, " \t\r\n")) > 0 {
			d.fatal(from, "there is text outside the svg element: remove it")
		}
		return
	}
	in := d.open[len(d.open)-1]
	switch {
	case in == d.sheet:
		d.css = append(d.css, t...)
	case textual[in.name]:
		in.children = append(in.children, &node{at: from, text: string(t)})
	}
}

// declareEntities stores the entities of a document type that stand for plain text. Drawing
// programs declare them for namespaces.
func (d *drawing) declareEntities(t xml.Directive) {
	uses := bytes.Count(d.text, []byte("&"))
	d.decoder.Entity = map[string]string{}
	for _, found := range entity.FindAllStringSubmatch(string(t), -1) {
		if value := found[2] + found[3]; len(value)*uses <= maxEntities {
			d.decoder.Entity[found[1]] = value
		}
	}
}
