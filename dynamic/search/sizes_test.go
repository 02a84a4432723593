package search

import (
	"slices"
	"testing"
)

func TestSizesMatchInAnyNotation(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(market("en", "Plate 404 × 242 mm: Flat", "Sheet 404x242 mm: Flat too", "Tile 404: Of 10 kinds", "Bolt: M8 x 20", "Screw: M8×20", "Box 2x3x4: Of wood", "Post RTX4090x: Of steel", "Winch 4x4: For cars", "Rope: With 4 hooks")), nil)
		for query, want := range map[string][]string{
			"404x242": {"Plate 404 × 242 mm", "Sheet 404x242 mm"}, "404 × 242": {"Plate 404 × 242 mm", "Sheet 404x242 mm"}, "404×242": {"Plate 404 × 242 mm", "Sheet 404x242 mm"},
			"404 X 242": {"Plate 404 × 242 mm", "Sheet 404x242 mm"}, "flat 404x242": {"Plate 404 × 242 mm", "Sheet 404x242 mm"},
			"M8x20": {"Bolt", "Screw"}, "m8 × 20": {"Bolt", "Screw"}, "2 × 3 × 4": {"Box 2x3x4"}, "2x3x4": {"Box 2x3x4"}, "rtx4090x": {"Post RTX4090x"}, "tile 404": {"Tile 404"}, "4x4": {"Winch 4x4"},
		} {
			got := names(t, x, query)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		}
	})
}
