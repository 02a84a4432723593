package catalog

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// companiesOf returns the names of a category's companies, in list order.
func companiesOf(c *Catalog, slug string) string {
	return names(c.nodes[CategoryRef(KindProduct, slug)].List(Companies))
}

func TestACompanyBelongsToCategoriesItNamesOrHasOffersInAndTheirAncestors(t *testing.T) {
	acme, bolt, cube := seller("acme"), seller("bolt"), seller("cube")
	acme.Categories = mention("category:product/hands", "category:product/arms")
	bolt.Categories = mention("category:product/tops")
	c := filled(category("tops", ""), category("arms", "tops"), category("hands", "arms"), acme, bolt, cube,
		product("acme/p", "P", "hands"), product("cube/p", "P", "arms"), product("cube/q", "Q", "arms"))
	check := func(when, tops, arms, hands string) {
		t.Helper()
		for slug, want := range map[string]string{"tops": tops, "arms": arms, "hands": hands} {
			if got := companiesOf(c, slug); got != want {
				t.Errorf("%s, the companies of %s are %q, not %q", when, slug, got, want)
			}
		}
	}
	check("at first", "acme bolt cube", "acme cube", "acme")
	c.Apply(Change{Delete: []Ref{ref("product:cube/p")}, Now: noon})
	check("after one of two offers went", "acme bolt cube", "acme cube", "acme")
	d := c.Apply(Change{Delete: []Ref{ref("product:cube/q")}, Now: noon})
	check("after both went", "acme bolt", "acme", "acme")
	if !d.All && !d.Tree {
		t.Error("the counts in the tree are not rendered again")
	}
	c.Apply(Change{Removals: NewRemovals([]Removal{{ID: "acme"}}), Now: noon})
	check("after a removal", "bolt", "", "")
}

func TestCompaniesOfCategoriesEqualThoseOfAFreshCatalogAfterAnyEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slugs := rapid.SampledFrom([]string{"tops", "arms", "hands"})
		items := map[Ref]Item{}
		for i, slug := range []string{"tops", "arms", "hands"} {
			one := category(slug, []string{"", "tops", "arms"}[i])
			items[one.Ref] = one
		}
		for i := range 20 { // enough that a single edit does not rebuild everything
			one := seller(fmt.Sprint("other-", i))
			items[one.Ref] = one
		}
		all := func() (list []Item) {
			for _, one := range items {
				list = append(list, one)
			}
			return list
		}
		c, removals := filled(all()...), NewRemovals(nil)
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			company := rapid.SampledFrom([]string{"acme", "bolt"}).Draw(t, "company")
			ch := Change{Now: noon}
			switch rapid.IntRange(0, 4).Draw(t, "edit") {
			case 0, 1:
				one := seller(company)
				one.Name = rapid.SampledFrom([]string{"A", "Other-3", "z"}).Draw(t, "name")
				if rapid.Bool().Draw(t, "names one") {
					one.Categories = mention("category:product/" + slugs.Draw(t, "category"))
				}
				ch.Put = []Item{one}
			case 2:
				ch.Put = []Item{product(company+"/p", "P", slugs.Draw(t, "category"))}
			case 3:
				ch.Delete = []Ref{rapid.SampledFrom([]Ref{SellerRef(company), ref("product:" + company + "/p")}).Draw(t, "gone")}
			case 4:
				removals = NewRemovals([]Removal{{ID: company}})
				ch.Removals = removals
			}
			for _, one := range ch.Put {
				items[RefOf(one)] = one
			}
			for _, gone := range ch.Delete {
				delete(items, gone)
			}
			c.Apply(ch)
			fresh := New()
			fresh.Apply(Change{Marketplace: &Marketplace{}, Put: all(), Removals: removals, Now: noon})
			for _, slug := range []string{"tops", "arms", "hands"} {
				if got, want := companiesOf(c, slug), companiesOf(fresh, slug); got != want {
					t.Fatalf("the companies of %s are %q, and in a fresh catalog %q", slug, got, want)
				}
			}
		}
	})
}

func TestACategoryWithOnlyCompaniesGetsNoWarning(t *testing.T) {
	acme := seller("acme")
	acme.Categories = mention("category:product/arms")
	if list := filled(category("arms", ""), acme).Warnings(); len(list) > 0 {
		t.Errorf("warned is of %v", list)
	}
	if list := filled(category("arms", ""), seller("acme")).Warnings(); len(list) != 1 {
		t.Errorf("of an empty category warned is of %v", list)
	}
}

func TestSellersWithoutADomainGetOneWarningAndRequireAContactEmail(t *testing.T) {
	a, b := seller("acme"), seller("bolt")
	a.OfficialDomain, b.OfficialDomain = "", ""
	c := filled(a, b, seller("cube"))
	if list := c.Problems(); len(list) != 1 || list[0].See != a.File {
		t.Errorf("without a contactEmail the mistakes are %v", list)
	}
	c.Apply(Change{Marketplace: &Marketplace{ContactEmail: "desk@market.example"}, Now: noon})
	if list := c.Problems(); len(list) > 0 {
		t.Errorf("with a contactEmail the mistakes are %v", list)
	}
	if list := c.Warnings(); len(list) != 1 || list[0].Text != "2 of 3 sellers have no officialDomain: nobody can claim or remove them by mail" {
		t.Errorf("warned is of %v", list)
	}
	c.Apply(Change{Marketplace: &Marketplace{ContactEmail: "desk@market.example", NoClaims: true}, Now: noon})
	if list := c.Warnings(); len(list) != 1 || list[0].Text != "2 of 3 sellers have no officialDomain: nobody can remove them by mail" {
		t.Errorf("without claims, warned is of %v", list)
	}
	b.ReplacesRemoved = true
	c.Apply(Change{Put: []Item{b}, Now: noon})
	if list := c.Problems(); len(list) != 1 {
		t.Errorf("of one that replaces a removed seller the mistakes are %v", list)
	}
}

func TestASellerWhoseMailboxOrContactPageIsAtARemovedDomainIsWithheld(t *testing.T) {
	removals := NewRemovals([]Removal{{ID: "old", Domain: "old.example"}})
	for name, c := range map[string]struct {
		seller Seller
		held   bool
	}{
		"a contact page below it":                  {Seller{Contact: &Contact{URL: "https://eu.old.example/contact"}}, true},
		"a mailbox there":                          {Seller{Contact: &Contact{Email: "desk@old.example"}}, true},
		"a telephone number alone":                 {Seller{Contact: &Contact{Telephone: "+49 711 1234"}}, false},
		"a website, with a declared domain":        {Seller{OfficialDomain: "new.example", Website: "https://old.example/"}, false},
		"a website, with a domain that is derived": {Seller{OfficialDomain: "new.example", DomainDerived: true, Website: "https://old.example/"}, true},
	} {
		c.seller.ID = "new"
		if _, held := removals.Holds(c.seller.Company()); held != c.held {
			t.Errorf("%s: withheld is %t", name, held)
		}
	}
}

func TestFeaturedItemsMustExistAndAreOmittedIfNotCurrent(t *testing.T) {
	c := filled(seller("acme"))
	c.Apply(Change{Marketplace: &Marketplace{Featured: mention("seller:acme", "seller:nobody")}, Now: noon})
	if list := c.Problems(); len(list) != 1 || list[0].Text != "there is no seller:nobody" {
		t.Errorf("the mistakes are %v", list)
	}
	draft := seller("acme")
	draft.Status = Draft
	c.Apply(Change{Marketplace: &Marketplace{Featured: mention("seller:acme")}, Put: []Item{draft}, Now: noon})
	if list := c.Problems(); len(list) > 0 {
		t.Errorf("of a draft the mistakes are %v", list)
	}
	if list := c.Warnings(); len(list) != 1 {
		t.Errorf("of a draft warned is of %v", list)
	}
}

func TestCompaniesAreCountedByInitial(t *testing.T) {
	var items []Item
	for i, name := range []string{"3M", "Acme", "Ärmel", "Bolt", "böse", "Zeta", "#one"} {
		one := seller(fmt.Sprint("s", i))
		one.Name = name
		items = append(items, one)
	}
	c := filled(items...)
	list, told := c.List(ListRef{Kind: KindSeller}), ""
	for at := 0; at < len(list); {
		first, end := list.Initial(at)
		told += fmt.Sprintf("%c%d ", first, end-at)
		if page := list.PageOf(at); !slices.Contains(page.Items, list[at]) {
			t.Errorf("%s is not on the page that it is said to be on", list[at].Name())
		}
		at = end
	}
	if told != "#1 31 a2 b2 z1 " {
		t.Errorf("the names begin with %s", told)
	}
}
