package catalog

import (
	"fmt"
	"strings"
	"testing"
)

// chain returns categories, each below the previous one.
func chain(length int) []Item {
	items := []Item{category("c1", "")}
	for i := 2; i <= length; i++ {
		items = append(items, category(fmt.Sprintf("c%d", i), fmt.Sprintf("c%d", i-1)))
	}
	return items
}

func TestCategoriesAreAtMostTwentyLevelsDeep(t *testing.T) {
	if got := filled(chain(20)...).Problems(); len(got) != 0 {
		t.Errorf("20 levels: %v", got)
	}
	const want = "categories/product/c21.yaml:2:9: the category is 21 levels below its root, and 20 are allowed (give it a parent nearer to the root)"
	for _, length := range []int{21, 25, 2000} {
		if got := filled(chain(length)...).Problems(); len(got) != 1 || got[0].String() != want {
			t.Errorf("%d levels: %v", length, got)
		}
	}
}

func TestCategoryBelowACycleIsNotItsOwnAncestor(t *testing.T) {
	got := filled(category("a", "b"), category("b", "a"), category("c", "b"), category("d", "gone")).Problems()
	if len(got) != 3 {
		t.Fatalf("problems: %v", got)
	}
	for i, want := range []string{"a → b → a", "b → a → b", "there is no category:product/gone"} {
		if !strings.Contains(got[i].Text, want) {
			t.Errorf("%v, want %s", got[i], want)
		}
	}
}

func TestIDsThatDifferOnlyInCaseOrSpacesAreEqual(t *testing.T) {
	for id, differs := range map[string]bool{"Acme Ltd": false, "acme ltd": true, "ACMELTD": true, " Acme  Ltd": true} {
		a, b := seller("acme"), seller("bolt")
		a.ID, b.ID = "Acme Ltd", id
		got := filled(a, b).Problems()
		if len(got) != 1 || !strings.Contains(got[0].Text, `the id "`) || strings.HasPrefix(got[0].Text, "apart from case or spaces") != differs {
			t.Errorf("%q: %v", id, got)
		}
	}
	a, b := seller("acme"), seller("bolt")
	a.ID, b.ID = "Acme Ltd", "Acme-Ltd"
	if got := filled(a, b).Problems(); len(got) != 0 {
		t.Errorf("a hyphen: %v", got)
	}
}
