package merge

import "slices"

// maxCells bounds the table that compares two sequences.
const maxCells = 4 << 20

// sequences merges ours and theirs like diff3: it takes changes of one side, and
// identical changes of both once. If both changed the same place differently, the merge
// is not clean, except that with set it keeps the additions of both.
func sequences(base, ours, theirs []string, set bool) (merged []string, clean bool) {
	inOurs, fits := matches(base, ours)
	inTheirs, fit := matches(base, theirs)
	if !fits || !fit {
		return nil, false
	}
	b, o, t := 0, 0, 0
	for {
		// What follows up to the next item that all three have is one piece.
		end := b
		for end < len(base) && (inOurs[end] < 0 || inTheirs[end] < 0) {
			end++
		}
		toOurs, toTheirs := len(ours), len(theirs)
		if end < len(base) {
			toOurs, toTheirs = inOurs[end], inTheirs[end]
		}
		was, mine, other := base[b:end], ours[o:toOurs], theirs[t:toTheirs]
		switch {
		case slices.Equal(mine, other), slices.Equal(was, other):
			merged = append(merged, mine...)
		case slices.Equal(was, mine):
			merged = append(merged, other...)
		case set && len(was) == 0:
			merged = append(merged, mine...)
			for _, item := range other {
				if !slices.Contains(mine, item) {
					merged = append(merged, item)
				}
			}
		default:
			return nil, false
		}
		if end == len(base) {
			break
		}
		merged = append(merged, base[end])
		b, o, t = end+1, toOurs+1, toTheirs+1
	}
	if set && repeats(merged) {
		return nil, false // the sides moved an item to different places
	}
	return merged, true
}

func repeats(list []string) bool {
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		if seen[item] {
			return true
		}
		seen[item] = true
	}
	return false
}

// matches returns for each item of a sequence its index in another, -1 for an item that is
// not in their longest common subsequence. It fails if the sequences are too long.
func matches(from, to []string) (at []int, fits bool) {
	at = make([]int, len(from))
	for i := range at {
		at[i] = -1
	}
	start := 0
	for start < len(from) && start < len(to) && from[start] == to[start] {
		at[start] = start
		start++
	}
	m, n := len(from), len(to)
	for m > start && n > start && from[m-1] == to[n-1] {
		m, n = m-1, n-1
		at[m] = n
	}
	a, b := from[start:m], to[start:n]
	width := len(b) + 1
	if len(a) > maxCells/width {
		return nil, false
	}
	length := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			at[start+i] = start + j
			i, j = i+1, j+1
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return at, true
}
