package main

import "testing"

func TestLargeHeapsGrowLessThanSmallOnes(t *testing.T) {
	for _, c := range []struct {
		heap, room uint64
		want       int
	}{
		{0, roomWithContent, 200}, {10 << 20, roomWithContent, 200}, {100 << 20, roomWithContent, 100}, {200 << 20, roomWithContent, 50},
		{400 << 20, roomWithContent, 25}, {4 << 30, roomWithContent, 25},
		{0, roomOfRelease, 200}, {10 << 20, roomOfRelease, 200}, {60 << 20, roomOfRelease, 50}, {400 << 20, roomOfRelease, 25},
	} {
		if got := growth(c.heap, c.room); got != c.want {
			t.Errorf("a heap of %d bytes with room for %d grows by %d %%, want %d", c.heap, c.room, got, c.want)
		}
	}
}
