package document

import (
	"slices"

	"souk/build/catalog"
)

// An interim release takes what is withheld off every document and leaves the
// rest of a long list where it is: on the page that showed it there is one item
// less, and the pages behind it, which only move up, come with the next release.
// Each item stands on one page all the while, `next` leads to every page, and
// but for the `total` of later pages every count is right.

// Interim gives a Renderer of an interim release. Its Units are what shows
// something that a change took off a list, or is else touched by the change.
func (r *Renderer) Interim(d *catalog.Delta) *Renderer {
	interim := *r
	interim.left = map[catalog.Page][]int{}
	for list, places := range d.Left {
		if len(places) > 0 && list.Node.Current() {
			interim.left[list] = places
		}
	}
	return &interim
}

// Spared counts the pages of lists that an interim release leaves as they are.
func (r *Renderer) Spared() (pages int) {
	for list, places := range r.left {
		pages += pageCount(len(list.Node.List(list.Which))+len(places)) - len(pagesOf(places))
	}
	return pages
}

// pagesOf gives the numbers of the pages on which places of a list are.
func pagesOf(places []int) (numbers []int) {
	for _, at := range places {
		numbers = append(numbers, at/catalog.PageSize+1)
	}
	return slices.Compact(numbers)
}

// interimUnits gives the pages of a list that lost items, beside the first,
// which is part of its owner's document.
func interimUnits(list catalog.Page, places []int) (units []Unit) {
	for _, number := range pagesOf(places) {
		if number > 1 {
			units = append(units, Unit{kind: unitListPage, node: list.Node, which: list.Which, page: number})
		}
	}
	return units
}

// bounds gives the items of a page of a list, where some were left out of the
// pages at these places.
func bounds(total, page int, places []int) (from, to int) {
	from, to = (page-1)*catalog.PageSize, min(page*catalog.PageSize, total+len(places))
	before := func(at int) int { i, _ := slices.BinarySearch(places, at); return i }
	return from - before(from), to - before(to)
}
