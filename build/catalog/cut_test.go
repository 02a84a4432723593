package catalog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// cutByTheLetter implements the rule as documented and returns the indexes at which the
// pages after the first begin.
func cutByTheLetter(digests []uint64) (places []int) {
	if len(digests) <= 100 {
		return nil
	}
	start := 0
	for i := range digests {
		around := slices.Concat(digests[max(0, i-24):i], digests[i+1:min(len(digests), i+25)])
		smallest := i >= 24 && digests[i] < slices.Min(around)
		if smallest || i-start == 100 {
			places = append(places, i)
			start = i
		}
	}
	return places
}

// counted returns a List of items that have the digests, in order of their names.
func counted(digests []uint64) List {
	list := make(List, len(digests))
	for i, digest := range digests {
		list[i] = keyed(i*10, digest)
	}
	return list
}

func keyed(key int, digest uint64) *Node {
	return &Node{ref: SellerRef(fmt.Sprintf("s%d-%x", key, digest)), name: fmt.Sprintf("%08d", key), digest: digest}
}

func digestsOf(l List) []uint64 {
	digests := make([]uint64, len(l))
	for i, n := range l {
		digests[i] = n.digest
	}
	return digests
}

// drawDigests draws the digests of a list: random ones, ones with few distinct values, so
// that many are equal, or long rising or falling runs, in which none is a local minimum.
func drawDigests(t *rapid.T, most int) []uint64 {
	// rapid draws long lists slowly; a seed is enough.
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	digests := make([]uint64, rapid.IntRange(0, most).Draw(t, "items"))
	kind := rapid.SampledFrom([]string{"random", "random", "few", "rising", "falling"}).Draw(t, "digests")
	for i := range digests {
		switch kind {
		case "random":
			digests[i] = random.Uint64()
		case "few":
			digests[i] = random.Uint64N(60)
		case "rising":
			digests[i] = uint64(i%700)<<32 + random.Uint64N(1<<33)
		default:
			digests[i] = uint64(700-i%700)<<32 + random.Uint64N(1<<33)
		}
	}
	return digests
}

func TestListsAreCutIntoPagesByTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digests := drawDigests(t, 4000)
		list := counted(digests)
		want, at := append([]int{0}, cutByTheLetter(digests)...), 0
		pages := list.Pages()
		if len(pages) != len(want) {
			t.Fatalf("%d pages, want %d", len(pages), len(want))
		}
		for i, p := range pages {
			if at != want[i] || len(p.Items) > PageSize {
				t.Fatalf("page %d begins at %d and has %d items, want %v", i, at, len(p.Items), want)
			}
			at += len(p.Items)
			if (p.First == nil) != (i == 0) || i > 0 && (p.First != p.Items[0] || p.Previous != pages[i-1].First) {
				t.Fatalf("page %d is named by %v behind %v", i, p.First, p.Previous)
			}
			if i+1 < len(pages) && p.Next != pages[i+1].First || i+1 == len(pages) && p.Next != nil {
				t.Fatalf("page %d leads to %v", i, p.Next)
			}
			found, ok := list.Page(p.First)
			if !ok || !slices.Equal(found.Items, p.Items) || found.Previous != p.Previous || found.Next != p.Next {
				t.Fatalf("page %d by its name is %v, %t", i, found, ok)
			}
		}
		if at != len(list) {
			t.Fatalf("the pages hold %d of %d items", at, len(list))
		}
		for _, i := range []int{0, len(list) / 3, len(list) / 2} {
			if i < len(list) && !slices.Contains(want[1:], i) {
				if _, ok := list.Page(list[i]); ok {
					t.Fatalf("the item at %d names a page, and none begins there", i)
				}
			}
		}
	})
}

// drawPlace draws the place of an edit: at the borders of the rule, or anywhere.
func drawPlace(t *rapid.T, l List) int {
	var borders []int
	at := 0
	for _, p := range l.Pages() {
		for _, by := range []int{-25, -24, -1, 0, 1, 24, 25} {
			borders = append(borders, at+by)
		}
		at += len(p.Items)
	}
	borders = append(borders, 0, 23, 24, 25, 99, 100, 101, len(l)-25, len(l)-24, len(l)-1, len(l))
	if rapid.Bool().Draw(t, "anywhere") {
		return rapid.IntRange(0, len(l)).Draw(t, "place")
	}
	return min(max(0, rapid.SampledFrom(borders).Draw(t, "border")), len(l))
}

// editAt adds, removes or renames an item at a random place.
func editAt(t *rapid.T, c *Catalog, ref ListRef, d *Delta) (changed *Node) {
	list := c.List(ref)
	place := drawPlace(t, list)
	kind := rapid.SampledFrom([]string{"comes", "goes", "is renamed", "moves"}).Draw(t, "an item")
	after := func(place int) string {
		if place == 0 {
			return "!" + fmt.Sprint(len(list))
		}
		return list[place-1].name + "!"
	}
	if place == len(list) || kind == "comes" {
		digest := rapid.SampledFrom([]uint64{0, rapid.Uint64().Draw(t, "digest"), 1 << 63, ^uint64(0)}).Draw(t, "size")
		changed = keyed(0, digest)
		changed.name = after(place)
		c.insertInto(ref, changed, counts{}, d)
		return changed
	}
	changed = list[place]
	to := changed.name + "~"
	if kind == "moves" {
		to = after(drawPlace(t, list))
	}
	c.removeFrom(ref, changed, counts{}, d)
	if kind != "goes" {
		changed.name = to
		c.insertInto(ref, changed, counts{}, d)
	}
	return changed
}

func TestADeltaHasEveryPageThatAnEditChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Lists have about the length at which a second page begins, or thousands of items.
		most := rapid.SampledFrom([]int{103, 250, 5000}).Draw(t, "at most")
		owner := newNode(SellerRef("owner"))
		owner.lists[Products] = counted(drawDigests(t, most))
		ref, c := ListRef{Node: owner, Which: Products}, New()
		before := pageStates(owner.List(Products).Pages())
		d := NewDelta()
		for range rapid.IntRange(1, 6).Draw(t, "edits") {
			editAt(t, c, ref, d)
		}
		told := map[PageID]bool{}
		for p := range d.Pages {
			told[p.ID] = true
		}
		after := pageStates(owner.List(Products).Pages())
		for id, p := range after {
			if before[id] != p && id != (PageID{}) && !told[id] {
				t.Fatalf("the page %x is another and not told of", id)
			}
		}
		for id := range before {
			if after[id] == "" && !told[id] {
				t.Fatalf("the page %x went and is not told of", id)
			}
		}
		if !d.Documents[owner] {
			t.Fatal("the list's own document is not told of")
		}
	})
}

// pageStates returns everything that the documents of pages depend on, by page id.
func pageStates(pages []Page) map[PageID]string {
	all := map[PageID]string{}
	for _, p := range pages {
		var b strings.Builder
		fmt.Fprintf(&b, "%x %x", p.PreviousID(), p.NextID())
		for _, n := range p.Items {
			fmt.Fprintf(&b, " %p %s", n, n.name)
		}
		all[p.ID()] = b.String()
	}
	return all
}

// A reader goes from page to page while the list changes: items are added, deleted and
// moved, including those that name pages.
func TestAReaderOfAChangingListSeesUnchangedItemsOnceOrFindsNoPage(t *testing.T) {
	ends := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		owner := newNode(SellerRef("owner"))
		owner.lists[Products] = counted(drawDigests(t, 3000))
		ref, c := ListRef{Node: owner, Which: Products}, New()
		still := map[*Node]bool{}
		for _, n := range owner.List(Products) {
			still[n] = true
		}
		read, whole := map[*Node]int{}, true
		page, _ := owner.List(Products).Page(nil)
		for {
			for _, n := range page.Items {
				read[n]++
			}
			next := page.NextID()
			if next == (PageID{}) {
				break
			}
			for range rapid.IntRange(0, 2).Draw(t, "edits") {
				// Edits right where the reader is about to arrive are the interesting ones.
				if rapid.Bool().Draw(t, "the next page's first") && slices.Contains(owner.List(Products), page.Next) {
					delete(still, page.Next)
					c.removeFrom(ref, page.Next, counts{}, NewDelta())
					page.Next.name = owner.List(Products)[drawPlace(t, owner.List(Products)[1:])].name + "!"
					c.insertInto(ref, page.Next, counts{}, NewDelta())
				}
				delete(still, editAt(t, c, ref, NewDelta()))
			}
			var stands bool
			if page, stands = pageByID(owner.List(Products), next); !stands {
				whole = false
				break
			}
		}
		ends[whole]++
		for n := range still {
			if read[n] > 1 || whole && read[n] != 1 {
				t.Fatalf("%s was read %d times", n.ref, read[n])
			}
		}
	})
	if ends[true] == 0 || ends[false] == 0 {
		t.Errorf("%d readers came to an end, and %d met no page", ends[true], ends[false])
	}
}

func pageByID(l List, id PageID) (Page, bool) {
	for _, p := range l.Pages() {
		if p.ID() == id {
			return p, true
		}
	}
	return Page{}, false
}

func TestMergedDeltasHaveWhatEitherTouched(t *testing.T) {
	a, b := newNode(SellerRef("a")), newNode(SellerRef("b"))
	one, two := NewDelta(), NewDelta()
	one.markPage(ListRef{Node: a}, b)
	two.markPage(ListRef{Node: b}, nil)
	two.markPage(ListRef{Kind: KindArticle}, nil)
	two.Shards[ShardRef{Kind: KindSeller}] = true
	one.Merge(two)
	wanted := map[PageRef]bool{{ListRef{Node: a}, b, b.pageID()}: true, {List: ListRef{Kind: KindArticle}}: true}
	if !maps.Equal(one.Pages, wanted) || !one.Documents[b] || !one.Shards[ShardRef{Kind: KindSeller}] {
		t.Errorf("merged: %+v", one)
	}
}
