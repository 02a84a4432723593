package search

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Checking a query takes time, and no one reads the result once the query is canceled.
func TestCanceledQueryIsNotChecked(t *testing.T) {
	x := twoSellers(t, false, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, Query{}.with("attribute", "Flow:much")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// MIN< and <MAX exclude the bound itself, for prices and attributes, in any unit.
func TestBoundsAreOptional(t *testing.T) {
	eachEngine(t, func(t *testing.T) {
		x := openMemory(t, extract(shop("en")), nil)
		for _, one := range []struct{ filter, value, finds string }{
			{"attribute", "Port:4..", "Switch Eight, Switch Four, Switch Sixteen"},
			{"attribute", "Port:4<..", "Switch Eight, Switch Sixteen"},
			{"attribute", "Port:..16", "Switch Eight, Switch Four, Switch Sixteen"},
			{"attribute", "Port:..<16", "Switch Eight, Switch Four"},
			{"attribute", "Port: 4 < .. < 16", "Switch Eight"},
			{"attribute", "Port:4<..<8", ""},
			{"attribute", "Payload:5000<.. g", "Arm Fifty"},
			{"attribute", "Payload:..<50 kg", "Arm Five"},
			{"price", "40..80.50", "Switch Eight, Switch Four, Repair"},
			{"price", "40<..80.50", "Switch Eight, Repair"},
			{"price", "40..<80.50", "Switch Four, Repair"},
			{"price", "40<..<70", ""},
		} {
			q := Query{Limit: MaxLimit}.with(one.filter, one.value)
			if one.filter == "price" {
				q.Currency = "EUR"
			}
			_, names := asked(t, x, q)
			want := strings.Split(one.finds, ", ")
			if one.finds == "" {
				want = nil
			}
			slices.Sort(want)
			if slices.Sort(names); !slices.Equal(names, want) && len(names)+len(want) > 0 {
				t.Errorf("%s=%s finds %q, want %q", one.filter, one.value, names, want)
			}
		}
		for _, value := range []string{"Port:<..", "Port:..<", "Port:4>..", "Port:<4..", "Port:8<..4"} {
			if err := x.Check(Query{}.with("attribute", value)); err == nil {
				t.Errorf("%s is a value", value)
			}
		}
	})
}
