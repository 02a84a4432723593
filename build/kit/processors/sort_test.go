package processors

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// drawnList returns a list of random length with few or many distinct values.
func drawnList(t *rapid.T) []int {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	list, most := make([]int, rapid.SampledFrom([]int{0, 1, 10, leastShare, 5 * leastShare}).Draw(t, "length")), rapid.SampledFrom([]int{1, 50, 1 << 40}).Draw(t, "most")
	for i := range list {
		list[i] = r.IntN(most)
	}
	return list
}

func TestSortingInSharesEqualsSortingAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawnList(t)
		want := slices.Sorted(slices.Values(list))
		if Sort(list, cmp.Compare[int]); !slices.Equal(list, want) {
			t.Fatalf("%d numbers are not in order", len(list))
		}
	})
}

func TestRunsAreMergedInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawnList(t)
		want := slices.Sorted(slices.Values(list))
		var runs [][]int
		for rest := list; len(rest) > 0; {
			n := rapid.IntRange(0, len(rest)).Draw(t, "run")
			if len(runs) > 20 {
				n = len(rest)
			}
			slices.Sort(rest[:n])
			runs, rest = append(runs, rest[:n]), rest[n:]
		}
		if got := Merge(runs, cmp.Compare[int]); !slices.Equal(got, want) {
			t.Fatalf("%d runs are not merged in order", len(runs))
		}
	})
}

func TestEachNumberIsVisitedOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000, 1024, 5000} {
		met := make([]atomic.Int32, n)
		Each(n, func(i int) { met[i].Add(1) })
		EachShare(n, func(from, to int) {
			for i := from; i < to; i++ {
				met[i].Add(1)
			}
		})
		for i := range met {
			if met[i].Load() != 2 {
				t.Errorf("of %d numbers %d is met %d times, once and in shares", n, i, met[i].Load())
			}
		}
	}
}

func TestResultsAreTakenInTurn(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 1000} {
		var taken []int
		InTurn(n, func() (compute, take func(i int)) {
			own := -1
			compute = func(i int) { own = i * i }
			take = func(i int) {
				if own != i*i {
					t.Errorf("%d takes what was computed for another", i)
				}
				taken = append(taken, i)
			}
			return compute, take
		})
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		if !slices.Equal(taken, want) {
			t.Errorf("of %d numbers these are taken: %v", n, taken)
		}
	}
}
