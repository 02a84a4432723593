package catalog

import (
	"fmt"
	"slices"
	"strings"

	"souk/build/kit/problem"
)

// orders are the relations that an item cannot have to itself, directly or indirectly.
var orders = map[Rel]string{RelSuccessorOf: "successor", RelPartOf: "part"}

// ordered reports whether an Item states a relation that must not lead back to it.
func ordered(item Item) bool {
	return slices.ContainsFunc(item.Common().Related, func(r Relation) bool { return orders[r.Rel] != "" })
}

// relates reports whether an Item states how it is related to another.
func relates(item Item) bool {
	return slices.ContainsFunc(item.Common().Related, func(r Relation) bool { return r.Rel != RelRelated })
}

// relationCircles finds Items that are their own successors or parts.
func (c *Catalog) relationCircles() (list problem.List) {
	for rel, what := range orders {
		endless := c.endless(rel)
		for n := range endless {
			for _, r := range n.Head().Related {
				if r.Rel != rel {
					continue
				}
				if names := c.wayBack(n, c.nodes[r.Ref], rel, endless, map[*Node]bool{}); names != nil {
					names = append([]string{n.ref.String()}, names...)
					list = append(list, at(n.Head(), r.At, fmt.Sprintf("it is its own %s: %s", what, strings.Join(names, " → ")), "remove one of these relations"))
				}
			}
		}
	}
	return list
}

// endless returns the nodes from which following a relation never ends: those on circles, and
// those that lead to one.
func (c *Catalog) endless(rel Rel) map[*Node]bool {
	leads := map[*Node]int{} // by number of targets
	from := map[*Node][]*Node{}
	for n := range c.ordered {
		if n.Withheld() {
			continue
		}
		for _, r := range n.Head().Related {
			if to := c.nodes[r.Ref]; r.Rel == rel && to != nil {
				leads[n]++
				from[to] = append(from[to], n)
			}
		}
	}
	var ends []*Node
	for to := range from {
		if leads[to] == 0 {
			ends = append(ends, to)
		}
	}
	for len(ends) > 0 {
		end := ends[len(ends)-1]
		ends = ends[:len(ends)-1]
		for _, n := range from[end] {
			if leads[n]--; leads[n] == 0 {
				ends = append(ends, n)
			}
		}
	}
	endless := map[*Node]bool{}
	for n, to := range leads {
		if to > 0 {
			endless[n] = true
		}
	}
	return endless
}

// wayBack returns the path along a relation from one node to another, or nil.
func (c *Catalog) wayBack(to, from *Node, rel Rel, endless, seen map[*Node]bool) []string {
	switch {
	case from == to:
		return []string{to.ref.String()}
	case !endless[from] || seen[from]:
		return nil
	}
	seen[from] = true
	for _, r := range from.Head().Related {
		if r.Rel == rel {
			if names := c.wayBack(to, c.nodes[r.Ref], rel, endless, seen); names != nil {
				return append([]string{from.ref.String()}, names...)
			}
		}
	}
	return nil
}

// RelationFrom returns how n relates to another node that names it.
func (n *Node) RelationFrom(other *Node) Rel {
	if other.relates {
		for _, r := range other.Head().Related {
			if r.Ref == n.ref && r.Rel != RelRelated {
				return r.Rel.Inverse()
			}
		}
	}
	switch other.ref.Kind {
	case KindArticle:
		return RelMentionedIn
	case KindMarketMap:
		return RelMapped
	default:
		return RelRelated
	}
}
