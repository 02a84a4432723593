package unit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Lines returns the table for programs in other languages, a line for each unit: its
// dimension, factor and offset as fractions, and the normalized texts that mean it, first
// with their case, then those without case and accents. Columns are separated by tabs,
// texts by "|".
func Lines() []string {
	spelled, inAnyCase := map[*measure][]string{}, map[*measure][]string{}
	for _, text := range slices.Sorted(maps.Keys(exact)) {
		spelled[exact[text]] = append(spelled[exact[text]], text)
	}
	for _, text := range slices.Sorted(maps.Keys(folded)) {
		inAnyCase[folded[text]] = append(inAnyCase[folded[text]], text)
	}
	var lines []string
	for _, group := range table {
		for _, r := range group.units {
			m := exact[normal(r.symbol)]
			offset := "0"
			if m.offset != nil {
				offset = m.offset.RatString()
			}
			lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s\t%s", m.dimension, m.factor.RatString(), offset, strings.Join(spelled[m], "|"), strings.Join(inAnyCase[m], "|")))
		}
	}
	return lines
}
