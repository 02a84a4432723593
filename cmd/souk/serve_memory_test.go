package main

import "testing"

func TestLargeHeapsGrowByAQuarterAndSmallOnesByMore(t *testing.T) {
	for _, c := range []struct {
		heap uint64
		want int
	}{{0, 200}, {10 << 20, 200}, {100 << 20, 100}, {200 << 20, 50}, {400 << 20, 25}, {4 << 30, 25}} {
		if got := growth(c.heap); got != c.want {
			t.Errorf("a heap of %d bytes grows by %d %%, want %d", c.heap, got, c.want)
		}
	}
}
