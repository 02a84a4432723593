package stub_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/build/release"
	"souk/build/release/stub"
)

const profile = "/marketplace/companies/acme"

func TestEachStubIsJudgedOnItsOwn(t *testing.T) {
	acme := catalog.Company{ID: "acme", Slug: "acme", Domain: "acme.example"}
	replacing := catalog.Company{ID: "new", Slug: "acme", Domain: "new.example", ReplacesRemoved: true}
	removed := catalog.Removal{ID: "acme", Domain: "acme.example", Slug: "acme"}
	restored, elsewhere, addressed := removed, catalog.Removal{ID: "globex", Slug: "globex"}, removed
	restored.Undone = time.Unix(1, 0)
	addressed.Addresses = []string{profile}
	for _, test := range []struct {
		name   string
		record []catalog.Removal
		forget []string
		of     catalog.Company
		want   stub.Verdict
	}{
		{"nothing on record", nil, nil, acme, stub.Unexplained},
		{"the removal of another", []catalog.Removal{elsewhere}, nil, acme, stub.Unexplained},
		{"its removal", []catalog.Removal{removed}, nil, acme, stub.Gone},
		{"its removal, that was restored", []catalog.Removal{restored}, nil, acme, stub.Free},
		{"one restored, another in force", []catalog.Removal{restored, removed}, nil, acme, stub.Gone},
		{"only its address is left", []catalog.Removal{addressed}, nil, stub.Unknown("acme"), stub.Gone},
		{"who replaces it, and no record", nil, nil, replacing, stub.Unexplained},
		{"who replaces it, and the record tells no addresses", []catalog.Removal{removed}, nil, replacing, stub.Gone},
		{"who replaces it, and it was restored", []catalog.Removal{restored}, nil, replacing, stub.Free},
		{"who replaces it at an address on record", []catalog.Removal{addressed}, nil, replacing, stub.Gone},
		{"the operator names the companySlug", nil, []string{"acme"}, acme, stub.Free},
		{"the operator names the address", nil, []string{profile}, acme, stub.Free},
		{"the operator names the URL", nil, []string{"https://market.example/api/v1" + profile + "/"}, acme, stub.Free},
		{"the operator names another", nil, []string{"acm", profile + "/products/arm"}, acme, stub.Unexplained},
		{"the operator cannot overrule a removal", []catalog.Removal{removed}, []string{"acme"}, acme, stub.Gone},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := stub.Judge(catalog.NewRemovals(test.record), test.forget, test.of, profile); got != test.want {
				t.Errorf("the verdict is %d, not %d", got, test.want)
			}
		})
	}
	if got := stub.Judge(nil, nil, acme, profile); got != stub.Unexplained {
		t.Errorf("without a record the verdict is %d", got)
	}
}

// owners are the owners in a release by companySlug.
type owners map[string]release.Owner

func (o owners) Owner(slug string) (release.Owner, bool) { one, known := o[slug]; return one, known }

func TestAReleaseThatShowsAWithheldSellerIsReported(t *testing.T) {
	const folder = "api/v1/marketplace/companies/"
	record := catalog.NewRemovals([]catalog.Removal{
		{ID: "acme", Domain: "acme.example", Slug: "acme", SeparateIDs: []string{"neighbour"}, Addresses: []string{profile, "/marketplace/companies/former"}},
		{ID: "back", Undone: time.Unix(1, 0)},
	})
	for _, test := range []struct {
		name  string
		of    owners
		files []string
		want  string // "" if nobody is shown
	}{
		{"nobody", owners{"globex": {ID: "globex"}}, []string{folder + "globex.json", "robots.txt"}, ""},
		{"the removed seller", owners{"acme": {ID: "acme"}}, []string{folder + "acme.json"}, "acme (by its id)"},
		{"a stub of it", owners{"acme": {ID: "acme"}}, []string{folder + "acme.gone.json"}, ""},
		{"an offer of it alone", owners{"acme": {ID: "acme"}}, []string{folder + "acme/products/arm.json"}, "acme (by its id)"},
		{"its domain under another slug", owners{"new": {ID: "new", Domains: []string{"acme.example"}}}, []string{folder + "new.json"}, "new (by its official domain)"},
		{"a former domain", owners{"new": {ID: "new", Domains: []string{"new.example", "acme.example"}}}, []string{folder + "new.json"}, "new (by its former domain)"},
		{"who takes its slug", owners{"acme": {ID: "new"}}, []string{folder + "acme.json"}, "acme (by its companySlug)"},
		{"who replaces it", owners{"acme": {ID: "new", Replaces: true}}, []string{folder + "acme.json"}, ""},
		{"who takes a slug that it had before", owners{"former": {ID: "new"}}, []string{folder + "former.json"}, "former (by its companySlug)"},
		{"who stood at a slug that it had before", owners{"former": {ID: "neighbour"}}, []string{folder + "former.json"}, ""},
		{"who has no domain and its website", owners{"new": {ID: "new", Web: []string{"shop.acme.example"}}}, []string{folder + "new.json"}, "new (by its website)"},
		{"nobody knows who, at an address that it had", owners{}, []string{folder + "former.json"}, "former (its address is a removed seller's)"},
		{"who was restored", owners{"back": {ID: "back"}}, []string{folder + "back.json"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]bool{}
			for _, file := range test.files {
				files[file] = true
			}
			err := stub.CheckShown(record, test.of, files)
			var withdrawn *stub.WithdrawnError
			errors.As(err, &withdrawn)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("it is told: %v", err)
			case test.want != "" && (withdrawn == nil || !slices.Equal(withdrawn.Sellers, []string{test.want})):
				t.Errorf("it tells %v, not %q", err, test.want)
			}
			if err := stub.CheckShown(nil, test.of, files); err != nil {
				t.Errorf("without a record it tells %v", err)
			}
		})
	}
}

func TestALongListOfAddressesIsTruncated(t *testing.T) {
	err := &stub.UnexplainedError{Place: "the public folder", Addresses: slices.Repeat([]string{profile}, 8)}
	if text := err.Error(); strings.Count(text, profile) != 5 || !strings.HasSuffix(text, " and 3 more") {
		t.Errorf("it says %q", text)
	}
}

func TestADocumentBecomesAStubIfTheRemovedSellerHadItsAddress(t *testing.T) {
	const arm = profile + "/products/arm"
	byHand := catalog.Removal{ID: "acme", Domain: "acme.example", Slug: "acme"}
	recorded := byHand
	recorded.Addresses = []string{profile, arm}
	acme := catalog.Company{ID: "acme", Slug: "acme", Domain: "acme.example"}
	later := catalog.Company{ID: "new", Slug: "acme", Domain: "new.example"}
	replacing := later
	replacing.ReplacesRemoved = true
	former := catalog.Company{ID: "new", Slug: "new", Domain: "new.example", Former: []string{"acme.example"}}
	for _, test := range []struct {
		name         string
		of           catalog.Company
		address      string
		hand, record bool
	}{
		{"its own", acme, arm, true, true},
		{"its own, which nobody recorded", acme, profile + "/products/late", true, true},
		{"the profile of who took its place", later, profile, true, true},
		{"the profile of who replaces it", replacing, profile, true, true},
		{"a product of who took its place, where it had one", later, arm, true, true},
		{"a product of who took its place", later, profile + "/products/llama", true, false},
		{"a product of who replaces it", replacing, profile + "/products/llama", false, false},
		{"that of a company that has its domain among the former ones", former, "/marketplace/companies/new", false, false},
	} {
		for _, by := range []struct {
			removal catalog.Removal
			want    bool
		}{{byHand, test.hand}, {recorded, test.record}} {
			if got := stub.LeavesStub(catalog.NewRemovals([]catalog.Removal{by.removal}), test.of, test.address); got != by.want {
				t.Errorf("%s, with %d addresses on record: %t", test.name, len(by.removal.Addresses), got)
			}
			undone := by.removal
			undone.Undone = time.Unix(1, 0)
			if stub.LeavesStub(catalog.NewRemovals([]catalog.Removal{undone}), test.of, test.address) {
				t.Errorf("%s, with %d addresses on record: after the restore", test.name, len(by.removal.Addresses))
			}
		}
	}
}
