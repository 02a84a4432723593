package match

import (
	"context"
	"slices"

	"souk/dynamic/search/corpus"
)

// This file finds words by their last part and by their ending, in languages that write
// compounds as one word.

// maxCompounds is the maximum number of compounds that count as a word, those with the most
// listings.
const maxCompounds = 500

// Compounds returns the indexed words that are compounds with a word at their end, sorted.
func (x *Lexicon) Compounds(ctx context.Context, word string) ([]string, error) {
	return x.compoundsOf.of(word, func(word string) ([]string, error) {
		var list []string
		for i := range x.Corpus.Segments {
			list = append(list, x.Language.Compounds(word, x.Corpus.Segments[i].Words())...)
		}
		slices.Sort(list)
		if list = slices.Compact(list); len(list) <= maxCompounds {
			return list, nil
		}
		listings := make(map[string]int, len(list))
		for _, one := range list {
			n, err := x.Count(ctx, one, nil)
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

// lastPart returns the listings of the longest word, in any form, at the end of a compound, if
// there is no closer match: a search for Motorsäge may find another Säge.
func (x *Lexicon) lastPart(ctx context.Context, word string, v *corpus.Visibility) ([]respelling, error) {
	for part := range x.Language.Endings(word) {
		for _, form := range x.forms(part) {
			spelled, err := x.Word(ctx, form)
			if err != nil {
				return nil, err
			}
			visible := v.Count(spelled.Docs)
			if visible == 0 {
				continue
			}
			p, err := x.Inflected(ctx, part, TypedForms)
			return []respelling{{form, visible, weighted{p, compoundFactor}}}, err
		}
	}
	return nil, nil
}
