package catalog

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestWhereTheMembersStoodThatLeftAListIsKnownHoweverTheyLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := Page{Node: &Node{}, Which: Listings}
		members := rapid.IntRange(1, 30).Draw(t, "members")
		now := make([]int, members)
		for i := range now {
			now[i] = i
		}
		whole, part := newDelta(), newDelta()
		var left []int
		for range rapid.IntRange(0, members).Draw(t, "leave") {
			i := rapid.IntRange(0, len(now)-1).Draw(t, "which")
			left = append(left, now[i])
			now = slices.Delete(now, i, i+1)
			part.left(list, i)
			if rapid.Bool().Draw(t, "a change of its own") {
				whole.Merge(part)
				part = newDelta()
			}
		}
		whole.Merge(part)
		slices.Sort(left)
		if got := whole.Left[list]; !slices.Equal(got, left) {
			t.Fatalf("%v left, and %v is known", left, got)
		}
	})
}

func TestAListThatAlsoGainsAMemberIsNoneThatOnlyLostSome(t *testing.T) {
	items := []Item{category("robots", "")}
	for i := range 9 {
		slug := fmt.Sprintf("s%d", i)
		items = append(items, seller(slug), product(slug+"/arm", fmt.Sprintf("Arm %d", i), "robots"))
	}
	robots := Page{Node: nil, Which: Listings}
	for _, test := range []struct {
		what   string
		change Change
		want   []int
		known  bool
	}{
		{"two sellers leave", Change{Removals: NewRemovals([]Removal{{ID: "s3"}, {ID: "s7"}})}, []int{3, 7}, true},
		{"one leaves and one has something new", Change{
			Removals: NewRemovals([]Removal{{ID: "s3"}}), Put: []Item{product("s5/leg", "Leg", "robots")},
		}, nil, true},
		{"one leaves and one has another name", Change{
			Removals: NewRemovals([]Removal{{ID: "s3"}}), Put: []Item{product("s5/arm", "Zebra", "robots")},
		}, nil, true},
		{"nobody leaves", Change{Removals: NewRemovals(nil)}, nil, false},
	} {
		c := filled(items...)
		test.change.Now = noon
		robots.Node = c.Node(CategoryRef(KindProduct, "robots"))
		d := c.Apply(test.change)
		got, known := d.Left[robots]
		if d.All || known != test.known || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v is known of, %t; all is %t", test.what, got, known, d.All)
		}
	}
}
