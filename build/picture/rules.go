package picture

import (
	"strings"
	"unicode"

	"souk/build/problem"
)

const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

// livingSpaces are namespaces whose elements do something wherever they are,
// with the name to call them by.
var livingSpaces = map[string]string{
	"http://www.w3.org/1999/xhtml":                                  "HTML",
	"http://www.w3.org/1998/Math/MathML":                            "MathML",
	"http://www.w3.org/1999/XSL/Transform":                          "XSLT",
	"http://www.w3.org/2001/XInclude":                               "XInclude",
	"http://www.w3.org/2001/xml-events":                             "XML Events",
	"http://www.mozilla.org/xbl":                                    "XBL",
	"http://www.mozilla.org/keymaster/gatekeeper/there.is.only.xul": "XUL",
}

// livingElements are the elements, in small letters, that run something or
// show something other than a drawing.
var livingElements = map[string]string{
	"script":        "runs a script",
	"handler":       "runs a script",
	"listener":      "runs a script",
	"foreignobject": "shows a piece of a web page",
	"iframe":        "shows another page",
	"embed":         "shows another document",
	"object":        "shows another document",
	"audio":         "plays sound from elsewhere",
	"video":         "plays a video from elsewhere",
}

// elementFault judges an element by its name alone. Names count in the SVG
// namespace, and without a prefix in any: a drawing has no reason to use them
// for anything else.
func elementFault(space, prefix, local string) string {
	if language, living := livingSpaces[space]; living {
		return "the element " + problem.Quoted(local) + " belongs to " + language + ", not to a drawing: remove it"
	}
	if space != svgSpace && prefix != "" {
		return ""
	}
	if what, living := livingElements[lower(local)]; living {
		return "the element " + problem.Quoted(local) + " " + what + ": remove it"
	}
	return ""
}

// isReference reports whether an attribute holds an address to follow or fetch.
// The usual prefix of XLink counts even if it is declared to mean something
// else, since simple programs know the attribute by its prefix.
func isReference(space, prefix, local string) bool {
	switch lower(local) {
	case "href":
		return space == "" || space == xlinkSpace || space == svgSpace || prefix == "xlink"
	case "src", "ping":
		return space == ""
	case "base":
		return space == xmlSpace
	}
	return false
}

// referenceFault judges the address in the attribute name of an element.
func referenceFault(element, name, address string) string {
	address = strings.Trim(address, " \t\r\n")
	if selfContained(address) {
		return ""
	}
	scheme := strings.ToLower(strip(address))
	switch {
	case strings.HasPrefix(scheme, "javascript:"), strings.HasPrefix(scheme, "vbscript:"):
		return name + "=" + problem.Quoted(address) + " runs a script: remove it"
	case strings.HasPrefix(scheme, "data:"):
		return name + "=" + problem.Quoted(address) + " embeds something other than a PNG, JPEG, GIF or WebP picture: " +
			"embed one of these, or draw it as part of this picture"
	case element == "a":
		return name + "=" + problem.Quoted(address) + " makes the picture a link to elsewhere: remove the link"
	}
	return name + "=" + problem.Quoted(address) + " leads outside the picture: " +
		"embed what it refers to, or remove it"
}

// selfContained reports whether an address without blanks around it stays within
// the picture. The empty address is the picture itself.
func selfContained(address string) bool {
	if address == "" || address[0] == '#' {
		return true
	}
	const head = "data:image/"
	if len(address) < len(head) || lower(address[:len(head)]) != head {
		return false
	}
	end := strings.IndexAny(address, ";,")
	if end < 0 {
		return false
	}
	switch lower(address[len(head):end]) {
	case "png", "jpeg", "gif", "webp", "jpg": // image/jpg is a common slip for image/jpeg
		return true
	}
	return false
}

// isAnimation reports whether an element sets attributes as time goes by.
func isAnimation(local string) bool {
	local = lower(local)
	return local == "set" || strings.HasPrefix(local, "animate")
}

// animationFault judges an attribute of an animation, which can give another
// element what the rules deny to it.
func animationFault(name, value string) string {
	switch lower(name) {
	case "attributename":
		target := strings.ToLower(strip(value))
		target = target[strings.LastIndexByte(target, ':')+1:]
		switch {
		case isHandler(target):
			return "the animation sets the event handler " + problem.Quoted(value) + ", which runs a script: remove it"
		case target == "href", target == "src", target == "ping", target == "base":
			return "the animation changes the address in " + problem.Quoted(value) + ": remove it"
		}
	case "from", "to", "by", "values":
		plain := strings.ToLower(strip(value))
		if strings.Contains(plain, "javascript:") || strings.Contains(plain, "vbscript:") {
			return "the animation sets the script " + problem.Quoted(value) + ": remove it"
		}
	}
	return ""
}

// isHandler reports whether an attribute without a prefix is an event handler.
// No other attribute of SVG begins with on.
func isHandler(local string) bool { return strings.HasPrefix(lower(local), "on") }

// mayHoldCSS reports whether an attribute without a prefix can be a presentation
// attribute. All can that are not known to hold free text, so that new
// properties of CSS need no mention here.
func mayHoldCSS(local string) bool {
	switch local {
	case "id", "class":
		return false
	}
	return !strings.HasPrefix(local, "data-") && !strings.HasPrefix(local, "aria-")
}

// strip removes blanks and control characters, which browsers overlook in an
// address.
func strip(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}
