package catalog

import (
	"fmt"
	"slices"
	"testing"
)

// TestListsDoNotDependOnTheNumberOfWorkers has more listings than one worker counts at a
// time.
func TestListsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	items := []Item{seller("acme"), seller("brix")}
	for c := range 7 {
		items = append(items, category(fmt.Sprintf("c-%d", c), ""))
	}
	for i := range tallyShare + 100 {
		o := product(fmt.Sprintf("%s/p-%05d", []string{"acme", "brix"}[i%2], i), fmt.Sprintf("P %d", i*7919%1000), fmt.Sprintf("c-%d", i%7))
		o.Attributes = attributesOf(fmt.Sprintf("Reach=%d mm, Mass=%d kg, Colour=%d", i%300, i%41, i%5))
		o.Price = &Price{Amount: fmt.Sprint(i % 977), Currency: "EUR"}
		items = append(items, o)
	}
	c := filled(items...)
	shown := func(workers int) (all []string) {
		c.rebuild(workers)
		for _, n := range c.Nodes() {
			for which := range 2 {
				for _, listed := range n.List(which) {
					all = append(all, fmt.Sprint(n.Ref(), which, listed.Ref()))
				}
			}
			all = append(all, told(n.Tallies().Attributes(50, 20)), fmt.Sprint(n.Tallies().PriceRanges(3)))
		}
		return all
	}
	one := shown(1)
	if len(one) < 2*tallyShare {
		t.Fatalf("only %d lines", len(one))
	}
	for _, workers := range []int{2, 5} {
		if !slices.Equal(one, shown(workers)) {
			t.Errorf("%d workers fill the lists otherwise than one", workers)
		}
	}
}
