package picture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"souk/build/problem"
)

// cssBlanks are the blanks of CSS (CSS Syntax 3, section 4.2).
const cssBlanks = " \t\r\n\f"

// longestLook is how many bytes of an address are read. The beginning tells
// everything, and to look for an end that never comes would take time that
// grows with the square of a hostile document.
const longestLook = 256

// A finding is what a style says that a picture should not. Fonts and files
// that it merely asks for are a warning: a picture that a page shows loads
// nothing, and drawing programs leave many such requests behind.
type finding struct {
	text    string
	warning bool
}

// scanCSS reports what reaches outside or runs in a style sheet, a style
// attribute or a presentation attribute, together with the place in css where
// it is, until report returns false.
//
// Comments and strings are searched like everything else: to leave them out
// one would have to end them exactly where every browser does, and a drawing
// has no need to speak of addresses in a comment.
func scanCSS(css string, report func(at int, f finding) bool) {
	if !strings.ContainsAny(css, `(\@`) {
		return
	}
	plain := plainCSS(css)
	exact := !strings.Contains(css, `\`) // otherwise places in plain are not those in css
	for at := 0; ; at++ {
		next := strings.IndexAny(plain[at:], "(@")
		if next < 0 {
			return
		}
		at += next
		f, start, end := cssFault(plain, at)
		if !exact {
			start = 0
		}
		if f.text != "" && !report(start, f) {
			return
		}
		at = end
	}
}

// cssFault judges the parenthesis or at sign at a place in plain. It returns
// a finding or nothing, where the fault starts, and the last place
// that need not be looked at again.
func cssFault(plain string, at int) (f finding, start, end int) {
	before, after := plain[:at], plain[at+1:]
	switch {
	case plain[at] == '@':
		rest, found := strings.CutPrefix(after, "import")
		if !found {
			return finding{}, at, at
		}
		end = at
		if rest, found = strings.CutPrefix(strings.TrimLeft(rest, cssBlanks), "url("); found {
			end = len(plain) - len(rest) - 1 // its address is part of the same fault
		}
		return finding{"@import fetches a style sheet from elsewhere, and is left out when the picture is published: " +
			"remove it, and turn text in a special font into paths", true}, at, end
	case strings.HasSuffix(before, "url"):
		target, ok := cssTarget(after)
		if ok {
			return finding{}, at, at
		}
		nearby := !strings.Contains(target, ":") && !strings.HasPrefix(target, "//") && !strings.ContainsAny(target, "\\\uFFFD")
		return finding{"url(" + problem.Quoted(target) + ") leads outside the picture: " + cssMending(target), nearby}, at - len("url"), at
	case strings.HasSuffix(before, "expression"):
		return finding{text: "expression() runs a script: remove it"}, at - len("expression"), at
	case fetches(before):
		return finding{text: "image(), image-set() and src() may fetch from elsewhere: " +
			"use url() with a fragment or an embedded picture"}, at, at
	}
	return finding{}, at, at
}

// fetches reports whether before ends with the name of a function that takes
// addresses as bare strings (CSS Images 4, section 2; CSS Values 5, section 5).
func fetches(before string) bool {
	if strings.HasSuffix(before, "image-set") {
		return true
	}
	for _, name := range []string{"image", "src"} {
		if rest, found := strings.CutSuffix(before, name); found {
			last, _ := utf8.DecodeLastRuneInString(rest)
			// U+FFFD is the place of an escape that may have ended a name.
			return rest == "" || last == utf8.RuneError || !isNameRune(last)
		}
	}
	return false
}

func isNameRune(r rune) bool {
	return r == '-' || r == '_' || r >= utf8.RuneSelf || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// cssTarget returns what url( refers to, given what follows it, and whether
// that may be published.
func cssTarget(after string) (target string, ok bool) {
	target = strings.TrimLeft(after, cssBlanks)
	end := ")"
	if target != "" && (target[0] == '"' || target[0] == '\'') {
		end, target = target[:1], strings.TrimLeft(target[1:], cssBlanks)
	}
	target, _, _ = strings.Cut(target[:min(len(target), longestLook)], end)
	target = strings.TrimRight(target, cssBlanks)
	return target, selfContained(target)
}

func cssMending(target string) string {
	if strings.HasPrefix(target, "data:font") || strings.HasPrefix(target, "data:application") {
		return "turn text in a special font into paths, and remove the font"
	}
	return "remove it, or refer to an element of the same picture (#name)"
}

// plainCSS writes css in small letters and resolves the escapes of letters,
// digits, hyphen and underscore (CSS Syntax 3, section 4.3.7), with which a
// name such as url can be disguised. An escape of any other sign takes away its
// meaning and becomes U+FFFD. Without escapes the length stays the same.
func plainCSS(css string) string {
	if !strings.Contains(css, `\`) {
		return lower(css)
	}
	var b strings.Builder
	b.Grow(len(css))
	for i := 0; i < len(css); {
		if css[i] != '\\' {
			b.WriteByte(lowerByte(css[i]))
			i++
			continue
		}
		r, size := cssEscape(css[i+1:])
		if r < utf8.RuneSelf && isNameRune(r) {
			b.WriteByte(lowerByte(byte(r)))
		} else {
			b.WriteRune(utf8.RuneError)
		}
		i += 1 + size
	}
	return b.String()
}

// cssEscape reads what follows a backslash: up to six hexadecimal digits and
// one blank, or a single character that means itself.
func cssEscape(s string) (r rune, size int) {
	for size < len(s) && size < 6 {
		digit := strings.IndexByte("0123456789abcdef", lowerByte(s[size]))
		if digit < 0 {
			break
		}
		r = r<<4 | rune(digit)
		size++
	}
	if size == 0 {
		return utf8.DecodeRuneInString(s)
	}
	if strings.HasPrefix(s[size:], "\r\n") {
		return r, size + 2
	}
	if size < len(s) && (isBlank(s[size]) || s[size] == '\f') {
		size++
	}
	return r, size
}

// lower writes ASCII letters small and keeps all else, and so the length,
// which strings.ToLower does not promise.
func lower(s string) string {
	for i := range len(s) {
		if lowerByte(s[i]) != s[i] {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				b[j] = lowerByte(b[j])
			}
			return string(b)
		}
	}
	return s
}

func lowerByte(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
