package catalog

import (
	"crypto/sha256"
	"iter"
	"slices"
	"sort"
	"unicode/utf8"
)

// PageSize is the maximum number of items on a page of a list.
const PageSize = 100

// cutWindow is the number of neighbours on each side that an item's digest must be smaller
// than for the item to begin a page.
const cutWindow = 24

// A List is an ordered list of current items. It is cut into pages by its items, not by their
// positions, so that a change moves only nearby boundaries. An item begins a page if its
// digest is smaller than the digests of the cutWindow items before it and of as many after it,
// or if the page before would otherwise exceed PageSize. The first cutWindow items never begin
// a page, and a list of at most PageSize items is one page.
type List []*Node

// A PageID identifies a page of a List by the address and the sort key of its first item. It
// is 128 bits of a SHA-256, so no two pages share an id, and an item that moves begins a page
// with another id. A reader who follows the pages therefore skips nothing, whatever changes
// meanwhile. The zero PageID is the id of the first page, which is part of the list's own
// document.
type PageID [16]byte

// pageID returns the id of the page that begins with n.
func (n *Node) pageID() (id PageID) {
	if n == nil {
		return id
	}
	sum := sha256.Sum256([]byte(n.ref.address() + "\n" + n.Key()))
	copy(id[:], sum[:])
	return id
}

// A Page is one page of a List.
type Page struct {
	Items List
	// First is the item that identifies the page; nil for the first page of a list.
	First *Node
	// Previous and Next are the First items of the neighbouring pages. Next is nil on the last
	// page.
	Previous, Next *Node
}

// ID returns the id of the page.
func (p Page) ID() PageID { return p.First.pageID() }

// PreviousID returns the id of the page before; zero is the first page.
func (p Page) PreviousID() PageID { return p.Previous.pageID() }

// NextID returns the id of the page after; zero if there is none.
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

// end returns the index after the page that begins at start.
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

// seam returns the last index up to i at which a page begins by its digest, and so
// independently of how the pages before it are cut.
func (l List) seam(i int) int {
	for ; i > 0; i-- {
		if l.begins(i) {
			return i
		}
	}
	return 0
}

// pagesFrom returns the pages from a seam on, with the index of each page's first item.
// Previous is not set on the first of them.
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

// Page returns the page that begins with an item, or the first page for nil. It
// returns false if no page begins with the item.
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

// PageOf returns the page that has the item at an index.
func (l List) PageOf(at int) Page {
	for start, p := range l.pagesFrom(l.seam(at)) {
		if start+len(p.Items) > at {
			return p
		}
	}
	return Page{}
}

// Initial returns the first letter of the folded name of the item at an index, and the index
// after the last item with the same letter. The list must be sorted by name.
func (l List) Initial(at int) (first rune, end int) {
	initial := func(n *Node) rune {
		r, _ := utf8.DecodeRuneInString(n.Key())
		return r
	}
	first = initial(l[at])
	rest := l[at:]
	return first, at + sort.Search(len(rest), func(i int) bool { return initial(rest[i]) > first })
}

// An outline distinguishes versions of a page with the same id, provided that the items in
// both versions are themselves unchanged.
type outline struct {
	first, last, previous, next *Node
	// holds reports whether the page contains the item that is inserted or deleted.
	holds bool
}

// around returns the outlines of all pages that may change when an item is inserted or deleted
// at an index. held reports whether the list contains the item now.
func (l List) around(place int, held bool) []outline {
	seam, beyond := 0, len(l)
	size, behind := len(l)+1, place
	if held {
		size, behind = len(l), place+1
	}
	// Without the item, a list of PageSize+1 items is one page.
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
