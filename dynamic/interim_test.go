package dynamic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"souk/build"
	"souk/build/catalog"
)

// long gives the market a list of several pages, of which every one but the
// first holds nothing of the sellers that leave.
func (h *house) long() {
	h.fillMarket()
	h.Config.Build.InterimPages = 1
	for i := range 420 {
		h.write(fmt.Sprintf("sellers/rival/products/arm-%d.yaml", i), fmt.Sprintf("name: Unit %03d\ncategories: [robots]\n", i))
	}
}

// movedUp tells whether the last page of the list is that of so many items.
func (h *house) movedUp(total int) bool {
	status, body := h.get("/categories/product/robots/pages/5")
	return status == http.StatusOK && strings.Contains(body, fmt.Sprintf(`"total":%d,`, total))
}

func TestPagesMoveUpOnceARemovalIsAnswered(t *testing.T) {
	h := newHouse(t)
	h.long()
	end := h.open()
	defer end()
	all := h.count("/categories/product/robots").listingCount
	h.leave("gone", "jane@gone.example")
	h.leave("shop", "jane@shop.co.uk")
	h.until("the pages move up", func() bool { return h.movedUp(all - 2) })
	h.gone("gone")
	h.gone("shop")
	h.asFresh(h.Config.Build.Content)
}

func TestRemovalsThatCrowdAreAllAnsweredAndEndInWhatAFreshBuildMakes(t *testing.T) {
	h := newHouse(t)
	h.long()
	h.crowd(12)
	end := h.open()
	defer end()
	all := h.count("/categories/product/robots").listingCount
	type proof struct {
		address string
		body    tokenBody
	}
	var proofs []proof
	for i := range 12 {
		address, body := h.askRemoval(fmt.Sprintf("crowd-%02d", i), fmt.Sprintf("jane@crowd-%02d.example", i))
		proofs = append(proofs, proof{address, body})
	}
	byStatus, _ := h.atOnce(12, func(i int) (answered, error) { return h.post(proofs[i].address, "", proofs[i].body) })
	if byStatus[http.StatusOK] != 12 {
		t.Fatalf("the proofs are answered %v", byStatus)
	}
	for i := range 12 {
		h.gone(fmt.Sprintf("crowd-%02d", i))
	}
	h.until("the pages move up", func() bool { return h.movedUp(all - 12) })
	h.asFresh(h.Config.Build.Content)
}

func TestAServerThatStopsLeavesNoListHalfMoved(t *testing.T) {
	h := newHouse(t)
	h.long()
	end := h.open()
	h.leave("gone", "jane@gone.example")
	all := h.count("/categories/product/robots").listingCount
	end()
	if page := h.files(h.Config.Build.Public)["api/v1/marketplace/categories/product/robots/pages/5.json"]; !strings.Contains(page, fmt.Sprintf(`"total":%d,`, all)) {
		t.Errorf("the last page of a list of %d is %.200s", all, page)
	}
}

func TestARemovalThatTheLastReleaseKnewOfIsAnsweredWithoutAnother(t *testing.T) {
	h := newHouse(t)
	h.long()
	var removed []catalog.Removal
	c := h.Config.withDefaults()
	c.Build.Stay = true
	c.Build.Withdrawn = func(context.Context) (build.Withdrawn, error) {
		return build.Withdrawn{Removals: catalog.NewRemovals(removed), Recorded: true}, nil
	}
	b, err := build.New(c.Build)
	if err != nil {
		t.Fatal(err)
	}
	// It does not run: whatever needs another release waits in vain.
	r := newRebuilder(b, c)
	if _, err := r.build(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, step := range []struct {
		what    string
		removed []catalog.Removal
		build   bool
		known   bool
	}{
		{"before its release", []catalog.Removal{{Domain: "gone.example"}, {Domain: "rival.example"}}, false, false},
		{"after its release", []catalog.Removal{{Domain: "gone.example"}, {Domain: "rival.example"}}, true, true},
		{"where one more is on record", []catalog.Removal{{Domain: "gone.example"}, {Domain: "rival.example"}, {Domain: "shop.co.uk"}}, false, false},
		{"where one was restored", []catalog.Removal{{Domain: "gone.example"}}, false, false},
		{"after its restoring", []catalog.Removal{{Domain: "gone.example"}}, true, true},
	} {
		removed = step.removed
		if step.build {
			if _, err := r.build(t.Context(), asked, clockOnly); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Withdraw(over); (err == nil) != step.known || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", step.what, err)
		}
	}
}
