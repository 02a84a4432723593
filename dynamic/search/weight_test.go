package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"souk/build/catalog"
)

// weighty is a market in which most listings are open source and few keep passwords.
func weighty(t *testing.T) *Index {
	offers := []string{"Vault: Keeps passwords", "Keyring: Open source, keeps passwords", "Ledger: Open accounts"}
	for i := range 30 {
		offers = append(offers, fmt.Sprintf("Tool %02d: Open source and free", i))
	}
	return openMemory(t, extract(market("en", offers...)), nil)
}

func TestFewWordsMatchByHalfTheirWeight(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := weighty(t)
		for _, test := range []struct {
			query string
			first []string // in order
			total int
		}{
			{"passwords", []string{"Vault", "Keyring"}, 2},
			// Adjacent words count as one: "open source" weighs less than "passwords".
			{"open source passwords", []string{"Keyring", "Vault"}, 33},
			{"passwords accounts", nil, 3},
			// A word that no listing contains weighs nothing.
			{"passwords xylophone", []string{"Vault", "Keyring"}, 2},
			{"open source", nil, 31},
		} {
			r, err := x.Search(t.Context(), Query{Text: test.query, Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, h := range r.Listings {
				names = append(names, h.Name)
			}
			if r.Total != test.total || !slices.Equal(names[:len(test.first)], test.first) {
				t.Errorf("%q finds %d, %q, want %d, first %q", test.query, r.Total, names, test.total, test.first)
			}
		}
	})
}

func TestNameMatchesOnlyWithAllItsWords(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, map[string]string{"arms": "Robot arms"},
			offerOf{seller: "acme", name: "Blue robot", categories: []string{"arms"}}, offerOf{seller: "acme", name: "Robot"}, offerOf{seller: "acme", name: "Blue lamp"})), nil)
		for query, want := range map[string]string{"blue robot": "Blue robot", "robot arms": "Blue robot", "blue arms robot": "Blue lamp|Blue robot|Robot"} {
			r, err := x.Search(t.Context(), Query{Text: query, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, h := range r.Listings {
				names = append(names, h.Name)
			}
			if slices.Sort(names); strings.Join(names, "|") != want {
				t.Errorf("%q finds %q, want %q", query, names, want)
			}
		}
	})
}

func TestInterpretationsApplyBeforeMoreTiers(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		var offers []offerOf
		for i := range 25 {
			offers = append(offers, offerOf{seller: "acme", name: fmt.Sprintf("Robot arm %02d", i), attributes: []catalog.Attribute{number("Weight", "5", "kg")}})
		}
		for i := range 3 {
			offers = append(offers, offerOf{seller: "acme", name: fmt.Sprintf("Robot hand %02d", i), attributes: []catalog.Attribute{number("Weight", "1", "kg")}})
		}
		x := openMemory(t, extract(bazaar("en", []string{"acme Berlin DE"}, nil, offers...)), nil)
		r, err := x.Search(t.Context(), Query{Text: "robot arm under 2 kg", Limit: 10})
		if err != nil || r.Total != 3 || r.Listings[0].Name != "Robot hand 00" {
			t.Errorf("it finds %+v, %v", r, err)
		}
	})
}
