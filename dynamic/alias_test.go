package dynamic

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
)

const (
	maker  = "officialDomain: maker.example\nversions: [{version: 1, name: Maker}]\n"
	lathe  = "name: Lathe\ncategories: [robots]\n"
	former = "/companies/was-maker"
)

// newRenamed returns a house whose seller maker was called was-maker before, and whose
// lathe once belonged to acme.
func newRenamed(t *testing.T) *house {
	h := newLeaving(t)
	h.write("sellers/maker/products/lathe.yaml", lathe+"aliases: [product:acme/lathe, product:maker/turner]\n")
	h.write("sellers/maker/seller.yaml", maker+"aliases: [seller:was-maker]\n")
	h.untilAnswer(former+"/products/turner", 200, "Lathe")
	h.untilFollowed()
	return h
}

// untilFollowed waits until claims, removals and the publication history use the current
// release.
func (h *house) untilFollowed() {
	h.Helper()
	h.until("what follows a release is done", func() bool {
		_, health := h.health()
		last, err := h.Verification.Ledger.LastRelease(h.Context())
		return err == nil && last == health.Release
	})
}

func TestCallsAtAFormerAddressReachTheCurrentSeller(t *testing.T) {
	h := newRenamed(t)
	at, now := h.ask("GET", market+former, ""), h.ask("GET", market+"/companies/maker", "")
	if at.status != 200 || string(at.body) != string(now.body) || at.header.Get("ETag") == "" {
		t.Errorf("at the former address: %d %s", at.status, at.body)
	}
	started := h.json("POST", former+"/claims", `{"requesterName":"Jane Doe","requesterEmail":"jane@maker.example"}`, 202)
	if company, _ := started["company"].(map[string]any); company["slug"] != "maker" {
		t.Errorf("a claim at the former address is of %v", started["company"])
	}
	id, token := h.request("removal-requests", "was-maker", "maker.example")
	done := h.json("POST", "/company-removal-requests/"+id+"/verify", `{"token":"`+token+`"}`, 200)
	if done["companySlug"] != "maker" {
		t.Errorf("the removal was answered with %v", done)
	}
	for _, address := range []string{
		former, former + "/products/lathe", former + "/products/turner", "/companies/maker", "/companies/maker/products/turner", "/companies/acme/products/lathe",
	} {
		h.wantGone(address)
	}
	if status := h.status("/companies/acme"); status != 200 {
		t.Errorf("the company that had the product before answers %d", status)
	}
	h.json("POST", former+"/claims", `{"requesterName":"Jane Doe","requesterEmail":"jane@maker.example"}`, 410)
}

func TestFormerAddressesOfARemovedSellerAreGoneBeforeTheNextRelease(t *testing.T) {
	h := newRenamed(t)
	plain := func(address string) string {
		return strings.TrimPrefix(market+address+".json", "/")
	}
	var register catalog.Register
	tree := surfaceOf(t, h, &register)
	for _, removed := range []struct {
		id         string
		gone, stay []string
	}{
		{"maker", []string{former, former + "/products/lathe", "/companies/acme/products/lathe"}, []string{"/companies/acme"}},
		{"acme", []string{"/companies/acme", "/companies/acme/products/lathe"}, []string{former, former + "/products/lathe"}},
	} {
		register.Learn(catalog.NewRemovals([]catalog.Removal{{ID: removed.id}}))
		for _, address := range slices.Concat(removed.gone, removed.stay) {
			_, shown := tree.Lookup(plain(address))
			_, gone := tree.Lookup(document.GoneFile(plain(address)))
			if want := slices.Contains(removed.gone, address); gone != want || shown == want {
				t.Errorf("%s is removed: %s is shown: %t, gone: %t", removed.id, address, shown, gone)
			}
		}
	}
}

// surfaceOf returns the surface of a house's content, in a separate release.
func surfaceOf(t *testing.T, h *house, register *catalog.Register) surface {
	dir := t.TempDir()
	b, err := build.New(build.Config{
		Content: h.Config.Build.Content, Public: filepath.Join(dir, "public"), State: filepath.Join(dir, "var"),
		Program: "test", Clock: time.Now, At: fixed,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return surface{b.Tree(), register}
}

func TestSellerWithARemovedAliasIsWithheldUnlessItIsASeparateCompany(t *testing.T) {
	for by, remove := range map[string]func(*house){
		"a mail": func(h *house) { h.withdraw("maker", "maker.example") },
		"the operator": func(h *house) {
			seller, _ := FindSeller(h.content(), "maker")
			if _, err := h.operator().Remove(t.Context(), SellersOf(h.content()), seller, "a letter"); err != nil {
				h.Fatal(err)
			}
			h.untilAnswer(former, http.StatusGone, "removed")
			h.untilFollowed()
		},
	} {
		t.Run(by, func(t *testing.T) { testWhoHasARemovedSellerAmongItsAliases(t, remove) })
	}
}

func testWhoHasARemovedSellerAmongItsAliases(t *testing.T, remove func(*house)) {
	h := newRenamed(t)
	// maker gave up its former name, and buyer, a different company, has it now.
	h.write("sellers/maker/seller.yaml", maker)
	h.write("sellers/buyer/seller.yaml", "officialDomain: buyer.example\naliases: [seller:was-maker]\nversions: [{version: 1, name: Buyer}]\n")
	h.untilAnswer(former, 200, "Buyer")
	h.untilFollowed()
	remove(h)
	h.wantGone("/companies/maker")
	h.wantGone(former)
	if status := h.status("/companies/buyer"); status != 200 {
		t.Errorf("the company beside answers %d", status)
	}
	removed, err := h.Verification.Ledger.Removed(t.Context())
	if err != nil || len(removed) != 1 || !slices.Equal(removed[0].SeparateIDs, []string{"buyer"}) {
		t.Errorf("on record: %+v, %v", removed, err)
	}
	// If a seller appears later under one of maker's names, it is maker returning.
	h.remove("sellers/maker")
	h.write("sellers/phoenix/seller.yaml", "officialDomain: phoenix.example\naliases: [seller:maker]\nversions: [{version: 1, name: Phoenix}]\n")
	h.write("articles/step.yaml", "title: Step\n")
	h.untilAnswer("/articles/step", 200, "Step")
	if status := h.status("/companies/phoenix"); status != 404 {
		t.Errorf("the company that came later answers %d", status)
	}
	h.wantGone("/companies/maker")
}
