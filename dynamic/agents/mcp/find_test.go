package mcp

import (
	"fmt"
	"strings"
	"testing"

	"souk/dynamic/search"
)

// Search must accept every next: it rejects offsets beyond its maximum.
func TestSearchAcceptsEveryNext(t *testing.T) {
	wordy := stubMarket{strings.Repeat("word ", 60)}
	for _, tt := range []struct {
		from int
		more bool
	}{{0, true}, {search.MaxOffset - 100, true}, {search.MaxOffset, false}} {
		a, err := called(t, wordy, "search", fmt.Sprintf(`{"q":"arm","limit":100,"next":"%d"}`, tt.from))
		if err != nil || !a.Truncated || len(a.Items) == 100 {
			t.Fatalf("from %d: %v, %+v", tt.from, err, a)
		}
		if (a.Next != "") != tt.more {
			t.Errorf("from %d, next is %q", tt.from, a.Next)
		}
		if a.Next != "" {
			if _, err := called(t, wordy, "search", fmt.Sprintf(`{"q":"arm","limit":100,"next":%q}`, a.Next)); err != nil {
				t.Errorf("next %s: %v", a.Next, err)
			}
		}
	}
}
