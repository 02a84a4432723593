package catalog

import (
	"crypto/sha256"
	"iter"
	"slices"
)

// PageSize is the greatest number of items of one page of a list.
const PageSize = 100

// cutWindow is how many items before and behind it an item must precede by its
// digest to begin a page.
const cutWindow = 24

// A List is an ordered list of current things. It is cut into pages by its
// items and not by their places, so that a change moves no boundary but those
// close to it: an item begins a page where its digest is the smallest among the
// cutWindow items before it and as many behind it, and where its page would else
// exceed PageSize. The first cutWindow items begin none, and a list of at most
// PageSize items is one page.
type List []*Node

// A PageID names a page of a List by the address and the place of its first
// item: 128 bits of a SHA-256, so that no two pages ever share one, and an item
// that moves names another page. Whoever goes on from a page to the next skips
// nothing, therefore, whatever became of the list meanwhile. The zero PageID is
// that of the first page, which is part of the list's own document.
type PageID [16]byte

// pageID returns the id of the page that begins with n.
func (n *Node) pageID() (id PageID) {
	if n == nil {
		return id
	}
	sum := sha256.Sum256([]byte(n.ref.address() + "\n" + n.key))
	copy(id[:], sum[:])
	return id
}

// A Page is one page of a List.
type Page struct {
	Items List
	// First is the item that names the page; nil for the first page of a list.
	First *Node
	// Previous and Next are the First of the pages beside it. Next is nil behind
	// the last page.
	Previous, Next *Node
}

// ID names the page.
func (p Page) ID() PageID { return p.First.pageID() }

// PreviousID names the page before; the first page is zero.
func (p Page) PreviousID() PageID { return p.Previous.pageID() }

// NextID names the page behind; zero where there is none.
func (p Page) NextID() PageID { return p.Next.pageID() }

// begins reports whether an item begins a page by its digest.
func (l List) begins(i int) bool {
	if len(l) <= PageSize || i < cutWindow {
		return false
	}
	own := l[i].digest
	for j := i - cutWindow; j <= min(i+cutWindow, len(l)-1); j++ {
		if j != i && l[j].digest <= own {
			return false
		}
	}
	return true
}

// end returns the place behind the page that begins at start.
func (l List) end(start int) int {
	if len(l) <= PageSize {
		return len(l)
	}
	most := min(start+PageSize, len(l))
	for i := start + 1; i < most; i++ {
		if l.begins(i) {
			return i
		}
	}
	return most
}

// seam returns the last place up to i at which a page begins however the pages
// before it are cut.
func (l List) seam(i int) int {
	for ; i > 0; i-- {
		if l.begins(i) {
			return i
		}
	}
	return 0
}

// pagesFrom returns the pages from a seam on, with their places. What stands
// before the seam is not told.
func (l List) pagesFrom(seam int) iter.Seq2[int, Page] {
	return func(yield func(int, Page) bool) {
		named := func(i int) *Node {
			if i == 0 || i == len(l) {
				return nil
			}
			return l[i]
		}
		var previous *Node
		for start := seam; ; {
			end := l.end(start)
			p := Page{Items: l[start:end:end], First: named(start), Previous: previous, Next: named(end)}
			if !yield(start, p) || end == len(l) {
				return
			}
			previous, start = p.First, end
		}
	}
}

// Pages returns all pages; an empty list has one.
func (l List) Pages() []Page {
	var pages []Page
	for _, p := range l.pagesFrom(0) {
		pages = append(pages, p)
	}
	return pages
}

// Page returns the page that an item names, or the first one for nil; false where
// no page begins with the item.
func (l List) Page(first *Node) (Page, bool) {
	at := 0
	if first != nil {
		i, _ := slices.BinarySearchFunc(l, first, compareListed)
		if i == 0 || i >= len(l) || l[i] != first {
			return Page{}, false
		}
		at = i
	}
	for start, p := range l.pagesFrom(l.seam(at - 1)) {
		if start >= at {
			return p, start == at
		}
	}
	return Page{}, false
}

// An outline tells a page from another one of the same name, as long as the
// items that both hold are the same.
type outline struct {
	first, last, previous, next *Node
	// holds: it has the item that comes or goes.
	holds bool
}

// around returns the outlines of the pages that change where an item comes to, or
// leaves, a place: held tells whether the list has it. No others do.
func (l List) around(place int, held bool) []outline {
	seam, beyond := 0, len(l)
	size, behind := len(l)+1, place
	if held {
		size, behind = len(l), place+1
	}
	// A list of PageSize+1 items is one page without the item.
	if size > PageSize+1 {
		seam = l.seam(place - cutWindow - 1)
		beyond = behind + cutWindow
		for beyond < len(l) && !l.begins(beyond) {
			beyond++
		}
	}
	var all []outline
	for start, p := range l.pagesFrom(seam) {
		if start > beyond {
			break
		}
		o := outline{first: p.First, previous: p.Previous, next: p.Next}
		if len(p.Items) > 0 {
			o.last = p.Items[len(p.Items)-1]
		}
		o.holds = held && start <= place && place < start+len(p.Items)
		all = append(all, o)
	}
	return all
}
