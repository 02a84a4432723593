package dynamic

import (
	"maps"
	"slices"
	"testing"

	"souk/build"
	"souk/build/catalog"
)

func TestHistoryHasFormerOwnersOfACompanySlug(t *testing.T) {
	const (
		gone  = "officialDomain: gone.example\nversions: [{version: 1, name: Gone}]\n"
		fresh = "id: fresh\nofficialDomain: fresh.example\nversions: [{version: 1, name: Fresh}]\n"
		other = "id: other\nofficialDomain: other.example\nversions: [{version: 1, name: Other}]\n"
	)
	listed := catalog.NewRemovals([]catalog.Removal{{ID: "gone", Domain: "gone.example", Slug: "gone", Addresses: []string{"/marketplace/companies/gone"}}})
	for _, test := range []struct {
		name string
		// steps contain each seller's file by companySlug; "" deletes it.
		steps []map[string]string
		// ids are the published ids of fresh and other at the end.
		ids []string
	}{
		{"it is there", []map[string]string{{"shop": fresh}}, []string{"fresh"}},
		{"it is deleted", []map[string]string{{"shop": fresh}, {"shop": ""}}, nil},
		{"it is withheld", []map[string]string{{"shop": fresh}, {"shop": fresh + "formerDomains: [gone.example]\n"}}, nil},
		{"the removed seller comes back in its place", []map[string]string{{"gone": "replaces: removed\n" + fresh}, {"gone": gone}}, nil},
		{"what is withheld has another id", []map[string]string{{"shop": fresh}, {"shop": "id: other\n" + gone}}, nil},
		{"another takes its place", []map[string]string{{"shop": fresh}, {"shop": other}}, []string{"other"}},
		{"it moves, and another takes its place", []map[string]string{{"shop": fresh}, {"store": fresh, "shop": other}}, []string{"fresh", "other"}},
		{"two change places", []map[string]string{{"shop": fresh, "store": other}, {"shop": other, "store": fresh}}, []string{"fresh", "other"}},
		{"another takes a place that it had", []map[string]string{{"shop": fresh}, {"store": fresh + "aliases: [seller:shop]\n", "shop": ""}, {"store": fresh}, {"shop": other}}, []string{"fresh", "other"}},
		{"another leaves a place that it had", []map[string]string{{"shop": fresh}, {"store": fresh, "shop": ""}, {"shop": other}, {"shop": ""}}, []string{"fresh"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			h.Config.Build.At, h.Config.Build.LongLived, h.Config.Build.Pages, h.Config.Build.Snapshot = fixed, true, false, false
			b, err := build.New(h.Config.Build)
			if err != nil {
				t.Fatal(err)
			}
			record := NewRecord(h.Verification.Ledger, listed)
			for _, step := range append([]map[string]string{{}}, test.steps...) {
				for slug, text := range step {
					if text == "" {
						h.remove("sellers/" + slug)
					} else {
						h.write("sellers/"+slug+"/seller.yaml", text)
					}
				}
				removals, err := record.Removals(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				report, err := b.Build(t.Context(), removals, build.Whole)
				if err != nil || len(report.HeldBack) > 0 {
					t.Fatal(err, report.HeldBack)
				}
				if err := record.Released(t.Context(), b, report, fixed); err != nil {
					t.Fatal(err)
				}
			}
			published := map[string]bool{}
			for _, id := range []string{"fresh", "other"} {
				history, err := h.operator().History(t.Context(), id)
				if err != nil && id == "fresh" {
					t.Fatal(err)
				}
				for _, p := range history.Publications {
					published[p.SellerID] = published[p.SellerID] || p.SellerID == id && p.Until.IsZero()
				}
			}
			maps.DeleteFunc(published, func(_ string, is bool) bool { return !is })
			if got := slices.Sorted(maps.Keys(published)); !slices.Equal(got, test.ids) {
				t.Errorf("the history has as published %v, want %v", got, test.ids)
			}
		})
	}
}

// A process is killed between a release and its record. Whatever only that release had is
// gone with the next one.
func TestHistoryIncludesAnUnrecordedRelease(t *testing.T) {
	h := newHouse(t)
	h.Config.Build.At, h.Config.Build.LongLived = fixed, true
	product := func(slug string) {
		h.write("sellers/lone/products/"+slug+".yaml", "name: "+slug+"\ncategories: [robots]\n")
	}
	steps := []struct {
		recorded bool
		edit     func()
	}{
		{true, func() {
			h.write("sellers/lone/seller.yaml", "id: lone\nofficialDomain: lone.example\nversions: [{version: 1, name: Lone}]\n")
			product("first")
		}},
		{false, func() { product("second") }},
		{true, func() { h.remove("sellers/lone/products/second.yaml"); product("third") }},
	}
	for _, step := range steps {
		step.edit()
		b, err := build.New(h.Config.Build)
		if err != nil {
			t.Fatal(err)
		}
		record := NewRecord(h.Verification.Ledger, nil)
		removals, err := record.Removals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		report, err := b.Build(t.Context(), removals, build.Whole)
		if err != nil || len(report.HeldBack) > 0 {
			t.Fatal(err, report.HeldBack)
		}
		if !step.recorded {
			continue
		}
		if err := record.Released(t.Context(), b, report, fixed); err != nil {
			t.Fatal(err)
		}
	}
	history, err := h.operator().History(t.Context(), "lone")
	if err != nil || history.Addresses != 4 {
		t.Errorf("%d addresses are on record, %v: want the profile and three products", history.Addresses, err)
	}
	if n := len(history.Publications); n != 1 {
		t.Errorf("it was published %d times", n)
	}
}
