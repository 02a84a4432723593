package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestARemovalWithholdsMatchingSellers(t *testing.T) {
	removed := Removal{ID: "acme", FormerIDs: []string{"acme-of-old", "neighbour"}, Domain: "acme.example", Slug: "acme-arms", SeparateIDs: []string{"buyer", "neighbour"},
		Addresses: []string{"/marketplace/companies/acme-arms", "/marketplace/companies/acme-of-old", "/marketplace/companies/acme-of-old/products/arm",
			"/marketplace/companies/host/products/arm"}}
	for _, test := range []struct {
		name    string
		company Company
		by      By // "" if the removal does not apply
	}{
		{"the same canonical id, under whatever slug", Company{ID: "acme", Slug: "new", Domain: "new.example"}, ByID},
		{"a canonical id that it had before", Company{ID: "Acme-of-Old", Slug: "new", Domain: "new.example"}, ByID},
		{"the same official domain", Company{ID: "new", Slug: "new", Domain: "acme.example"}, ByDomain},
		{"the domain among the former ones", Company{ID: "new", Slug: "new", Domain: "new.example", Former: []string{"x.example", "acme.example"}}, ByFormerDomain},
		{"the domain among the former ones of who stood beside", Company{ID: "buyer", Slug: "buyer", Domain: "buyer.example", Former: []string{"acme.example"}}, ""},
		{"who stood beside and has the domain now", Company{ID: "buyer", Slug: "buyer", Domain: "acme.example"}, ByDomain},
		{"the removed slug among the aliases", Company{ID: "new", Slug: "new", Domain: "new.example", Aliases: []string{"x", "acme-arms"}}, ByAlias},
		{"a slug that it had before among the aliases", Company{ID: "new", Slug: "new", Domain: "new.example", Aliases: []string{"acme-of-old"}}, ByAlias},
		{"the removed slug among the aliases of who stood beside", Company{ID: "buyer", Slug: "buyer", Domain: "buyer.example", Aliases: []string{"acme-arms"}}, ""},
		{"a product of the removed one among the aliases", Company{ID: "new", Slug: "new", Domain: "new.example", Aliases: []string{"arm"}}, ""},
		{"the same slug", Company{ID: "new", Slug: "acme-arms", Domain: "new.example"}, BySlug},
		{"the same slug, replacing the removed one", Company{ID: "new", Slug: "acme-arms", Domain: "new.example", ReplacesRemoved: true}, ""},
		{"replacing, with the removed id", Company{ID: "acme", Slug: "acme-arms", Domain: "new.example", ReplacesRemoved: true}, ByID},
		{"replacing, with the removed domain", Company{ID: "new", Slug: "acme-arms", Domain: "acme.example", ReplacesRemoved: true}, ByDomain},
		{"a slug that is the removed id", Company{ID: "new", Slug: "acme", Domain: "new.example"}, ""},
		{"a sub-domain", Company{ID: "new", Slug: "new", Domain: "lab.acme.example"}, ""},
		{"the parent domain", Company{ID: "new", Slug: "new", Domain: "example"}, ""},
		{"a look-alike", Company{ID: "new", Slug: "new", Domain: "not-acme.example"}, ""},
		{"a slug that it had before", Company{ID: "new", Slug: "acme-of-old", Domain: "new.example"}, BySlug},
		{"a slug that it had before, replacing the removed one", Company{ID: "new", Slug: "acme-of-old", Domain: "new.example", ReplacesRemoved: true}, ""},
		{"a slug that it had before, of who stood there", Company{ID: "neighbour", Slug: "acme-of-old", Domain: "new.example"}, ""},
		{"the removed slug, of who stood beside", Company{ID: "neighbour", Slug: "acme-arms", Domain: "new.example"}, BySlug},
		{"a slug at which it had a product alone", Company{ID: "new", Slug: "host", Domain: "new.example"}, ""},
		{"a website at its domain", Company{ID: "new", Slug: "new", Web: []string{"acme.example"}}, ByWebsite},
		{"a website below its domain", Company{ID: "new", Slug: "new", Web: []string{"x.example", "shop.www.acme.example"}}, ByWebsite},
		{"a website above its domain", Company{ID: "new", Slug: "new", Web: []string{"example"}}, ""},
		{"a website at a look-alike", Company{ID: "new", Slug: "new", Web: []string{"not-acme.example"}}, ""},
		{"nobody", Company{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			hold, held := NewRemovals([]Removal{{ID: "other", Domain: "other.example"}, removed}).Holds(test.company)
			if hold.By != test.by || held != (test.by != "") {
				t.Errorf("held: %t, by %q instead of %q", held, hold.By, test.by)
			}
			restored := removed
			restored.Undone = time.Unix(1, 0)
			if _, held := NewRemovals([]Removal{restored}).Holds(test.company); held {
				t.Error("the restored removal holds")
			}
		})
	}
}

func TestWWWBelongsToADomainUnlessItIsTheDomain(t *testing.T) {
	for domain, want := range map[string]string{
		"www.acme.example": "acme.example", "acme.example": "acme.example", "www.acme.co.uk": "acme.co.uk",
		"www.co.uk": "www.co.uk", "www.example": "www.example", "www.github.io": "www.github.io", "wwww.acme.example": "wwww.acme.example",
		"www.www.acme.example": "www.acme.example",
	} {
		if got := BareDomain(domain); got != want {
			t.Errorf("%s is compared as %s instead of %s", domain, got, want)
		}
	}
	if _, held := NewRemovals([]Removal{{ID: "Acme Works"}}).Holds(Company{ID: "acme-works"}); held {
		t.Error("another canonical id is withheld")
	}
	if _, held := NewRemovals([]Removal{{ID: "Acme"}}).Holds(Company{ID: "acme "}); !held {
		t.Error("the id in other letters, which check takes for the same, is not withheld")
	}
	if _, held := NewRemovals([]Removal{{Domain: "www.acme.example"}}).Holds(Company{ID: "x", Domain: "acme.example"}); !held {
		t.Error("a removal with www. does not hold for the domain without it")
	}
}

func TestARestoredRemovalExplainsNoLaterStub(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	set := NewRemovals([]Removal{{ID: "before", Undone: at.Add(-time.Second)}, {ID: "since", Undone: at}, {ID: "held"}}).Standing(at)
	for id, explained := range map[string]bool{"before": false, "since": true, "held": true} {
		if is := set.Explains(Company{ID: id}, "/"); is != explained {
			t.Errorf("the stub of %s is explained: %t", id, is)
		}
	}
}

func TestChangesBetweenTwoSetsOfRemovals(t *testing.T) {
	a, b := Removal{ID: "a", Domain: "a.example"}, Removal{ID: "b"}
	slug, undone, again := Removal{Slug: "c"}, a, a
	undone.Undone = time.Unix(2, 0)
	learnt := b
	learnt.Addresses = []string{"/marketplace/companies/b"}
	corrected := b
	corrected.Addresses = []string{"/marketplace/companies/bee"}
	undone.At, again.At = time.Unix(1, 0), time.Unix(3, 0)
	againUndone := again
	againUndone.Undone = time.Unix(4, 0)
	for _, test := range []struct {
		name          string
		before, after []Removal
		// want contains the numbers of added, restored and lost removals.
		want [3]int
	}{
		{"the first", nil, []Removal{a}, [3]int{1, 0, 0}},
		{"another", []Removal{a}, []Removal{a, b}, [3]int{1, 0, 0}},
		{"none", []Removal{a, b}, []Removal{b, a}, [3]int{}},
		{"restored", []Removal{a, b}, []Removal{undone, b}, [3]int{0, 1, 0}},
		{"not on record any more", []Removal{a, b}, []Removal{b}, [3]int{0, 0, 1}},
		{"removed again", []Removal{undone}, []Removal{undone, a}, [3]int{1, 0, 0}},
		{"removed again, and that is not on record any more", []Removal{undone, again}, []Removal{undone}, [3]int{0, 0, 1}},
		{"removed again, and restored", []Removal{undone, again}, []Removal{undone, againUndone}, [3]int{0, 1, 0}},
		{"an address was learnt", []Removal{b}, []Removal{learnt}, [3]int{1, 0, 0}},
		{"an address was corrected", []Removal{learnt}, []Removal{corrected}, [3]int{1, 0, 0}},
		{"a companySlug alone", []Removal{slug}, []Removal{slug, a}, [3]int{1, 0, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			added, restored, lost := NewRemovals(test.after).Since(NewRemovals(test.before))
			if got := [3]int{len(added), len(restored), len(lost)}; got != test.want {
				t.Errorf("added, restored and lost are %v, not %v", got, test.want)
			}
		})
	}
}

func TestARegisterNeverRevertsToAnEarlierRecord(t *testing.T) {
	var r Register
	if r.Now() != nil {
		t.Error("a new register knows somebody")
	}
	for _, revision := range []uint64{3, 2, 5, 4} {
		set := NewRemovals(nil)
		set.Revision = revision
		r.Learn(set)
	}
	if got := r.Now().Revision; got != 5 {
		t.Errorf("it knows revision %d", got)
	}
}

func TestTheWarningAboutAWithheldSellerNamesTheRule(t *testing.T) {
	s := seller("acme-arms")
	s.OfficialDomain, s.FormerDomains = "new.example", nil
	for _, test := range []struct {
		name   string
		change func(*Seller)
		want   string
	}{
		{"id", func(s *Seller) { s.ID, s.Ref = "acme", SellerRef("elsewhere") }, `the seller with the id "acme" was removed`},
		{"domain", func(s *Seller) { s.OfficialDomain = "acme.example" }, `the seller of "acme.example" was removed`},
		{"former domain", func(s *Seller) { s.FormerDomains = []string{"acme.example"} }, `"acme.example", which is one of the formerDomains, was removed`},
		{"alias", func(s *Seller) { s.Ref.Slug, s.Aliases = "new", mention("seller:acme-arms") }, "one of the aliases names a removed seller"},
		{"slug", func(*Seller) {}, `had the companySlug "acme-arms" was removed`},
		{"sub-domain", func(s *Seller) { s.OfficialDomain, s.ReplacesRemoved = "lab.acme.example", true }, "above or below it: this seller is still public"},
	} {
		t.Run(test.name, func(t *testing.T) {
			one := *s
			test.change(&one)
			c := New()
			c.Apply(Change{Put: []Item{&one}, Now: noon, Removals: NewRemovals([]Removal{{ID: "acme", Domain: "acme.example", Slug: "acme-arms"}})})
			if list := c.Withheld(); len(list) != 1 || !list[0].Warning || !list[0].Private || !strings.Contains(list[0].Text, test.want) {
				t.Errorf("told: %v", list)
			}
		})
	}
}

func TestEveryRemovalThatWithholdsACompanyIsReported(t *testing.T) {
	set := NewRemovals([]Removal{
		{ID: "first", Slug: "acme"}, {ID: "acme", Domain: "acme.example"}, {ID: "third", Domain: "old.example"},
		{ID: "fourth", Domain: "sold.example", SeparateIDs: []string{"acme"}}, {ID: "acme", Undone: time.Unix(1, 0)}, {ID: "other", Domain: "other.example"},
	})
	var got []string
	company := Company{ID: "acme", Slug: "acme", Domain: "acme.example", Former: []string{"old.example", "sold.example"}}
	for hold := range set.Holding(company) {
		got = append(got, hold.Removal.ID+" by "+string(hold.By))
	}
	if want := []string{"acme by id", "third by former domain", "first by companySlug"}; !slices.Equal(got, want) {
		t.Errorf("told are %q, not %q", got, want)
	}
}

func TestARemovedSellerIsReportedByACheckButNotByABuild(t *testing.T) {
	s := seller("acme")
	c := New()
	c.Apply(Change{Put: []Item{s}, Now: noon, Removals: NewRemovals([]Removal{{ID: s.ID, Domain: s.OfficialDomain, Slug: "acme"}})})
	if list := c.Withheld(); len(list) > 0 {
		t.Errorf("a build tells: %v", list)
	}
	if list := c.Warnings(); len(list) != 1 || !list[0].Private || !strings.Contains(list[0].Text, "was removed") {
		t.Errorf("a check tells: %v", list)
	}
}

func TestReplacingARemovedSellerNeedsAnIdentityOfItsOwn(t *testing.T) {
	for _, test := range []struct {
		id, domain string
		mistake    bool
	}{
		{"new", "new.example", false}, {"acme", "new.example", true}, {"new", "acme.example", true},
		{"acme", "acme.example", false}, // it was removed itself later
	} {
		s := seller("acme")
		s.ID, s.OfficialDomain, s.ReplacesRemoved = test.id, test.domain, true
		c := New()
		c.Apply(Change{Marketplace: &Marketplace{}, Put: []Item{s}, Now: noon, Removals: NewRemovals([]Removal{{ID: "acme", Domain: "acme.example", Slug: "acme"}})})
		mistakes, _ := c.Problems().Split()
		if got := len(mistakes) > 0; got != test.mistake {
			t.Errorf("id %s, domain %s: mistakes %v", test.id, test.domain, mistakes)
		}
	}
}

func TestASoldDomainGetsAWarning(t *testing.T) {
	s, m := seller("buyer"), seller("maker")
	s.FormerDomains = []string{m.OfficialDomain}
	c := filled(s, m)
	if list := c.Warnings(); len(list) != 1 || !strings.Contains(list[0].Text, "official domain of another seller") {
		t.Errorf("warned: %v", list)
	}
}

func TestRemovingAWithheldSellerTouchesItsDocuments(t *testing.T) {
	other, own := Removal{ID: "bolt", Slug: "bolt"}, Removal{ID: "acme", Slug: "acme"}
	for _, test := range []struct {
		name          string
		before, after []Removal
		gone          bool
	}{
		{"after that of another one", []Removal{other}, []Removal{other, own}, true},
		{"before that of another one", []Removal{other, own}, []Removal{other}, false},
	} {
		for _, now := range []string{"2026-06-02", "2026-09-01"} {
			items := []Item{with(seller("acme"), "seller:bolt"), product("acme/arm", "Arm", "robots"), category("robots", "")}
			items[0].Common().ExpiresAt = day("2026-12-31")
			for i := range 20 {
				items = append(items, seller(fmt.Sprintf("s%d", i)))
			}
			items[3].Common().PublishedAt = day("2026-08-01")
			c := New()
			c.Apply(Change{Marketplace: &Marketplace{}, Put: items, Now: noon, Removals: NewRemovals(test.before)})
			acme, arm := c.Node(ref("seller:acme")), c.Node(ref("product:acme/arm"))
			if !acme.Withheld() || acme.Removed() == test.gone {
				t.Fatalf("%s: withheld is %t, removed is %t", test.name, acme.Withheld(), acme.Removed())
			}
			d := c.Apply(Change{Now: day(now).Time, Removals: NewRemovals(test.after)})
			if d.All || acme.Removed() != test.gone || arm.Removed() != test.gone || !d.Documents[acme] || !d.Documents[arm] {
				t.Errorf("%s, on %s: removed are %t and %t, touched %t and %t, all is %t", test.name, now,
					acme.Removed(), arm.Removed(), d.Documents[acme], d.Documents[arm], d.All)
			}
		}
	}
}

func TestAWebsiteIdentifiesOnlyACompanyWithoutAnOfficialDomain(t *testing.T) {
	for _, test := range []struct{ domain, website, web string }{
		{"", "https://Shop.Acme.example:8443/a?b=c#d", "shop.acme.example"},
		{"", "https://bücher.example./", "xn--bcher-kva.example"},
		{"", "http://under_score.example", "under_score.example"},
		{"", "", ""},
		{"own.example", "https://acme.example", ""},
	} {
		s := seller("new")
		s.OfficialDomain, s.Website = test.domain, test.website
		if got := strings.Join(s.Company().Web, " "); got != test.web {
			t.Errorf("%q at %q is known by %q, not %q", test.domain, test.website, got, test.web)
		}
	}
}

// To other files, withheld items do not exist. Each of these is a mistake while an item is
// withheld, and again after the restore.
func TestWithheldItemsCauseNoMistakesInOtherFiles(t *testing.T) {
	robots := category("robots", "")
	part := func(of string, rel Rel, to ...string) *Offer {
		o := product(of, of, "robots")
		o.Related = relation(rel, to...)
		return o
	}
	sameID, sameDomain := seller("bolt"), seller("bolt")
	sameID.ID, sameDomain.OfficialDomain = "acme", "acme.example"
	for _, test := range []struct {
		name  string
		items []Item
	}{
		{"its canonical id", []Item{seller("acme"), sameID}},
		{"its official domain", []Item{seller("acme"), sameDomain}},
		{"an alias that is its address", []Item{seller("acme"), with(seller("bolt"), "seller:acme")}},
		{"an alias that is the address of its product", []Item{seller("acme"), product("acme/arm", "Arm", "robots"), seller("bolt"), with(product("bolt/arm", "Arm", "robots"), "product:acme/arm")}},
		{"an address among its aliases", []Item{with(seller("acme"), "seller:bolt"), seller("bolt")}},
		{"an alias that it has too", []Item{with(seller("acme"), "seller:old"), with(seller("bolt"), "seller:old")}},
		{"an alias that its product has too", []Item{
			seller("acme"), seller("bolt"), with(product("acme/arm", "Arm", "robots"), "product:old/arm"), with(product("bolt/arm", "Arm", "robots"), "product:old/arm"),
		}},
		{"an address below its alias", []Item{
			with(seller("acme"), "seller:old"), product("acme/arm", "Arm", "robots"), seller("bolt"), with(product("bolt/arm", "Arm", "robots"), "product:old/arm"),
		}},
		{"an alias of its product below another's alias", []Item{
			seller("acme"), with(product("acme/arm", "Arm", "robots"), "product:old/arm"), with(seller("bolt"), "seller:old"), product("bolt/arm", "Arm", "robots"),
		}},
		{"what is part of it", []Item{seller("acme"), seller("bolt"), part("acme/arm", RelPartOf, "product:bolt/arm"), part("bolt/arm", RelPartOf, "product:acme/arm")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			removed := Removal{ID: "acme", Domain: "acme.example", Slug: "acme", SeparateIDs: []string{"bolt"}}
			restored := removed
			restored.Undone = noon
			c := filled(append(test.items, robots)...)
			told := func() string { return fmt.Sprint(c.Problems()) }
			before := told()
			if before == "[]" {
				t.Fatal("it is no mistake while nobody is removed")
			}
			c.Apply(Change{Now: noon, Removals: NewRemovals([]Removal{removed})})
			if got := told(); got != "[]" {
				t.Errorf("once it is removed: %s", got)
			}
			c.Apply(Change{Now: noon, Removals: NewRemovals([]Removal{restored})})
			if got := told(); got != before {
				t.Errorf("once it is restored: %s, not %s", got, before)
			}
		})
	}
}

// A Reference to a withheld item is omitted with a warning and is not a mistake.
func TestAReferenceToAWithheldItemIsNotAMistake(t *testing.T) {
	bolt := seller("bolt")
	bolt.Related = relation(RelRelated, "seller:acme", "product:acme/arm")
	c := New()
	c.Apply(Change{Marketplace: &Marketplace{}, Put: []Item{seller("acme"), product("acme/arm", "Arm", "robots"), category("robots", ""), bolt}, Now: noon, Removals: NewRemovals([]Removal{{ID: "acme"}})})
	if list := c.Problems(); len(list) > 0 {
		t.Errorf("mistakes: %v", list)
	}
	if text := fmt.Sprint(c.Warnings()); strings.Count(text, "is left out of the output") != 2 {
		t.Errorf("warnings: %s", text)
	}
}

func TestAnAliasOfAWithheldSellerTakesNoAddressFromOthers(t *testing.T) {
	items := []Item{
		with(seller("acme"), "seller:bolt", "seller:old"), product("acme/arm", "Arm", "robots"), with(seller("cord"), "seller:old"), product("cord/arm", "Arm", "robots"),
		seller("bolt"), category("robots", ""),
	}
	c := New()
	c.Apply(Change{Marketplace: &Marketplace{}, Put: items, Now: noon, Removals: NewRemovals([]Removal{{ID: "acme", Slug: "acme"}})})
	for former, want := range map[string]string{
		"seller:bolt": "seller:bolt", "product:bolt/arm": "", "seller:old": "seller:cord", "product:old/arm": "product:cord/arm",
	} {
		got := ""
		if n := c.At(ref(former)); n != nil {
			got = n.ref.String()
		}
		if got != want {
			t.Errorf("%s leads to %q, not %q", former, got, want)
		}
	}
}
