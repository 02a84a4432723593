package text

import (
	"regexp"
	"strings"
)

// address matches a web address. It ends at letters beyond ASCII, because languages without
// spaces between words continue the text there.
var address = regexp.MustCompile(`(?i) ?https?://[!#-(*-=?-~]*`)

// WithoutAddresses removes web addresses from a text. The target of a link is not part of the
// text's words, and may no longer be public.
func WithoutAddresses(text string) string {
	if !strings.Contains(text, "://") {
		return text // avoids the slow expression
	}
	return address.ReplaceAllString(text, "")
}
