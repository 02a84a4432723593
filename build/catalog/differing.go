package catalog

import (
	"fmt"
	"slices"
	"strings"

	"souk/build/kit/problem"
)

// mostDiffering is how many differing attributes get a warning each.
const mostDiffering = 100

// differing warns about attributes whose type or dimension differs from that of most listings
// in a category with an attribute of that name: no filter finds both. Units of one dimension
// are converted and do not differ.
func (c *Catalog) differing(usual map[*Node]usualKeys) (list problem.List) {
	if len(usual) == 0 {
		return nil
	}
	for _, n := range c.nodes {
		if !n.Current() || !slices.ContainsFunc(n.uses, func(m *Node) bool { return usual[m] != nil }) {
			continue
		}
		o := n.offer()
		if o == nil {
			continue
		}
		for _, m := range o.Categories {
			if u := usual[c.nodes[m.Ref]]; u != nil {
				list = append(list, c.differingFrom(o, m.Ref, u)...)
			}
		}
	}
	list.Sort()
	list = slices.CompactFunc(list, func(a, b problem.Problem) bool { // already reported for an earlier category
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column
	})
	if more := len(list) - mostDiffering; more > 0 {
		last := problem.Problem{
			File: list[mostDiffering].File, Text: fmt.Sprintf("%d more attributes differ from what most listings in their categories use", more), Warning: true,
		}
		list = append(list[:mostDiffering], last)
	}
	return list
}

// usualKeys contains, for each name whose values have several types or dimensions in a
// Category, the one that more than half of the values have, and the most frequent spelling of
// its unit.
type usualKeys map[string]usualKey

type usualKey struct {
	attributeKey
	unit string
}

// noted returns, by Category, the usual types of the attributes of its listings, and the
// attributes that no filter can read.
func (c *Catalog) noted() (usual map[*Node]usualKeys, unread map[*Node]unreadTexts) {
	usual, unread = map[*Node]usualKeys{}, map[*Node]unreadTexts{}
	for _, n := range c.categories {
		if n.Current() && (n.kept == nil || n.kept.noted) {
			u, texts := n.Tallies().noted()
			if len(u) > 0 {
				usual[n] = u
			}
			unread[n] = texts
		}
	}
	return usual, unread
}

// noted returns the usual types of attributes, and the unreadable ones. A name is reported as
// one or the other.
func (t *Tallies) noted() (usualKeys, unreadTexts) {
	total, several := map[string]int{}, map[string]int{}
	for key, u := range t.attributes {
		total[key.name] += u.listings
		several[key.name]++
	}
	agreed, unread := usualKeys{}, unreadTexts{}
	for key, u := range t.attributes {
		if u.listings*2 <= total[key.name] {
			continue
		}
		text := ""
		if key.kind == TextValue {
			text = u.firstNumber()
		}
		switch {
		case text != "":
			unread[key.name] = text
		case several[key.name] > 1 && u.listings > 1:
			agreed[key.name] = usualKey{key, u.mostUnit()}
		}
	}
	return agreed, unread
}

func (c *Catalog) differingFrom(o *Offer, category Ref, agreed usualKeys) (list problem.List) {
	look := func(attributes []Attribute) {
		for i := range attributes {
			a := &attributes[i]
			want, told := agreed[c.reader.fold(a.Name)]
			if !told {
				continue
			}
			f, read := c.reader.fact(a)
			if !read || want.attributeKey == f.key {
				continue
			}
			w := at(&o.Head, a.At(), fmt.Sprintf("the attribute %q is %s: most of %s have %s", a.Name, f.key.described(a.Unit), category, want.described(want.unit)),
				"no filter finds both")
			w.Warning = true
			list = append(list, w)
		}
	}
	look(o.Attributes)
	for i := range o.Variants {
		look(o.Variants[i].Attributes)
	}
	return list
}

// mostUnit returns the most frequent spelling of the unit.
func (u *usage) mostUnit() string {
	if u.units == nil {
		return ""
	}
	_, symbol := u.unit()
	return symbol
}

// described describes the values of a key.
func (k attributeKey) described(unit string) string {
	switch {
	case k.kind == TextValue:
		return "text"
	case k.kind == BooleanValue:
		return "true or false"
	case k.dimension == "":
		return "a number without a unit"
	case strings.HasPrefix(k.dimension, "own:"):
		return fmt.Sprintf("a number of %q", unit)
	}
	return fmt.Sprintf("a number in %s (%s)", unit, k.dimension)
}
