package markdown

import (
	"math"
	"strings"
)

// Plain returns the words of Markdown on one line, as a page shows them, without the
// addresses of links. Pictures are replaced by their alternative texts.
func Plain(source string) string {
	var b strings.Builder
	s := []byte(source)
	writePlain(&b, tree(s, headingIDs{}), s, true, math.MaxInt)
	return strings.Join(strings.Fields(b.String()), " ")
}
