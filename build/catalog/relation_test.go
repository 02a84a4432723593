package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// relation returns relations to the given References.
func relation(rel Rel, texts ...string) (all []Relation) {
	for _, m := range mention(texts...) {
		all = append(all, Relation{m, rel})
	}
	return all
}

func TestARelationHasItsInverseOnTheOtherSide(t *testing.T) {
	for rel, inverse := range map[Rel]Rel{
		RelRelated: RelRelated, RelWorksWith: RelWorksWith, RelAlternativeTo: RelAlternativeTo, RelRequires: RelRequiredBy,
		RelPartOf: RelHasPart, RelSuccessorOf: RelSucceededBy, RelServiceFor: RelServicedBy,
	} {
		c := New()
		arm, rail := product("acme/arm", "Arm"), product("acme/rail", "Rail")
		rail.Related = relation(rel, "product:acme/arm")
		c.Apply(Change{Put: []Item{seller("acme"), arm, rail}})
		if got := c.Node(arm.Ref).RelationFrom(c.Node(rail.Ref)); got != inverse {
			t.Errorf("%d: the other side is %d, want %d", rel, got, inverse)
		}
	}
}

// drawnRelations draws up to six products with arbitrary successors.
func drawnRelations(t *rapid.T) (c *Catalog, leads map[string][]string) {
	c, leads = New(), map[string][]string{}
	items := []Item{seller("acme")}
	for i := range 6 {
		slug := fmt.Sprint("p", i)
		p := product("acme/"+slug, slug)
		for _, to := range rapid.SliceOfNDistinct(rapid.IntRange(0, 5), 0, 2, rapid.ID[int]).Draw(t, "succeeds") {
			target := fmt.Sprint("p", to)
			leads[slug] = append(leads[slug], target)
			p.Related = append(p.Related, relation(RelSuccessorOf, "product:acme/"+target)...)
		}
		p.Related = append(p.Related, relation(RelWorksWith, "product:acme/p0")...) // which cannot form a cycle
		items = append(items, p)
	}
	c.Apply(Change{Put: items})
	return c, leads
}

func TestCyclesOfSuccessorsAreMistakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, leads := drawnRelations(t)
		// A product is in a cycle if one of its own steps leads back to it.
		reaches := func(from, to string) bool {
			seen := map[string]bool{}
			next := []string{from}
			for len(next) > 0 {
				at := next[0]
				next = next[1:]
				if at == to {
					return true
				}
				if !seen[at] {
					seen[at] = true
					next = append(next, leads[at]...)
				}
			}
			return false
		}
		var want []string
		for slug, list := range leads {
			for _, to := range list {
				if reaches(to, slug) {
					want = append(want, slug)
				}
			}
		}
		var got []string
		for _, p := range c.Problems() {
			if !strings.Contains(p.Text, "it is its own successor: product:acme/") {
				t.Fatalf("%+v", p)
			}
			got = append(got, strings.TrimSuffix(p.File[strings.LastIndex(p.File, "/")+1:], ".yaml"))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("mistakes in %v, want %v of %v", got, want, leads)
		}
	})
}
