package match

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/index/text"
	"souk/dynamic/search/corpus"
)

// A respelling is words that a word may be a misspelling of, and their listings.
type respelling struct {
	words string
	// visible is the number of visible listings with them.
	visible int
	weighted
}

// misspelt returns the listings of the closest words that a word may be a misspelling of, and
// of any two indexed words that it consists of, or else of its last part. Words of withheld
// listings only are ignored.
func (x *Lexicon) misspelt(ctx context.Context, word string, v *corpus.Visibility) (*Postings, error) {
	key := "f" + word
	open := v.ShowsAll()
	if open {
		if p := x.cache.get(key); p != nil {
			return p, nil
		}
	}
	found, err := x.split(ctx, word, v)
	if err != nil {
		return nil, err
	}
	for most := 1; most <= text.TypingErrors(word); most++ {
		near, err := x.near(ctx, word, most, v)
		if err != nil {
			return nil, err
		}
		if len(near) == 0 {
			if near, err = x.nearForms(ctx, word, most, v); err != nil {
				return nil, err
			}
		}
		if found = append(found, near...); len(found) > 0 {
			break
		}
	}
	if len(found) == 0 {
		if found, err = x.lastPart(ctx, word, v); err != nil {
			return nil, err
		}
	}
	lists := make([]weighted, 0, len(found))
	for _, r := range found {
		lists = append(lists, r.weighted)
	}
	p := x.Scratch.union(lists)
	slices.SortStableFunc(found, func(a, b respelling) int {
		return cmp.Or(cmp.Compare(b.factor, a.factor), cmp.Compare(b.visible, a.visible))
	})
	// A single list belongs to its word and may be shared.
	told := &Postings{Docs: p.Docs, Impacts: p.Impacts, Terms: p.Terms}
	for _, r := range found {
		told.Words = append(told.Words, r.words)
	}
	if open {
		x.cache.put(key, told)
	}
	return told, nil
}

// near returns the words of visible listings at exactly the given distance, each with its
// forms.
func (x *Lexicon) near(ctx context.Context, word string, errors int, v *corpus.Visibility) ([]respelling, error) {
	var found []string
	for i := range x.Corpus.Segments {
		for _, n := range x.Corpus.Segments[i].Words().Neighbours(word, errors, false) {
			if n.Errors == errors {
				found = append(found, n.Word)
			}
		}
	}
	return x.respellings(ctx, word, errors, found, v)
}

// respellings returns those of the words that visible listings have, each with its forms.
func (x *Lexicon) respellings(ctx context.Context, word string, errors int, found []string, v *corpus.Visibility) (list []respelling, err error) {
	slices.Sort(found)
	for _, one := range slices.Compact(found) {
		// A dictionary keeps words of listings that changed, are gone or are withheld. Such a
		// word must not lead to its other forms.
		spelled, err := x.Word(ctx, one)
		if err != nil {
			return nil, err
		}
		visible := v.Count(spelled.Docs)
		if visible == 0 {
			continue
		}
		p, err := x.Inflected(ctx, one, TypedForms)
		if err != nil {
			return nil, err
		}
		factor := oneErrorFactor
		if errors == 2 {
			factor = twoErrorsFactor
		}
		if a, _ := utf8.DecodeRuneInString(one); !strings.HasPrefix(word, string(a)) {
			if utf8.RuneCountInString(word) < firstWrongFrom {
				continue // dinner is no misspelt inner
			}
			factor *= firstWrongFactor
		}
		list = append(list, respelling{one, visible, weighted{p, factor}})
	}
	return list, nil
}

// nearForms returns the words of visible listings with a form that, without its ending, is at
// the given distance: fahrad is near Fahrräder, even if no listing has Fahrrad.
func (x *Lexicon) nearForms(ctx context.Context, word string, errors int, v *corpus.Visibility) ([]respelling, error) {
	var found []string
	for i := range x.Corpus.Segments {
		for _, n := range x.Corpus.Segments[i].Words().Neighbours(word, errors, true) {
			if slices.ContainsFunc(x.shorter(n.Word), func(form string) bool { return near(word, form, errors) }) {
				found = append(found, n.Word)
			}
		}
	}
	return x.respellings(ctx, word, errors, found, v)
}

// shorter returns the beginnings of a word that are forms of it.
func (x *Lexicon) shorter(word string) (forms []string) {
	for form := word; form != ""; {
		_, size := utf8.DecodeLastRuneInString(form)
		if form = form[:len(form)-size]; x.Stems.Of(form) != x.Stems.Of(word) {
			break
		}
		forms = append(forms, form)
	}
	return forms
}

// near reports whether two words are at most the given distance apart.
func near(word, other string, errors int) bool {
	return len(text.NewVocabulary(slices.Values([]string{other})).Neighbours(word, errors, false)) > 0
}

// firstWrongFrom is the word length from which the first letter may be wrong: few people
// mistype it, and many short words differ in nothing else.
const firstWrongFrom = 8

// minSplit is the minimum length of each half of a split word.
const minSplit = 2

// split returns the listings with both halves of a word, at the split with the most listings,
// or none.
func (x *Lexicon) split(ctx context.Context, word string, v *corpus.Visibility) ([]respelling, error) {
	var best []respelling
	for left, right := range x.halves(word) {
		p, err := x.bothWords(ctx, left, right)
		if err != nil {
			return nil, err
		}
		if n := v.Count(p.Docs); n > 0 && (len(best) == 0 || n > best[0].visible) {
			best = []respelling{{left + " " + right, n, weighted{p, splitFactor}}}
		}
	}
	return best, nil
}
