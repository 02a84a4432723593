package catalog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// An edit changes a list and undoes it.
type edit struct {
	name     string
	do, undo func(d *Delta)
	// counted means that the list's own document shows another total.
	counted bool
}

// randomEdits returns one edit of each kind at random places of a list.
func randomEdits(c *Catalog, ref ListRef, random *rand.Rand) []edit {
	list := c.List(ref)
	key := func() int { return random.IntN(len(list))*10 + 1 + random.IntN(9) }
	item, fresh := list[random.IntN(len(list))], keyed(key(), random.Uint64())
	was, other := item.name, fmt.Sprintf("%08d", key())
	rename := func(to string) func(*Delta) {
		return func(d *Delta) {
			c.removeFrom(ref, item, counts{}, d)
			item.name = to
			c.insertInto(ref, item, counts{}, d)
		}
	}
	enter := func(n *Node) func(*Delta) { return func(d *Delta) { c.insertInto(ref, n, counts{}, d) } }
	leave := func(n *Node) func(*Delta) { return func(d *Delta) { c.removeFrom(ref, n, counts{}, d) } }
	return []edit{
		{"an item comes", enter(fresh), leave(fresh), true},
		{"an item goes", leave(item), enter(item), true},
		{"an item is renamed", rename(other), rename(was), false},
	}
}

// documents counts the documents of a list that an edit writes and deletes, including the
// list's own.
func (e edit) documents(c *Catalog, ref ListRef) (written, gone int) {
	state := func(d *Delta) map[PageID]string {
		own, _ := c.List(ref).Page(nil)
		pages := []Page{own}
		for p := range d.Pages {
			if page, stands := c.List(ref).Page(p.First); stands && page.ID() == p.ID {
				pages = append(pages, page)
			}
		}
		return pageStates(pages)
	}
	d := NewDelta()
	e.do(d)
	after := state(d)
	e.undo(NewDelta())
	before := state(d)
	if e.counted {
		before[PageID{}] += " and another total"
	}
	for id, now := range after {
		if before[id] != now {
			written++
		}
	}
	for id := range before {
		if after[id] == "" {
			gone++
		}
	}
	return written, gone
}

func TestAnEditTouchesFewPagesOfAListOfAnyLength(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, length := range []int{101, 1000, 10_000, 100_000} {
		counts := map[string][]int{}
		lists := min(20, max(1, 10_000/length))
		for range lists {
			digests := make([]uint64, length)
			for i := range digests {
				digests[i] = random.Uint64()
			}
			owner := newNode(SellerRef("owner"))
			owner.lists[Products] = counted(digests)
			ref, c := ListRef{Node: owner, Which: Products}, New()
			for range 400 / lists {
				for _, e := range randomEdits(c, ref, random) {
					written, gone := e.documents(c, ref)
					counts[e.name] = append(counts[e.name], written+gone)
					counts[e.name+", without those that go"] = append(counts[e.name+", without those that go"], written)
					counts["any"] = append(counts["any"], written+gone)
				}
			}
			if !slices.Equal(digestsOf(owner.List(Products)), digests) {
				t.Fatal("the edits were not undone")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			all := slices.Sorted(slices.Values(counts[name]))
			median, most := all[len(all)/2], all[len(all)*99/100]
			t.Logf("a list of %d, %s: %d documents in the median, %d at p99, %d at most", length, name, median, most, all[len(all)-1])
			if name == "any" && (median > 2 || most > 6) {
				t.Errorf("a list of %d: %d documents in the median, %d at p99", length, median, most)
			}
		}
	}
}

// BenchmarkCut cuts a whole list of 100,000 items, and finds the pages that one item
// changes.
func BenchmarkCut(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	digests := make([]uint64, 100_000)
	for i := range digests {
		digests[i] = random.Uint64()
	}
	owner := newNode(SellerRef("owner"))
	owner.lists[Products] = counted(digests)
	ref, c := ListRef{Node: owner, Which: Products}, New()
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			owner.List(Products).Pages()
		}
	})
	b.Run("edit", func(b *testing.B) {
		for b.Loop() {
			edits := randomEdits(c, ref, random)
			d := NewDelta()
			edits[2].do(d)
			edits[2].undo(d)
		}
	})
}
