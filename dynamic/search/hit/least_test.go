package hit

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSmallestKeysAreKeptInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.Uint64Range(0, 50)).Draw(t, "keys")
		l := Least{Most: rapid.IntRange(0, 10).Draw(t, "most")}
		for _, key := range keys {
			l.Offer(key)
		}
		slices.Sort(keys)
		if got, want := l.Sorted(), keys[:min(len(keys), l.Most)]; !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
