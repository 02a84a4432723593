package picture

import "strings"

// styleCleaner copies a style, leaving out what cleanCSS says.
type styleCleaner struct {
	css   string
	at    int
	out   strings.Builder
	fault string
}

// cleanCSS returns a style without what its comments say and without what it
// imports, and with its embedded pictures cleaned. It reads the tokens of CSS
// (CSS Syntax 3, section 4.3) as far as they tell where these end.
func cleanCSS(css string) (clean, fault string) {
	if !strings.Contains(css, "/*") && !strings.ContainsAny(css, `@\`) && !strings.Contains(lower(css), "data:") {
		return css, ""
	}
	c := styleCleaner{css: css}
	for c.at < len(css) {
		from := c.at
		switch kind := c.token(); {
		case kind == commentToken:
			c.out.WriteString("/**/") // an empty one, since it may separate two names
		case kind == importToken:
			c.skipRule()
			c.out.WriteString("/**/")
		default:
			c.copy(kind, css[from:c.at])
		}
	}
	return c.out.String(), c.fault
}

type cssToken int

const (
	otherToken cssToken = iota
	commentToken
	importToken
	stringToken
	addressToken // url( with an address that is not in quotes, up to its end
)

// copy copies a token, with the picture that may be embedded in it.
func (c *styleCleaner) copy(kind cssToken, token string) {
	open, end := 0, len(token)
	switch kind {
	case stringToken:
		open = 1
		if end > 1 && token[end-1] == token[0] {
			end--
		}
	case addressToken:
		open = strings.IndexByte(token, '(') + 1
		if token[end-1] == ')' {
			end--
		}
	default:
		c.out.WriteString(token)
		return
	}
	address := token[open:end]
	head := plainCSS(address[:min(len(address), longestLook)])
	if strings.HasPrefix(strings.TrimLeft(head, cssBlanks), "data:image/") {
		if strings.Contains(address, `\`) {
			c.fault = `the address of the embedded picture has a backslash: write it in one line, without any`
		}
		clean, fault := embedded(address)
		if fault != "" && c.fault == "" {
			c.fault = fault
		}
		address = clean
	}
	c.out.WriteString(token[:open] + address + token[end:])
}

// token moves behind the next token.
func (c *styleCleaner) token() cssToken {
	rest := c.css[c.at:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		if end := strings.Index(rest[2:], "*/"); end >= 0 {
			c.at += 2 + end + 2
		} else {
			c.at = len(c.css)
		}
		return commentToken
	case rest[0] == '"' || rest[0] == '\'':
		c.at++
		c.until(rest[0])
		return stringToken
	case rest[0] == '@':
		c.at++
		if c.name() == "import" {
			return importToken
		}
		return otherToken
	case rest[0] == '\\' || isNameRune(rune(rest[0])):
		return c.word()
	}
	c.at++
	return otherToken
}

// word moves behind a name, or behind url( and its address.
func (c *styleCleaner) word() cssToken {
	if c.name() != "url" || c.at == len(c.css) || c.css[c.at] != '(' {
		return otherToken
	}
	next := strings.TrimLeft(c.css[c.at+1:], cssBlanks)
	if next != "" && (next[0] == '"' || next[0] == '\'') {
		return otherToken
	}
	c.at++
	c.until(')')
	return addressToken
}

// name moves behind a name and returns it in small letters, its escapes resolved.
func (c *styleCleaner) name() string {
	from := c.at
	for c.at < len(c.css) && (c.css[c.at] == '\\' || isNameRune(rune(c.css[c.at]))) {
		if c.css[c.at] == '\\' {
			_, size := cssEscape(c.css[c.at+1:])
			c.at += size
		}
		c.at = min(c.at+1, len(c.css))
	}
	return plainCSS(c.css[from:c.at])
}

// until moves behind the end of a string or address. A string ends with its line
// at the latest.
func (c *styleCleaner) until(end byte) {
	for ; c.at < len(c.css); c.at++ {
		switch b := c.css[c.at]; {
		case b == '\\':
			c.at++
		case b == end:
			c.at++
			return
		case end != ')' && (b == '\n' || b == '\r' || b == '\f'):
			return
		}
	}
	c.at = len(c.css)
}

// skipRule moves behind an at-rule (CSS Syntax 3, section 5.4.2): its semicolon
// or its block. What closes a block around it ends it too.
func (c *styleCleaner) skipRule() {
	depth := 0
	for c.at < len(c.css) {
		switch c.css[c.at] {
		case ';':
			if depth == 0 {
				c.at++
				return
			}
		case '(', '[', '{':
			depth++
		case '}', ')', ']':
			if depth == 0 {
				if c.css[c.at] == '}' {
					return
				}
				break
			}
			if depth--; depth == 0 && c.css[c.at] == '}' {
				c.at++
				return
			}
		}
		c.token()
	}
}
