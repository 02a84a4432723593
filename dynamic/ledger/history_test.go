//go:build unix

package ledger_test

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

func openAndRead(t *testing.T, target string) error {
	l, err := ledger.Open(t.Context(), target)
	if err != nil {
		return err
	}
	_, err = l.LastRelease(t.Context())
	return errors.Join(err, l.Close())
}

func published(slug string, addresses ...string) ledger.Published {
	p := ledger.Published{SellerID: "id-" + slug, Slug: slug, Domain: slug + ".example"}
	for _, a := range append([]string{""}, addresses...) {
		p.Addresses = append(p.Addresses, "companies/"+slug+a)
	}
	return p
}

func record(t *testing.T, l *ledger.Ledger, r ledger.Release) {
	t.Helper()
	if err := l.RecordRelease(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

func whole(id string, hour int, sellers ...ledger.Published) ledger.Release {
	return ledger.Release{ID: id, At: day.Add(time.Duration(hour) * time.Hour), Whole: true, Sellers: slices.Values(sellers)}
}

func publicationHistory(t *testing.T, fresh func() string) {
	t.Run("knows each slug and every address", func(t *testing.T) { everyAddress(t, fresh()) })
	t.Run("a release of before costs nothing", func(t *testing.T) { sameRelease(t, fresh()) })
	t.Run("former addresses are the company's alone", func(t *testing.T) { formerAddresses(t, fresh()) })
	t.Run("another company's addresses are its own", func(t *testing.T) { othersAddresses(t, fresh) })
	t.Run("any way of recording comes to the same", func(t *testing.T) { anyRecording(t, fresh) })
	t.Run("a recording that was cut off is completed", func(t *testing.T) { cutOff(t, fresh()) })
}

func everyAddress(t *testing.T, target string) {
	m := newMarket(t, target, false)
	record(t, m.ledger, whole("r1", 0, published("acme", "/products/arm", "/products/pages/2"), published("zinc")))
	renamed := published("acme-robots", "/products/arm")
	renamed.SellerID, renamed.Domain = "id-acme", "acme.example"
	record(t, m.ledger, ledger.Release{ID: "r2", At: day.Add(time.Hour), Sellers: slices.Values([]ledger.Published{renamed})})
	record(t, m.ledger, ledger.Release{ID: "r3", At: day.Add(2 * time.Hour), Withdrawn: []string{"id-acme"}})
	for _, name := range []string{"acme", "acme-robots", "id-acme", "ACME.example"} {
		h, err := m.History(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range h.Publications {
			got = append(got, fmt.Sprintf("%s %s..%s %s", p.Slug, p.FromRelease, p.UntilRelease, p.Until.Sub(p.From)))
		}
		if want := []string{"acme r1..r2 1h0m0s", "acme-robots r2..r3 1h0m0s"}; !slices.Equal(got, want) || h.Addresses != 5 {
			t.Errorf("%s: %v and %d addresses, want %v and 5", name, got, h.Addresses, want)
		}
	}
	if _, err := m.History(t.Context(), "nobody"); !has(err, verification.CodeNotFound) {
		t.Errorf("nobody: %v", err)
	}
}

func sameRelease(t *testing.T, target string) {
	l := open(t, target)
	record(t, l, whole("r1", 0, published("acme")))
	never := iter.Seq[ledger.Published](func(func(ledger.Published) bool) { t.Error("the sellers are looked at") })
	record(t, l, ledger.Release{ID: "r1", At: day.Add(time.Hour), Whole: true, Sellers: never})
}

func formerAddresses(t *testing.T, target string) {
	m := newMarket(t, target, false)
	// Acme had another slug and id before. Zinc once had Acme's domain and is a different
	// company.
	early := published("acme-old", "/services/x")
	early.Domain = "acme.example"
	zinc := published("zinc")
	zinc.Domain = "acme.example"
	record(t, m.ledger, whole("r1", 0, zinc))
	zinc.Domain = "zinc.example"
	record(t, m.ledger, whole("r2", 1, zinc, early))
	acme := published("acme", "/products/pages/2")
	acme.SellerID = "acme"
	record(t, m.ledger, whole("r3", 2, zinc, acme))
	m.clock = day.Add(3 * time.Hour)
	id, token := m.removal("acme")
	if _, err := m.VerifyRemoval(t.Context(), id, token); err != nil {
		t.Fatal(err)
	}
	removed, err := m.ledger.Removed(t.Context())
	if err != nil || len(removed) != 1 {
		t.Fatalf("%+v, %v", removed, err)
	}
	want := "companies/acme companies/acme-old companies/acme-old/services/x companies/acme/products/pages/2"
	if got := strings.Join(removed[0].Addresses, " "); got != want {
		t.Errorf("addresses\n got %s\nwant %s", got, want)
	}
	// A list that names the company only by its domain finds them too.
	listed, err := m.ledger.Removals(t.Context(), nil, catalog.NewRemovals([]catalog.Removal{{Domain: "acme.example"}}))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(listed.List()[1].Addresses, " "); got != want {
		t.Errorf("by the list\n got %s\nwant %s", got, want)
	}
}

// othersAddresses tests companies that take a companySlug which the removed company had
// before.
func othersAddresses(t *testing.T, fresh func() string) {
	const root = "/marketplace/companies/"
	at := func(id, slug, domain string, below ...string) ledger.Published {
		p := ledger.Published{SellerID: id, Slug: slug, Domain: domain, Addresses: []string{root + slug}}
		for _, one := range below {
			p.Addresses = append(p.Addresses, root+slug+one)
		}
		return p
	}
	const cart, mast = "/products/cart", "/products/mast"
	before := at("acme", "old", "acme.example", cart, mast)
	acme := at("acme", "acme", "acme.example", cart)
	other := at("other", "old", "other.example", cart)
	renamed := at("acme-old", "old", "acme.example", cart, mast)
	all := []string{root + "acme", root + "acme" + cart, root + "old", root + "old" + cart, root + "old" + mast}
	without := []string{all[0], all[1], all[4]}
	for _, test := range []struct {
		name string
		// before and after list the releases before and after the removal, one per hour.
		before, after [][]ledger.Published
		want          []string
		// undated lists the addresses found for a removal list without dates.
		undated []string
		// former lists the earlier canonical ids of the removed company.
		former string
	}{
		{"nobody came", [][]ledger.Published{{before}, {acme}}, [][]ledger.Published{{}}, all, all, ""},
		{"another stands there", [][]ledger.Published{{before}, {acme, other}}, [][]ledger.Published{{other}}, without, without, ""},
		{"another stood there and left since", [][]ledger.Published{{before}, {acme, other}}, [][]ledger.Published{{}}, without, without, ""},
		{"another left before", [][]ledger.Published{{before}, {acme, other}, {acme}}, [][]ledger.Published{{}}, all, without, ""},
		{"another was there first", [][]ledger.Published{{other}, {before}, {acme}}, [][]ledger.Published{{}}, all, all, ""},
		{"another came later", [][]ledger.Published{{before}, {acme}}, [][]ledger.Published{{other}}, all, without, ""},
		{"it had another id", [][]ledger.Published{{renamed}, {acme}}, [][]ledger.Published{{}}, all, all, "acme-old"},
		{"another takes an id that it had", [][]ledger.Published{{renamed}, {acme}}, [][]ledger.Published{{acme, at("acme-old", "far", "far.example")}}, all, all[:2], "acme-old"},
		{"another has an id that it had", [][]ledger.Published{{renamed}, {acme, at("acme-old", "far", "far.example")}}, [][]ledger.Published{{}}, all[:2], all[:2], ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := newMarket(t, fresh(), false)
			hour := 0
			release := func(sellers []ledger.Published) {
				hour++
				record(t, m.ledger, whole(fmt.Sprint("r", hour), hour, sellers...))
			}
			for _, one := range test.before {
				release(one)
			}
			m.clock = day.Add(time.Duration(hour)*time.Hour + time.Minute)
			id, token := m.removal("acme")
			if _, err := m.VerifyRemoval(t.Context(), id, token); err != nil {
				t.Fatal(err)
			}
			for _, one := range test.after {
				release(one)
			}
			removed, err := m.ledger.Removed(t.Context())
			if err != nil || len(removed) != 1 {
				t.Fatalf("%+v, %v", removed, err)
			}
			listed, err := m.ledger.Removals(t.Context(), nil, catalog.NewRemovals([]catalog.Removal{
				{ID: "acme", Domain: "acme.example", At: removed[0].RemovedAt.Truncate(time.Second)}, {Domain: "acme.example"},
			}))
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range [][]string{test.want, test.want, test.undated} {
				if got := listed.List()[i].Addresses; !slices.Equal(got, want) {
					t.Errorf("removal %d has %q, not %q", i, got, want)
				}
			}
			if got := strings.Join(listed.List()[0].FormerIDs, " "); got != test.former {
				t.Errorf("the ids before are %q, not %q", got, test.former)
			}
		})
	}
}

func removalsAreReadAtOneMoment(t *testing.T, fresh func() string) {
	m := newMarket(t, fresh(), false)
	read := func(known *catalog.Removals) *catalog.Removals {
		t.Helper()
		set, err := m.ledger.Removals(t.Context(), known, nil)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	first := read(nil)
	if !first.Empty() || read(first) != first {
		t.Error("a ledger without removals has some, or is read anew without need")
	}
	id, token := m.removal("sold")
	if _, err := m.VerifyRemoval(t.Context(), id, token); err != nil {
		t.Fatal(err)
	}
	second := read(first)
	removed, err := m.ledger.Removed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := catalog.Removal{ID: "sold", Domain: "sold.example", Slug: "sold", SeparateIDs: []string{"buyer", "buyer-two"}, Addresses: []string{}, At: removed[0].RemovedAt}
	if want.At.IsZero() || second.Revision <= first.Revision || len(second.List()) != 1 || !reflect.DeepEqual(second.List()[0], want) {
		t.Errorf("after the removal: revision %d, %+v", second.Revision, second.List())
	}
	if read(second) != second {
		t.Error("read anew, although nothing changed")
	}
	// One other process records late what it had published before, and another one what it
	// published when the seller had a different id.
	late, other := published("sold"), published("sold", "/products/arm")
	late.SellerID = "sold"
	third := second
	for i, release := range []ledger.Release{whole("r1", 1, late), whole("r2", 2, late, other)} {
		record(t, m.ledger, release)
		before := third.Revision
		if third = read(third); third.Revision <= before || len(third.List()[0].Addresses) != i+1 {
			t.Errorf("after the late record %s: revision %d, %+v", release.ID, third.Revision, third.List())
		}
	}
	if _, err := m.Restore(t.Context(), "sold", "a mistake"); err != nil {
		t.Fatal(err)
	}
	last := read(third)
	if last.Revision <= third.Revision || !last.Empty() || !last.List()[0].Restored() {
		t.Errorf("after the restore: %+v", last.List())
	}
}

// anyRecording compares a history recorded from differences with one recorded from whole
// releases.
func anyRecording(t *testing.T, fresh func() string) {
	byPart, byWhole := newMarket(t, fresh(), false), newMarket(t, fresh(), false)
	// Each check continues with the ledgers of the previous one, using other sellers.
	check := 0
	rapid.Check(t, func(rt *rapid.T) {
		check++
		now := map[string]ledger.Published{}
		ever := map[string]map[string]bool{}
		for n := range rapid.IntRange(1, 5).Draw(rt, "releases") {
			id := fmt.Sprintf("r%d-%d", check, n)
			part := ledger.Release{ID: id, At: day, Whole: n == 0}
			var changed []ledger.Published
			for _, slug := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.ID).Draw(rt, "changed") {
				slug = fmt.Sprintf("%s%d", slug, check)
				p := published(slug, rapid.SliceOf(rapid.SampledFrom([]string{"/x", "/y", "/z"})).Draw(rt, "addresses")...)
				if _, stands := now[slug]; stands && rapid.Bool().Draw(rt, "withdrawn") {
					delete(now, slug)
					part.Withdrawn = append(part.Withdrawn, p.SellerID)
					continue
				}
				now[slug] = p
				changed = append(changed, p)
				if ever[slug] == nil {
					ever[slug] = map[string]bool{}
				}
				for _, a := range p.Addresses {
					ever[slug][a] = true
				}
			}
			part.Sellers = slices.Values(changed)
			record(t, byPart.ledger, part)
			record(t, byWhole.ledger, ledger.Release{ID: id, At: day, Whole: true, Sellers: maps.Values(now)})
		}
		for slug, addresses := range ever {
			x, err := byPart.History(t.Context(), slug)
			y, err2 := byWhole.History(t.Context(), slug)
			if err != nil || err2 != nil || fmt.Sprint(x) != fmt.Sprint(y) || x.Addresses != len(addresses) {
				rt.Fatalf("%s, %d addresses: by part %+v %v, whole %+v %v", slug, len(addresses), x, err, y, err2)
			}
		}
	})
}

func cutOff(t *testing.T, target string) {
	m := newMarket(t, target, false)
	record(t, m.ledger, whole("r0", 0, published("acme")))
	large := func(yield func(ledger.Published) bool) {
		for i := range 10 {
			p := published(fmt.Sprintf("s%d", i))
			for n := range 2500 {
				p.Addresses = append(p.Addresses, fmt.Sprintf("companies/s%d/products/p%d", i, n))
			}
			if !yield(p) {
				return
			}
		}
	}
	half := func(yield func(ledger.Published) bool) {
		n := 0
		for p := range large {
			if n++; n > 5 {
				panic("the power fails")
			}
			if !yield(p) {
				return
			}
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = m.ledger.RecordRelease(t.Context(), ledger.Release{ID: "r1", At: day.Add(time.Hour), Whole: true, Sellers: half})
	}()
	record(t, m.ledger, ledger.Release{ID: "r1", At: day.Add(2 * time.Hour), Whole: true, Sellers: large})
	for i := range 10 {
		h, err := m.History(t.Context(), fmt.Sprintf("s%d", i))
		if err != nil || h.Addresses != 2501 || len(h.Publications) != 1 {
			t.Errorf("s%d: %d addresses, %d publications, %v", i, h.Addresses, len(h.Publications), err)
		}
	}
	if h, err := m.History(t.Context(), "acme"); err != nil || h.Publications[0].UntilRelease != "r1" {
		t.Errorf("%+v, %v", h, err)
	}
}
