package search

import "slices"

// An understanding is what a query was taken to mean where that is not simply
// its words, so that an answer can tell. It names words by their place in
// parsedQuery.words.
type understanding struct {
	// leftOut are words that carry no meaning and need not be held, and those that no
	// listing has, in their order.
	leftOut []int
	// corrected are words that count as misspelled ones.
	corrected []correction
	// apart are words that some listings write as two.
	apart []correction
	// categories are runs of words that name one, in their order.
	categories []recognised
	// common are words that so many listings have that they ask for nothing beside a category.
	common []int
	// partly: no listing has every word of up to three.
	partly bool
}

// leave adds words that are left out.
func (u *understanding) leave(words ...int) {
	u.leftOut = append(u.leftOut, words...)
	slices.Sort(u.leftOut)
	u.leftOut = slices.Compact(u.leftOut)
}

// A correction is a word and the words that it may be a misspelling of, the one
// with the most listings first. Each is held by a listing that is not withheld.
type correction struct {
	word int
	to   []string
}

// A recognised category is named by the words from fromWord up to toWord, which is
// not one of them.
type recognised struct {
	fromWord, toWord int
	category         int32
}

// wanted returns the recognised categories of a text that asks for nothing else but by words that
// so many listings have, that names one by several words, or that asks for more than any listing has.
func (u *understanding) wanted(r *parsedQuery) (list []int32) {
	others := false
	for i, w := range r.words {
		others = others || !w.stop && !slices.Contains(u.common, i) && !slices.Contains(u.leftOut, i) && !slices.ContainsFunc(u.categories, func(c recognised) bool { return c.fromWord <= i && i < c.toWord })
	}
	several := slices.ContainsFunc(u.categories, func(c recognised) bool { return c.toWord-c.fromWord > 1 })
	if others && !several && !u.partly {
		return nil
	}
	for i, one := range u.categories {
		if (i == 0 || !r.together(u.categories[i-1], one)) && (i+1 == len(u.categories) || !r.together(one, u.categories[i+1])) {
			list = append(list, one.category)
		}
	}
	return list
}

// together reports whether two neighbouring words name a category each, of which neither is asked
// for: runtime security is no runtime.
func (r *parsedQuery) together(one, next recognised) bool {
	return one.category != next.category && one.toWord == one.fromWord+1 && next.fromWord == one.toWord && next.toWord == next.fromWord+1 && r.words[next.fromWord].follows
}

// correct tells that a word was taken for others.
func (u *understanding) correct(word int, to []string) {
	if len(to) == 0 {
		return
	}
	for i := range u.corrected {
		if u.corrected[i].word == word {
			u.corrected[i].to = to
			return
		}
	}
	u.corrected = append(u.corrected, correction{word, to})
}
