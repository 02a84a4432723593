package catalog

import (
	"slices"
	"testing"

	"souk/build/kit/problem"
)

func TestPinnedListingsMustBelongToTheCategory(t *testing.T) {
	arms, robots := category("arms", "robots"), category("robots", "")
	robots.Pins = mention("product:acme/arm", "product:acme/saw", "product:acme/later", "product:acme/am")
	later := product("acme/later", "Later", "tools")
	later.Status = Draft
	c := filled(seller("acme"), arms, robots, category("tools", ""), product("acme/arm", "Arm", "arms"), product("acme/saw", "Saw", "tools"), later)
	said := func(list problem.List) (all []string) {
		for _, p := range list {
			if p.File == robots.File {
				all = append(all, p.String())
			}
		}
		return all
	}
	if got, want := said(c.Problems()), []string{
		`categories/product/robots.yaml:4:1: there is no product:acme/am (did you mean "product:acme/arm"?)`,
	}; !slices.Equal(got, want) {
		t.Errorf("the mistakes are %q", got)
	}
	if got, want := said(c.Warnings()), []string{
		"categories/product/robots.yaml:2:1: product:acme/saw is neither in this category nor in one below it, so it is not pinned (add robots to its categories, or remove the pin)",
		"categories/product/robots.yaml:3:1: product:acme/later is not current, so it is left out of the output",
	}; !slices.Equal(got, want) {
		t.Errorf("the warnings are %q", got)
	}
}

func TestSynonymsAreReplacedAsAWhole(t *testing.T) {
	c := filled(seller("acme"))
	first, second := []Synonyms{{[]string{"a"}, []string{"b"}}}, []Synonyms{}
	if d := c.Apply(Change{Synonyms: &first, Now: noon}); d.All || len(d.Documents) > 0 {
		t.Errorf("synonyms touch documents: %+v", d)
	}
	_, back := tried(c, Change{Synonyms: &second, Now: noon})
	if len(c.Synonyms()) != 0 {
		t.Error("the change is not applied")
	}
	c.Apply(back)
	if len(c.Synonyms()) != 1 {
		t.Error("the change is not taken back")
	}
	c.Apply(Change{Put: []Item{seller("bolt")}, Now: noon})
	if len(c.Synonyms()) != 1 {
		t.Error("another change takes synonyms away")
	}
}
