package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

const mailto = "mailto:"

// decode resolves the escapes and entities of a destination or a text in one pass, so that
// the result of an escape is not read as an entity.
func decode(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]) {
			b.WriteByte(s[i+1])
			i += 2
			continue
		}
		if s[i] == '&' {
			if n, value := entity(s[i:]); n > 0 {
				b.WriteString(value)
				i += n
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// decodeAutolink returns the destination of an autolink, which contains no escapes. Without
// a scheme it can only be an e-mail address.
func decodeAutolink(s string) string {
	if isURI(s) {
		return s
	}
	return mailto + s
}

// isURI reports whether s can be between the angle brackets of an autolink.
func isURI(s string) bool { return util.FindURLIndex([]byte(s)) == len(s) && s != "" }

// entity reads the character reference at the start of s and returns its length and value;
// the length is 0 if there is none.
func entity(s string) (int, string) {
	// The longest name has 31 letters; searching further would take quadratic time.
	end := strings.IndexByte(s[:min(len(s), 34)], ';')
	if end < 2 {
		return 0, ""
	}
	name := s[1:end]
	if name[0] != '#' {
		if e, ok := util.LookUpHTML5EntityByName(name); ok {
			return end + 1, string(e.Characters)
		}
		return 0, ""
	}
	digits, base, most := name[1:], rune(10), 7
	if digits != "" && (digits[0] == 'x' || digits[0] == 'X') {
		digits, base, most = digits[1:], 16, 6
	}
	if digits == "" || len(digits) > most {
		return 0, ""
	}
	var r rune
	for i := range len(digits) {
		d := strings.IndexByte("0123456789abcdef", digits[i]|0x20)
		if d < 0 || rune(d) >= base {
			return 0, ""
		}
		r = r*base + rune(d)
	}
	if r == 0 || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return end + 1, string(r)
}

// encode writes a destination so that it is read unchanged. The rules differ for
// destinations that are in angle brackets or need them.
func encode(b *strings.Builder, destination string, angled bool) {
	wrap := !angled && !canBeBare(destination)
	if wrap {
		b.WriteByte('<')
	}
	writeEscaped(b, destination)
	if wrap {
		b.WriteByte('>')
	}
}

// encodeFirst writes a destination at the start of a line, where it could be read as the
// start of a block: "<p>" as HTML, "-" as a list.
func encodeFirst(b *strings.Builder, destination string, angled bool) {
	bare := !angled && canBeBare(destination)
	first := byte(0)
	if destination != "" {
		first = destination[0]
	}
	letter := first|0x20 >= 'a' && first|0x20 <= 'z'
	switch {
	case first == 0 || first >= utf8.RuneSelf || letter && (bare || isURI(destination)) || bare && first == '/':
		encode(b, destination, angled)
		return
	case !bare && !angled:
		b.WriteByte('<')
		defer b.WriteByte('>')
	}
	if util.IsPunct(first) {
		b.WriteByte('\\')
		b.WriteByte(first)
	} else {
		fmt.Fprintf(b, "&#%d;", first)
	}
	writeEscaped(b, destination[1:])
}

func writeEscaped(b *strings.Builder, destination string) {
	for i := range len(destination) {
		c := destination[i]
		switch {
		case c == '\n':
			b.WriteString("&#10;")
			continue
		case c == '\r':
			b.WriteString("&#13;")
			continue
		case c == '<' || c == '>',
			c == '\\' && (i+1 == len(destination) || escapable(destination[i+1])):
			b.WriteByte('\\')
		case c == '&':
			if n, _ := entity(destination[i:]); n > 0 {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(c)
	}
}

// escapable reports whether a backslash before c would be read as an escape. Line ends
// count because they are written as entities.
func escapable(c byte) bool { return c == '\n' || c == '\r' || util.IsPunct(c) }

// canBeBare reports whether a destination needs no angle brackets.
func canBeBare(destination string) bool {
	depth := 0
	for i := range len(destination) {
		switch c := destination[i]; {
		case c <= ' ' || c == 0x7f || c == '<' || c == '>':
			return false
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0 && destination != ""
}

// escapeText writes s as plain text.
func escapeText(b *strings.Builder, s string) {
	for i := range len(s) {
		if util.IsPunct(s[i]) {
			b.WriteByte('\\')
		}
		if s[i] == '\n' || s[i] == '\r' {
			b.WriteByte(' ')
			continue
		}
		b.WriteByte(s[i])
	}
}

// plainText returns the text of a picture or heading as CommonMark would put it into alt.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	writePlain(&b, n, source, true, maxAltDepth)
	return b.String()
}

// maxAltDepth limits what is read for an Alt: nested pictures each contain the text of all
// within, which would take quadratic time.
const maxAltDepth = 32

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ")

func writePlain(b *strings.Builder, parent ast.Node, source []byte, escapes bool, depth int) {
	if depth == 0 {
		return
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			s := string(n.Segment.Value(source))
			if escapes {
				s = decode(s)
			} else {
				s = lineEnds.Replace(s)
			}
			b.WriteString(s)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.Write(n.Label(source))
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			b.Write(n.Lines().Value(source))
		default:
			writePlain(b, n, source, escapes && n.Kind() != ast.KindCodeSpan, depth-1)
		}
		if n.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
	}
}
