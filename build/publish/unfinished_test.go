package publish

import (
	"path/filepath"
	"testing"
)

// Two machines publish to one bucket, each with a record of its own: one is stopped in the
// middle, the other takes over, and then it is the first one's turn again.
func TestWhoWasStoppedTrustsNothingThatAnotherMachinePublishedSince(t *testing.T) {
	for name, o := range layouts {
		if name == "a folder" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			a := arrange(t, o)
			other := *a
			other.options.State = t.TempDir()
			one, two := newShelf(t, filepath.Join(t.TempDir(), "one")), newShelf(t, filepath.Join(t.TempDir(), "two"))
			a.publish(t, one)
			one.docs["api/v1/marketplace/articles/news.json"] = "changed"
			one.build(t)
			killed(t, a, one, 3)
			// A list shows a newcomer.
			two.docs["api/v1/marketplace/articles.json"] = `{"items":["initech"]}`
			two.build(t)
			other.publish(t, two)
			// The newcomer is removed: the list is again as the first one published it.
			a.publish(t, one)
			a.holds(t, one)
		})
	}
}
