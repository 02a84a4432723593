package theme

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// A reference is a url() of a style sheet: text[From:To] is what stands between the
// brackets, and File what it names.
type reference struct {
	From, To int
	File     string
}

// addressed are functions of CSS that take addresses as mere text, which would have
// to be told from other text.
var addressed = map[string]bool{"image-set": true, "-webkit-image-set": true, "src": true, "image": true}

// A token is a piece of a style sheet that is neither in a comment nor in a string:
// text[from:to] is a name, a whole url(), or one character, with what a backslash stands
// before. The name is in small letters; called is whether a bracket follows.
type token struct {
	from, to int
	name     string
	called   bool
}

// tokens returns the tokens of a style sheet, as CSS Syntax Level 3 cuts it.
func tokens(text string) iter.Seq[token] {
	return func(yield func(token) bool) {
		for at := 0; at < len(text); {
			t := token{from: at, to: at + 1}
			switch c := text[at]; {
			case strings.HasPrefix(text[at:], "/*"):
				at = after(text, at+2, "*/")
				continue
			case c == '"' || c == '\'':
				at = endOfString(text, at)
				continue
			case c == '\\':
				t.to++
			case c == '@' || nameByte(c):
				for t.to < len(text) && nameByte(text[t.to]) {
					t.to++
				}
				t.name = strings.ToLower(text[at:t.to])
				if t.called = strings.HasPrefix(text[t.to:], "("); t.called && t.name == "url" {
					t.to = endOfURL(text, t.to+1)
				}
			}
			if !yield(t) {
				return
			}
			at = t.to
		}
	}
}

// references returns the files that a style sheet names by url(), and what of it
// would lead elsewhere: pages load nothing from other sites, by their policy or by
// ours.
func references(text string) (all []reference, faults []Fault) {
	wrong := func(at int, what, meant string) {
		line, column := position(text, at)
		faults = append(faults, Fault{Line: line, Column: column, Text: what, Meant: meant})
	}
	for t := range tokens(text) {
		switch {
		case text[t.from] == '\\':
			wrong(t.from, "a name is written with a backslash", "write the character itself")
		case t.name == "@import":
			wrong(t.from, "@import loads another style sheet", "copy it into "+StyleFile)
		case t.called && addressed[t.name]:
			wrong(t.from, t.name+"() is not read", "write url() instead")
		case t.called && t.name == "url":
			from := t.from + len("url(")
			r, what, meant := target(text, from, t.to)
			if what != "" {
				wrong(from, what, meant)
			} else if r.File != "" {
				all = append(all, r)
			}
		}
	}
	return all, faults
}

// unbalanced returns a warning for the first brace of a style sheet that has no other: a
// rule that is never closed takes all that follow into itself.
func unbalanced(text string) []Fault {
	warn := func(at int, what, meant string) []Fault {
		line, column := position(text, at)
		return []Fault{{Line: line, Column: column, Text: what, Meant: meant, Warning: true}}
	}
	var open []int
	for t := range tokens(text) {
		switch c := text[t.from]; {
		case c == '{':
			open = append(open, t.from)
		case c == '}' && len(open) == 0:
			return warn(t.from, "no { belongs to this }, so that browsers skip the rule that follows", "remove it")
		case c == '}':
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return nil
	}
	return warn(open[0], "this { is not closed, so that all rules that follow are within it", "close it with }")
}

// target returns the reference of what stands between the brackets of a url(), and
// what is wrong with it. What stays in the page is neither.
func target(text string, from, to int) (r reference, what, meant string) {
	address := strings.TrimSpace(text[from:to])
	if n := len(address); n > 1 && (address[0] == '"' || address[0] == '\'') && address[n-1] == address[0] {
		address = address[1 : n-1]
	}
	low := strings.ToLower(address)
	switch {
	case strings.ContainsAny(address, `\"'`):
		return r, "the address is written with quotes or backslashes", "write it plainly, as in url(paper.png)"
	case strings.HasPrefix(low, "#"), strings.HasPrefix(low, "data:image/"):
		return r, "", ""
	case address == "", strings.Contains(low, ":"), strings.HasPrefix(low, "/"), strings.Contains(low, "//"):
		return r, "url(" + address + ") leads out of the theme", "put the file beside " + StyleFile + " and name it from there on: pages load nothing from other sites"
	}
	return reference{from, to, strings.TrimPrefix(address, "./")}, "", ""
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= utf8.RuneSelf
}

// after returns the place behind the next end, or that of the whole text.
func after(text string, at int, end string) int {
	if at > len(text) {
		return len(text)
	}
	if i := strings.Index(text[at:], end); i >= 0 {
		return at + i + len(end)
	}
	return len(text)
}

// endOfString returns the place behind a string that begins at a place. A line that
// ends ends it, too.
func endOfString(text string, at int) int {
	quote := text[at]
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case quote, '\n':
			return at + 1
		}
	}
	return len(text)
}

// endOfURL returns the place of the bracket that ends a url().
func endOfURL(text string, at int) int {
	for at < len(text) && text[at] != ')' {
		if text[at] == '"' || text[at] == '\'' {
			at = endOfString(text, at)
		} else {
			at++
		}
	}
	return min(at, len(text))
}

// position returns the line and the column of a place, in characters from 1.
func position(text string, at int) (line, column int) {
	at = min(at, len(text))
	before := text[:at]
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
