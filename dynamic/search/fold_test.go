package search

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/dynamic/search/text"
)

// The values that a category tells of are those that search finds: both compare them
// in the same way, and neither package may know the other.
func TestAttributesAreFoldedAsSearchFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("AaÄäßẞøŁł ıİ²½ﬁΣς\u0301\u064b\u0e33")))).Draw(t, "text")
		if got, want := catalog.Fold(one), text.Fold(strings.TrimSpace(one)); got != want {
			t.Fatalf("%q is folded to %q, and by search to %q", one, got, want)
		}
	})
}
