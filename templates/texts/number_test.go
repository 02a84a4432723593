package texts

import (
	"testing"

	"golang.org/x/text/language"
	printing "golang.org/x/text/message"
	"golang.org/x/text/number"
)

func TestSmallNumbersFollowTheLanguage(t *testing.T) {
	for _, tag := range []string{"en", "de", "de-CH", "fr", "es", "pl", "ar", "fa", "hi", "bn", "my", "ne", "th"} {
		own := map[string]Wording{tag: {"name.products": "x"}}
		c, printer := New(tag, own), printing.NewPrinter(language.Make(tag))
		for _, n := range []int{0, 7, 10, 42, 999, 1000, 1234567, -5, -1234} {
			if got, want := c.Number(n), printer.Sprint(number.Decimal(n)); got != want {
				t.Errorf("%s writes %d as %q, not %q", tag, n, got, want)
			}
		}
	}
}
