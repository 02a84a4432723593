package catalog

import (
	"fmt"
	"strings"

	"souk/build/kit/problem"
)

// maxDepth is the maximum depth of a category below its root.
const maxDepth = 20

// inCircles is the depth of a category that is its own ancestor, or below one.
const inCircles = -1

// depths returns the depth of each category below its root.
func (c *Catalog) depths() map[*Node]int {
	depths := make(map[*Node]int, len(c.categories))
	var path []*Node
	for _, n := range c.categories {
		path = path[:0]
		for ; n != nil && depths[n] == 0; n = c.above(n) {
			depths[n] = inCircles // unless the path ends
			path = append(path, n)
		}
		if n != nil && depths[n] == inCircles {
			continue
		}
		depth := depths[n]
		for i := len(path) - 1; i >= 0; i-- {
			depth++
			depths[path[i]] = depth
		}
	}
	return depths
}

// hierarchy finds categories that are their own ancestors, and the first one of each branch
// that is too deep.
func (c *Catalog) hierarchy() problem.List {
	var list problem.List
	depths := c.depths()
	for _, n := range c.categories {
		switch depths[n] {
		case inCircles:
			if names := c.circle(n); names != nil {
				list = append(list, at(n.Head(), n.item.(*Category).Parent.At,
					"the category is its own ancestor: "+strings.Join(names, " → "), "remove one parent to break the cycle"))
			}
		case maxDepth + 1:
			list = append(list, at(n.Head(), n.item.(*Category).Parent.At,
				fmt.Sprintf("the category is %d levels below its root, and %d are allowed", maxDepth+1, maxDepth), "give it a parent nearer to the root"))
		}
	}
	return list
}

// circle returns the slugs from a category up to itself, or nil if it is not on a circle
// itself.
func (c *Catalog) circle(n *Node) []string {
	seen := map[*Node]bool{n: true}
	names := []string{n.ref.Slug}
	for p := c.above(n); p != nil && (p == n || !seen[p]); p = c.above(p) {
		names = append(names, p.ref.Slug)
		if p == n {
			return names
		}
		seen[p] = true
	}
	return nil
}
