package picture

import (
	"strings"
	"testing"
	"time"
)

// The documents are chosen so that reading them takes minutes where the time
// grows with the square of the size, and well under a second where it does not.
func TestInspectTakesTimeInProportionToTheSize(t *testing.T) {
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
		"addresses outside":        filled(`<style>`, `url(a)`, `</style>`),
		"pieces of style":          filled(`<style>`, `url(a)<!---->`, `</style>`),
		"event handlers":           filled(``, `<g onclick=""/>`, ``),
		"one long address":         filled(`<image href="`, `javascript:`, `"/>`),
		"open elements":            filled(``, `<g>`, ``),
		"escapes":                  filled(`<g style="`, `\75`, `"/>`),
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
