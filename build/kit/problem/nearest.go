package problem

import (
	"fmt"
	"strings"
	"unicode"
)

// Nearest proposes the option that a misspelled word was probably meant to be, as a phrase
// for Problem.Meant, or "" if none is close.
func Nearest(word string, options []string) string {
	if option, near := Closest(word, options); near {
		return fmt.Sprintf("did you mean %q?", option)
	}
	return ""
}

// Closest returns the option that a misspelled word was probably meant to be. It ignores
// case, hyphens and spaces, except to choose among equally close options. Otherwise it
// allows one edit per three letters. Edits are those of the restricted Damerau-Levenshtein
// distance: insert, delete, replace, and swap neighbors. Of equally close options it
// returns the first. It skips options without letters.
func Closest(word string, options []string) (option string, near bool) {
	folded := stripped(word)
	if folded == "" {
		return "", false
	}
	// The best distance so far limits the search, since the options may be all sellers.
	best, bestExact := max(1, len(folded)/3), 0
	for _, one := range options {
		letters := stripped(one)
		d := distance(folded, letters, best)
		if letters == "" || d > best {
			continue
		}
		limit := len(word) + len(one)
		if near && d == best {
			limit = bestExact - 1
		}
		if exact := distance(word, one, limit); exact <= limit {
			option, near, best, bestExact = one, true, d, exact
		}
	}
	return option, near
}

// stripped returns a word without the ignored characters.
func stripped(word string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_. ", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, word)
}

// distance returns the number of edits between a and b, or limit+1 if there are more than
// limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || lengthBound(a, b) > limit {
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

// lengthBound returns a lower bound for the number of edits between a and b: how many
// letters either one lacks, regardless of position. Counting letters is fast.
func lengthBound(a, b string) int {
	var count [256]int32
	for i := range len(a) {
		count[a[i]]++
	}
	shared := 0
	for i := range len(b) {
		if count[b[i]] > 0 {
			shared++
		}
		count[b[i]]--
	}
	return max(len(a), len(b)) - shared
}
