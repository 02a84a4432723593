package problem

import "fmt"

// Nearest proposes the option that a misspelt word was probably meant to be, as a
// phrase for Problem.Meant, or "" if none is close: at most one edit in three
// letters. Edits are those of the restricted Damerau-Levenshtein distance: insert,
// delete, replace, swap neighbours.
func Nearest(word string, options []string) string {
	best, at := max(1, len(word)/3)+1, -1
	for i, option := range options {
		if d := distance(word, option, best); d < best {
			best, at = d, i
		}
	}
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", options[at])
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
