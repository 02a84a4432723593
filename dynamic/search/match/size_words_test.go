package match

import (
	"slices"
	"testing"
)

func TestOnlyNumbersFormASize(t *testing.T) {
	for word, want := range map[string][]string{
		"40x60": {"40", "60"}, "m8x20": {"m8", "20"}, "1.5x2x3": {"1.5", "2", "3"}, "x20": nil, "20x": nil, "linux": nil, "4xl": nil, "max10": nil, "1x2x3x4x5": nil, "4x4": nil, "1x1x1": nil, "30x30": {"30", "30"},
	} {
		if got := sizeOf(word); !slices.Equal(got, want) {
			t.Errorf("%s is %q, not %q", word, got, want)
		}
	}
}
