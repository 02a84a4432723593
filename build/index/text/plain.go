package text

import (
	"html"
	"strings"
	"unicode/utf8"
)

// Plain returns what a reader of Markdown reads, on one line: without marks,
// pictures and addresses. It is for passages and not a parser: where a text is
// ambiguous, words stay.
func Plain(source string) string { return plainPart(source, 0, len(source)) }

// plainPart is Plain of a part.
func plainPart(source string, from, to int) string {
	source = source[:to]
	p := plain{source: source, at: from, out: make([]byte, 0, to-from)}
	for p.at < len(source) {
		if p.at == 0 || source[p.at-1] == '\n' {
			p.line()
			if p.at == len(source) {
				break
			}
		}
		from := p.at
		for p.at < len(source) && p.ordinary(from) {
			p.at++
		}
		if p.at > from {
			p.write(source[from:p.at])
			continue
		}
		p.mark(source[p.at])
	}
	return strings.TrimRight(string(p.out), " ")
}

// marks are the characters that may be more than themselves.
var marks = func() (set [256]bool) {
	for _, c := range "\n\r\t\v\f *_`~\\![]<&h|" {
		set[c] = true
	}
	return set
}()

type plain struct {
	source string
	at     int
	out    []byte
}

// ordinary reports whether the character here is no more than itself; a text that
// is copied from there on is.
func (p *plain) ordinary(from int) bool {
	switch c := p.source[p.at]; {
	case !marks[c]:
		return true
	case c == ' ':
		return p.at > from && p.source[p.at-1] != ' '
	case c == 'h':
		return !strings.HasPrefix(p.source[p.at:], "http")
	default:
		return false
	}
}

func (p *plain) write(words string) { p.out = append(p.out, words...) }

func (p *plain) space() {
	if n := len(p.out); n > 0 && p.out[n-1] != ' ' {
		p.out = append(p.out, ' ')
	}
}

// line skips what a line begins with if that is no text, or the whole line.
func (p *plain) line() {
	rest := p.source[p.at:]
	end := strings.IndexByte(rest, '\n')
	if end < 0 {
		end = len(rest)
	}
	line := strings.TrimLeft(rest[:end], " \t>")
	skip := end - len(line)
	switch {
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"), strings.Trim(line, "-=*_|: \t\r") == "",
		strings.HasPrefix(line, "[") && strings.Contains(line, "]:"):
		skip = end
	case strings.HasPrefix(line, "#"):
		skip += len(line) - len(strings.TrimLeft(line, "#"))
	case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "* "), strings.HasPrefix(line, "+ "):
		skip += 2
	default:
		// The number of a list.
		if n := len(line) - len(strings.TrimLeft(line, "0123456789")); n > 0 && n < 4 && strings.HasPrefix(line[n:], ". ") {
			skip += n + 2
		}
	}
	p.at += skip
}

// mark reads from a character that may be more than itself.
func (p *plain) mark(c byte) {
	rest := p.source[p.at:]
	next := byte(' ')
	if len(rest) > 1 {
		next = rest[1]
	}
	n := 1
	switch {
	case c == '!' && next == '[':
		n = linkEnd(rest, 1+closing(rest[1:]))
	case c == '[':
	case c == ']':
		n = linkEnd(rest, 0)
	case c == '\\' && next < utf8.RuneSelf && !IsWordRune(rune(next)) && next > ' ':
		p.write(rest[1:2])
		n = 2
	case c == '`', c == '~' && next == '~':
	case c == '~' && strings.HasSuffix(p.source[:p.at], "~"):
	case (c == '*' || c == '_') && p.emphasises(next):
	case c == '<' && isAddress(rest):
		n = strings.IndexByte(rest, '>') + 1
	case c == 'h' && (strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://")):
		if n = strings.IndexAny(rest, " \t\n)>\""); n < 0 {
			n = len(rest)
		}
	case c == '&':
		n = p.entity(rest)
	case c == ' ' || c == '|' || c < ' ':
		p.space()
	default:
		p.write(rest[:1])
	}
	p.at += n
}

// emphasises reports whether a star or an underscore here is a mark: not alone
// between spaces, and an underscore not within a word.
func (p *plain) emphasises(next byte) bool {
	before := byte(' ')
	if p.at > 0 {
		before = p.source[p.at-1]
	}
	if p.source[p.at] == '_' && IsWordRune(rune(before)) && IsWordRune(rune(next)) {
		return false
	}
	return before > ' ' || next > ' '
}

// closing returns the end of what brackets enclose at the start of a text, or 1.
func closing(rest string) int {
	depth := 0
	for i := range len(rest) {
		switch rest[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '\n':
			return 1
		}
	}
	return 1
}

// linkEnd returns the end of the target of a link whose text ends with the bracket
// before from, or at the start of rest if from is 0.
func linkEnd(rest string, from int) int {
	from = max(from, 1)
	if from < len(rest) && rest[from-1] == ']' {
		switch rest[from] {
		case '(':
			if end := strings.IndexAny(rest[from:], ")\n"); end > 0 {
				return from + end + 1
			}
		case '[':
			return from + closing(rest[from:])
		}
	}
	return from
}

func isAddress(rest string) bool {
	end := strings.IndexAny(rest, "> \n")
	return end > 0 && rest[end] == '>' && strings.ContainsAny(rest[:end], ":@")
}

// entity writes the character that an entity stands for, and returns its length.
func (p *plain) entity(rest string) int {
	const longest = 10
	end := strings.IndexFunc(rest[1:min(len(rest), longest)], func(c rune) bool { return c != '#' && !IsWordRune(c) }) + 1
	if end == 0 || rest[end] != ';' {
		p.write(rest[:1])
		return 1
	}
	end++
	if one := html.UnescapeString(rest[:end]); one != rest[:end] {
		if strings.TrimSpace(one) == "" {
			p.space()
		} else {
			p.write(one)
		}
		return end
	}
	p.write(rest[:1])
	return 1
}
