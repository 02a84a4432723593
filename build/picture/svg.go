package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"souk/build/problem"
)

const (
	// maxFaults ends the reading: nobody mends a hundredth fault by hand.
	maxFaults = 20
	// maxBindings bounds the search for a namespace, which would otherwise
	// grow with the square of a hostile document.
	maxBindings = 256
)

// drawing reads an SVG document from end to end.
//
// It takes raw tokens and resolves namespaces itself, because the translated
// tokens of encoding/xml do not tell an unknown prefix from a namespace. What
// encoding/xml lets pass although it is not well-formed is checked here too: a
// browser that stops at such a place would show no picture.
type drawing struct {
	text    []byte // the document in UTF-8
	base    int    // where in text the decoder began
	decoder *xml.Decoder
	info    Info
	faults  []Fault
	stopped bool

	open     []element
	bindings []binding
	rooted   bool // the root has begun
	rootAt   int
	typed    bool // a document type was seen

	style   styleText
	repeats repeats
	cuts    []cut
	hidden  hiddenElement
}

// element is an open element: its name as written, and how many bindings were
// in force outside it.
type element struct {
	prefix, local string
	bindings      int
}

// binding is a namespace declaration.
type binding struct{ prefix, space string }

// styleText gathers the content of a style element, which may be spread over
// several pieces by comments and CDATA sections.
type styleText struct {
	depth  int // how many elements are open within and including it; 0 outside
	from   int // where its content begins in the document
	text   []byte
	pieces []stylePiece
}

// stylePiece is where a piece of a style sheet begins in the sheet and in the
// document, and whether it is in both letter by letter.
type stylePiece struct {
	inSheet, inDocument int
	exact               bool
}

// place turns a place in the sheet into one in the document.
func (s *styleText) place(at int) int {
	for i := len(s.pieces) - 1; i >= 0; i-- {
		switch p := s.pieces[i]; {
		case p.inSheet > at:
		case p.exact:
			return p.inDocument + at - p.inSheet
		default:
			return p.inDocument
		}
	}
	return 0
}

// readSVG inspects a drawing, and finds what is left out when it is published.
func readSVG(data []byte) *drawing {
	text, declared, problem, at := asUTF8(data)
	d := &drawing{text: text, base: declared}
	d.cut(0, declared, "")
	if bytes.Contains(text, []byte("<svg")) {
		d.recognise()
	}
	if problem != "" {
		d.fault(at, problem)
		return d
	}
	d.decoder = xml.NewDecoder(bytes.NewReader(text[declared:]))
	for !d.stopped {
		d.step()
	}
	return d
}

func (d *drawing) recognise() { d.info.Type, d.info.Extension = "image/svg+xml", "svg" }

// step reads one token.
func (d *drawing) step() {
	from := d.offset()
	token, err := d.decoder.RawToken()
	if err != nil {
		d.end(err)
		return
	}
	switch t := token.(type) {
	case xml.StartElement:
		d.start(t, from)
	case xml.EndElement:
		d.close(t, from)
	case xml.CharData:
		d.characters(t, from)
	case xml.Comment:
		d.cut(from, d.offset(), "")
	case xml.ProcInst:
		d.instruction(t, from)
		d.cut(from, d.offset(), "")
	case xml.Directive:
		d.directive(string(t), from)
		d.cut(from, d.offset(), "")
	}
}

// offset is the place in the text that the decoder has reached.
func (d *drawing) offset() int { return d.base + int(d.decoder.InputOffset()) }

// end judges why there is no further token.
func (d *drawing) end(err error) {
	at := min(d.offset(), len(d.text))
	var syntax *xml.SyntaxError
	switch {
	case d.info.Type == "":
		d.fault(at, noPicture(d.text))
	case errors.Is(err, io.EOF) && !d.rooted:
		d.fault(at, "there is no svg element: export the picture again")
	case errors.Is(err, io.EOF) && len(d.open) > 0:
		d.fault(at, "the file ends before the element "+problem.Quoted(d.open[len(d.open)-1].local)+
			" does, so it was cut short: export or copy it again")
	case errors.Is(err, io.EOF):
		if d.repeats.excess() {
			d.fault(d.rootAt, "its elements show each other so often that a browser stands still: "+
				"use fewer uses, patterns, masks and markers in each other")
		}
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "invalid character entity") && strings.HasSuffix(syntax.Msg, "(no semicolon)"):
		d.fault(at, "in XML a & begins an entity, and here is none: write &amp; for the character")
	case errors.As(err, &syntax) && strings.HasPrefix(syntax.Msg, "invalid character entity"):
		d.fault(at, "XML does not know this entity ("+syntax.Msg+"): write the character itself")
	case errors.As(err, &syntax):
		d.fault(at, "this is not well-formed XML ("+syntax.Msg+"): export the picture again")
	default: // the decoder met a second declaration and dislikes what it says
		d.fault(at, misplacedDeclaration)
	}
	d.stopped = true
}

const misplacedDeclaration = "an XML declaration is allowed only at the very beginning: remove what is before it"

// fault notes a fault at a place in the text, unless the reading has stopped.
func (d *drawing) fault(at int, text string) { d.note(at, finding{text: text}) }

// note notes what was found at a place of the document.
func (d *drawing) note(at int, f finding) {
	switch {
	case d.stopped:
		return
	case len(d.faults) == maxFaults:
		d.stopped, f.warning = true, false
		f.text = fmt.Sprintf("there are more than %d faults, and this one and the rest are not listed: "+
			"export the picture as plain SVG", maxFaults)
	}
	before := d.text[:at]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	d.faults = append(d.faults, Fault{
		Line:    1 + bytes.Count(before, []byte("\n")),
		Column:  1 + utf8.RuneCount(before[lineStart:]),
		Text:    f.text,
		Warning: f.warning,
	})
}

// fatal notes a fault after which the rest cannot be understood.
func (d *drawing) fatal(at int, text string) {
	d.fault(at, text)
	d.stopped = true
}

func (d *drawing) start(t xml.StartElement, from int) {
	tag := d.text[from:d.offset()]
	outside := len(d.bindings)
	d.bind(t.Attr)
	if len(d.bindings) > maxBindings {
		d.fatal(from, "there are too many namespace declarations: export the picture as plain SVG")
		return
	}
	if d.checkForm(t, tag, from); d.stopped {
		return
	}
	space, bound := d.resolve(t.Name.Space)
	if !bound {
		d.fatal(from, "the namespace prefix "+problem.Quoted(t.Name.Space)+" is not declared: "+
			"declare it, or remove the elements that use it")
		return
	}
	if len(d.open) == 0 {
		if d.root(t, space, from); d.stopped {
			return
		}
	}
	d.open = append(d.open, element{t.Name.Space, t.Name.Local, outside})
	if text := elementFault(space, t.Name.Space, t.Name.Local); text != "" {
		d.fault(from, text)
	}
	switch {
	case d.style.depth > 0:
		d.style.depth++
		d.fault(from, "the element "+problem.Quoted(t.Name.Local)+" is within a style element, which holds only text: remove it")
	case lower(t.Name.Local) == "style":
		d.style = styleText{depth: 1, from: d.offset(), text: d.style.text[:0], pieces: d.style.pieces[:0]}
	}
	d.hide(space, t.Name.Local, from)
	d.repeats.begin(t)
	end := nameEnd(tag)
	for i := 0; i < len(t.Attr) && !d.stopped; i++ {
		start, next := nextAttribute(tag, end)
		d.attribute(t, i, written{from + end, from + start, from + next})
		end = next
	}
}

// root judges the outermost element.
func (d *drawing) root(t xml.StartElement, space string, from int) {
	if d.rooted {
		d.fatal(from, "a second picture begins here: keep one svg element per file")
		return
	}
	d.rooted, d.rootAt = true, from
	if t.Name.Local != "svg" {
		d.info = Info{}
		d.fatal(from, notOneOfFive+"it is an XML document of "+problem.Quoted(t.Name.Local)+mendNotOneOfFive)
		return
	}
	d.recognise()
	if space != svgSpace {
		d.fault(from, `browsers do not show this as a picture: write xmlns="`+svgSpace+`" into the svg element`)
	}
	var text string
	if d.info.Width, d.info.Height, text = drawingSize(t.Attr); text != "" {
		d.fault(from, text)
	}
}

func (d *drawing) close(t xml.EndElement, from int) {
	if len(d.open) == 0 {
		d.fatal(from, "the end of the element "+problem.Quoted(t.Name.Local)+" has no beginning: export the picture again")
		return
	}
	last := d.open[len(d.open)-1]
	if last.local != t.Name.Local || last.prefix != t.Name.Space {
		d.fatal(from, fmt.Sprintf("the element %s ends here, but %s is still open: export the picture again",
			problem.Quoted(t.Name.Local), problem.Quoted(last.local)))
		return
	}
	d.open = d.open[:len(d.open)-1]
	d.bindings = d.bindings[:last.bindings]
	d.repeats.end()
	if d.style.depth > 0 {
		if d.style.depth--; d.style.depth == 0 {
			d.endStyle(from)
		}
	}
	d.unhide()
}

// endStyle judges and cleans the content of a style element, which ends at a
// place.
func (d *drawing) endStyle(end int) {
	css, faults := string(d.style.text), len(d.faults)
	d.repeats.sheet(css)
	scanCSS(css, func(at int, f finding) bool {
		d.note(d.style.place(at), f)
		return !d.stopped
	})
	clean, text := cleanCSS(css)
	if text != "" && len(d.faults) == faults {
		d.fault(d.style.from, text)
	}
	if clean == css {
		return
	}
	for len(d.cuts) > 0 && d.cuts[len(d.cuts)-1].start >= d.style.from {
		d.cuts = d.cuts[:len(d.cuts)-1] // comments within it
	}
	d.cut(d.style.from, end, elementText.Replace(clean))
}

func (d *drawing) characters(t xml.CharData, from int) {
	if len(d.open) == 0 {
		if blank := len(t) - len(bytes.TrimLeft(t, " \t\r\n")); blank < len(t) {
			d.fatal(from, "there is text outside the svg element: remove it")
		}
		return
	}
	if d.style.depth == 0 {
		return
	}
	const sectionStart = "<![CDATA["
	piece := stylePiece{inSheet: len(d.style.text), inDocument: from}
	if bytes.HasPrefix(d.text[from:], []byte(sectionStart)) {
		piece.inDocument += len(sectionStart)
	}
	piece.exact = bytes.HasPrefix(d.text[piece.inDocument:], t)
	d.style.pieces = append(d.style.pieces, piece)
	d.style.text = append(d.style.text, t...)
}

func (d *drawing) instruction(t xml.ProcInst, from int) {
	switch lower(t.Target) {
	case "xml":
		d.fatal(from, misplacedDeclaration)
	case "xml-stylesheet":
		d.fault(from, "xml-stylesheet fetches a style sheet or runs a transformation: remove it")
	}
}

func (d *drawing) directive(text string, from int) {
	switch {
	case d.rooted || d.typed || !strings.HasPrefix(text, "DOCTYPE"):
		d.fatal(from, "this is not well-formed XML (a declaration out of place): remove it")
	case strings.Contains(text, "["):
		d.fatal(from, "the document type declares entities or the like, which can hide anything: "+
			"export the picture as plain SVG, or remove the DOCTYPE")
	case !plainDoctype.MatchString(text):
		d.fault(from, "the document type is not that of a drawing: remove the DOCTYPE")
	}
	d.typed = true
}
