package match

import "slices"

// An Understanding says how a query was interpreted where it was not taken literally, for the
// response. It identifies words by their index in ParsedQuery.Words.
type Understanding struct {
	// LeftOut are words without meaning that need not match, and words that no listing has, in
	// order.
	LeftOut []int
	// Corrected are words that count as misspelled ones.
	Corrected []correction
	// Apart are words that some listings write as two.
	Apart []correction
	// Categories are runs of words that name a category, in order.
	Categories []recognised
	// common are words of so many listings that they add nothing to a category.
	common []int
	// partly means that no listing has every word of a text of up to three.
	partly bool
}

// leave adds words that are left out.
func (u *Understanding) leave(words ...int) {
	u.LeftOut = append(u.LeftOut, words...)
	slices.Sort(u.LeftOut)
	u.LeftOut = slices.Compact(u.LeftOut)
}

// A correction is a word and the words that it may be a misspelling of, the one with the most
// listings first. Each occurs in a visible listing.
type correction struct {
	Word int
	To   []string
}

// A recognised is a category that the words from fromWord up to, but not including, toWord
// name.
type recognised struct {
	FromWord, ToWord int
	Category         int32
}

// Wanted returns the recognised categories of a text that asks for nothing else apart from
// very common words, that names a category by several words, or that asks for more than any
// listing has.
func (u *Understanding) Wanted(r *ParsedQuery) (list []int32) {
	others := false
	for i, w := range r.Words {
		others = others || !w.Stop && !slices.Contains(u.common, i) && !slices.Contains(u.LeftOut, i) && !slices.ContainsFunc(u.Categories, func(c recognised) bool { return c.FromWord <= i && i < c.ToWord })
	}
	several := slices.ContainsFunc(u.Categories, func(c recognised) bool { return c.ToWord-c.FromWord > 1 })
	if others && !several && !u.partly {
		return nil
	}
	for i, one := range u.Categories {
		if (i == 0 || !r.together(u.Categories[i-1], one)) && (i+1 == len(u.Categories) || !r.together(one, u.Categories[i+1])) {
			list = append(list, one.Category)
		}
	}
	return list
}

// together reports whether two neighbouring words each name a category and neither is meant:
// runtime security is not a runtime.
func (r *ParsedQuery) together(one, next recognised) bool {
	return one.Category != next.Category && one.ToWord == one.FromWord+1 && next.FromWord == one.ToWord && next.ToWord == next.FromWord+1 && r.Words[next.FromWord].follows
}

// correct records a correction.
func (u *Understanding) correct(word int, to []string) {
	if len(to) == 0 {
		return
	}
	for i := range u.Corrected {
		if u.Corrected[i].Word == word {
			u.Corrected[i].To = to
			return
		}
	}
	u.Corrected = append(u.Corrected, correction{word, to})
}
