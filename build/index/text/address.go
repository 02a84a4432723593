package text

import (
	"regexp"
	"strings"
)

// address is a web address: letters beyond ASCII go on with the text in languages that
// put no space between words.
var address = regexp.MustCompile(`(?i) ?https?://[!#-(*-=?-~]*`)

// WithoutAddresses returns a text without the web addresses in it. What one leads to is no
// word of a text, and may be what is public no longer.
func WithoutAddresses(text string) string {
	if !strings.Contains(text, "://") {
		return text // the expression is slow
	}
	return address.ReplaceAllString(text, "")
}
