package picture

import (
	"strings"
	"testing"
	"time"
)

// Parsing these documents takes minutes if the time grows with the square of the size, and
// well under a second otherwise.
func TestInspectTakesLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("reads megabytes")
	}
	const size = 2 << 20
	filled := func(before, piece, after string) string {
		return inSVG(before + strings.Repeat(piece, size/len(piece)) + after)
	}
	for name, document := range map[string]string{
		"addresses without an end": filled(`<style>`, `url(#`, `</style>`),
		"quotes without an end":    filled(`<style>`, `url("#`, `</style>`),
		"addresses outside":        filled(`<style>`, `a{fill:url(a)}`, `</style>`),
		"addresses as entities":    filled(`<style>`, `a{fill:u&#114;l(a)}`, `</style>`),
		"pieces of style":          filled(`<style>`, `url(a)<!---->`, `</style>`),
		"selectors":                filled(`<style>`, `a b,`, `{}</style>`),
		"rules within each other":  filled(`<style>`, `a{`, `</style>`),
		"event handlers":           filled(``, `<g onclick=""/>`, ``),
		"attributes":               filled(`<g`, ` fill="?"`, `/>`),
		"namespaces":               filled(`<g`, ` xmlns:a="b"`, `/>`),
		"values":                   filled(`<g fill="`, `rgb(`, `"/>`),
		"one long address":         filled(`<image href="`, `javascript:`, `"/>`),
		"one long picture":         filled(`<image href="data:`, `;base64`, `"/>`),
		"open elements":            filled(``, `<g>`, ``),
		"escapes":                  filled(`<g style="`, `\75`, `"/>`),
		"classes":                  inSVG(`<style>` + strings.Repeat(`.a{fill:red}`, size/24) + `</style><g class="` + strings.Repeat(`a `, size/4) + `"/>`),
	} {
		start := time.Now()
		Inspect([]byte(document))
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s: took %v", name, took)
		} else {
			t.Logf("%s: took %v", name, took)
		}
	}
}
