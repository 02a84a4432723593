package search

import (
	"context"
	"slices"
)

// This file finds words by their last part and by what they end with, in languages that write
// compounds as one word.

// maxCompounds is how many compounds of a word count as it, those of the most listings.
const maxCompounds = 500

// compounds returns the held words that are compounds with a word at their end, sorted.
func (x *Index) compounds(ctx context.Context, word string) ([]string, error) {
	return x.compoundsOf.of(word, func(word string) ([]string, error) {
		var list []string
		for i := range x.corpus.segments {
			list = append(list, x.language.Compounds(word, x.corpus.segments[i].Words())...)
		}
		slices.Sort(list)
		if list = slices.Compact(list); len(list) <= maxCompounds {
			return list, nil
		}
		listings := make(map[string]int, len(list))
		for _, one := range list {
			n, err := x.count(ctx, one)
			if err != nil {
				return nil, err
			}
			listings[one] = n
		}
		slices.SortStableFunc(list, func(a, b string) int { return listings[b] - listings[a] })
		list = list[:maxCompounds]
		slices.Sort(list)
		return list, nil
	})
}

// lastPart returns the listings of the longest word, in whatever form, that a compound ends with, if
// nothing is nearer: who looks for a Motorsäge may take another Säge.
func (x *Index) lastPart(ctx context.Context, word string, v *visibility) ([]respelling, error) {
	for part := range x.language.Endings(word) {
		for _, form := range x.forms(part) {
			spelled, err := x.word(ctx, form)
			if err != nil {
				return nil, err
			}
			visible := v.count(x, spelled)
			if visible == 0 {
				continue
			}
			p, err := x.inflected(ctx, part, typedForms)
			return []respelling{{form, visible, weighted{p, compoundFactor}}}, err
		}
	}
	return nil, nil
}
