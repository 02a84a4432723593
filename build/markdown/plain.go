package markdown

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// inline are the elements that no space parts from the words beside them.
var inline = []string{"a", "em", "strong", "code", "del"}

// Plain returns the words of Markdown on one line, without the addresses of links; of
// pictures it says what they show.
func Plain(source string) string {
	tokens := html.NewTokenizer(strings.NewReader(ToHTML(source, 2, func(string, bool) Link { return Link{} })))
	var text strings.Builder
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return strings.Join(strings.Fields(text.String()), " ")
		case html.TextToken:
			text.Write(tokens.Text())
		case html.EndTagToken:
			if name, _ := tokens.TagName(); !slices.Contains(inline, string(name)) {
				text.WriteByte(' ')
			}
		}
	}
}
