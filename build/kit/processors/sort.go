package processors

import (
	"slices"
	"sort"
)

// Lists are sorted and merged in shares of at least leastShare elements, and in at most
// mostShares shares.
const (
	leastShare = 1 << 12
	mostShares = 64
)

// Sort sorts a list on all processors. The sort is not stable.
func Sort[T any](list []T, compare func(a, b T) int) {
	share := max(leastShare, len(list)/mostShares+1)
	runs := slices.Collect(slices.Chunk(list, share))
	Each(len(runs), func(i int) { slices.SortFunc(runs[i], compare) })
	if len(runs) > 1 {
		copy(list, Merge(runs, compare))
	}
}

// Merge merges sorted runs on all processors. The elements between two elements of a sample
// form a share, and shares are merged independently.
func Merge[T any](runs [][]T, compare func(a, b T) int) []T {
	total, sample := 0, []T{}
	for _, run := range runs {
		total += len(run)
		for i := 0; i < len(run); i += mostShares {
			sample = append(sample, run[i])
		}
	}
	slices.SortFunc(sample, compare)
	shares := min(mostShares, total/leastShare+1)
	// cuts contains the start of each share in each run; the last one is the end.
	cuts := make([][]int, shares+1)
	Each(len(cuts), func(i int) {
		cuts[i] = make([]int, len(runs))
		for at, run := range runs {
			switch i {
			case 0:
			case shares:
				cuts[i][at] = len(run)
			default:
				first := sample[i*len(sample)/shares]
				cuts[i][at] = sort.Search(len(run), func(n int) bool { return compare(run[n], first) >= 0 })
			}
		}
	})
	all := make([]T, total)
	Each(shares, func(i int) {
		from, to, within := 0, 0, make([][]T, len(runs))
		for at, run := range runs {
			from, to = from+cuts[i][at], to+cuts[i+1][at]
			within[at] = run[cuts[i][at]:cuts[i+1][at]]
		}
		mergeInto(all[from:to], within, compare)
	})
	return all
}

// mergeInto merges runs into a list that has room for all, by repeatedly merging adjacent
// pairs.
func mergeInto[T any](all []T, runs [][]T, compare func(a, b T) int) {
	from, into := make([]T, 0, len(all)), make([]T, len(all))
	ends := make([]int, 0, len(runs))
	for _, run := range runs {
		if from = append(from, run...); len(run) > 0 {
			ends = append(ends, len(from))
		}
	}
	for len(ends) > 1 {
		begin, merged := 0, ends[:0]
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			merge(into[begin:end], from[begin:middle], from[middle:end], compare)
			merged, begin = append(merged, end), end
		}
		from, into, ends = into, from, merged
	}
	copy(all, from)
}

// merge merges two runs into a list that has room for both.
func merge[T any](into, a, b []T, compare func(a, b T) int) {
	for i := range into {
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) <= 0 {
			into[i], a = a[0], a[1:]
		} else {
			into[i], b = b[0], b[1:]
		}
	}
}
