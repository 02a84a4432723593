package theme

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// A reference is a url() in a style sheet: text[From:To] is the text in the parentheses,
// and File is the file that it names.
type reference struct {
	From, To int
	File     string
}

// addressed lists CSS functions that take addresses as plain strings, which cannot be
// distinguished from other text.
var addressed = map[string]bool{"image-set": true, "-webkit-image-set": true, "src": true, "image": true}

// tokens returns all tokens of a style sheet with their positions.
func tokens(text string) iter.Seq2[int, css.Token] {
	return func(yield func(int, css.Token) bool) {
		lexer, at := css.NewLexer(parse.NewInputString(text)), 0
		for kind, data := lexer.Next(); kind != css.ErrorToken && yield(at, css.Token{TokenType: kind, Data: data}); kind, data = lexer.Next() {
			at += len(data)
		}
	}
}

// references returns the files that a style sheet names by url(), and faults for addresses
// elsewhere: pages must not load anything from other sites.
func references(text string) (all []reference, faults []Fault) {
	wrong := func(at int, what, meant string) {
		line, column := position(text, at)
		faults = append(faults, Fault{Line: line, Column: column, Text: what, Meant: meant})
	}
	for at, t := range tokens(text) {
		written := string(t.Data)
		name := strings.ToLower(strings.TrimSuffix(written, "("))
		backslash := strings.IndexByte(written, '\\')
		switch {
		case t.TokenType == css.CommentToken, t.TokenType == css.StringToken:
		case backslash >= 0:
			wrong(at+backslash, "a name or an address is written with a backslash", "write the character itself")
		case t.TokenType == css.URLToken, t.TokenType == css.BadURLToken:
			from := at + len("url(")
			r, what, meant := target(text, from, at+len(strings.TrimSuffix(written, ")")))
			if what != "" {
				wrong(from, what, meant)
			} else if r.File != "" {
				all = append(all, r)
			}
		case t.TokenType == css.AtKeywordToken && name == "@import":
			wrong(at, "@import loads another style sheet", "copy it into "+StyleFile)
		case t.TokenType == css.FunctionToken && addressed[name]:
			wrong(at, name+"() is not supported", "write url() instead")
		}
	}
	return all, faults
}

// unbalanced returns a warning for the first unmatched brace of a style sheet: an unclosed
// rule swallows everything after it.
func unbalanced(text string) []Fault {
	warn := func(at int, what, meant string) []Fault {
		line, column := position(text, at)
		return []Fault{{Line: line, Column: column, Text: what, Meant: meant, Warning: true}}
	}
	var open []int
	for at, t := range tokens(text) {
		switch {
		case t.TokenType == css.LeftBraceToken:
			open = append(open, at)
		case t.TokenType == css.RightBraceToken && len(open) == 0:
			return warn(at, "no { belongs to this }, so that browsers skip the rule that follows", "remove it")
		case t.TokenType == css.RightBraceToken:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return nil
	}
	return warn(open[0], "this { is not closed, so that all rules that follow are within it", "close it with }")
}

// target returns the reference in the parentheses of a url(), and what is wrong with it. An
// address within the page is neither.
func target(text string, from, to int) (r reference, what, meant string) {
	address := strings.TrimSpace(text[from:to])
	if n := len(address); n > 1 && (address[0] == '"' || address[0] == '\'') && address[n-1] == address[0] {
		address = address[1 : n-1]
	}
	low := strings.ToLower(address)
	switch {
	case strings.ContainsAny(address, `"'`):
		return r, "the address is written with quotes", "write it plainly, as in url(paper.png)"
	case strings.HasPrefix(low, "#"), strings.HasPrefix(low, "data:image/"):
		return r, "", ""
	case address == "", strings.Contains(low, ":"), strings.HasPrefix(low, "/"), strings.Contains(low, "//"):
		return r, "url(" + address + ") leads out of the theme", "put the file beside " + StyleFile + " and name it from there on: pages load nothing from other sites"
	}
	return reference{from, to, strings.TrimPrefix(address, "./")}, "", ""
}

// position returns the line and the column of a position, in characters from 1.
func position(text string, at int) (line, column int) {
	at = min(at, len(text))
	before := text[:at]
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
