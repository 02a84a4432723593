package problem

import (
	"fmt"
	"strings"
	"unicode"
)

// Nearest proposes the option that a misspelt word was probably meant to be, as a
// phrase for Problem.Meant, or "" if none is close.
func Nearest(word string, options []string) string {
	if option, near := Closest(word, options); near {
		return fmt.Sprintf("did you mean %q?", option)
	}
	return ""
}

// Closest returns the option that a misspelt word was probably meant to be. Case,
// hyphens and spacing do not count, but settle what is equally close; beyond them
// there may be one edit in three letters. Edits are those of the restricted
// Damerau-Levenshtein distance: insert, delete, replace, swap neighbours. Of equals
// the first is returned.
func Closest(word string, options []string) (option string, near bool) {
	folded := bare(word)
	if folded == "" {
		return "", false
	}
	limit := max(1, len(folded)/3)
	best, bestExact := limit+1, 0
	for _, one := range options {
		d := distance(folded, bare(one), limit)
		if d > best || d > limit {
			continue
		}
		if exact := distance(word, one, len(word)+len(one)); d < best || exact < bestExact {
			option, near, best, bestExact = one, true, d, exact
		}
	}
	return option, near
}

// bare returns a word without what does not count.
func bare(word string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_. ", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, word)
}

// distance returns the number of edits between a and b, or limit+1 if there are
// more than limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	next := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(last[j]+1, next[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
			least = min(least, next[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
