package dynamic

import (
	"net/http"
	"path/filepath"
	"testing"
)

const (
	cirrus = "officialDomain: cirrus.example\nversions: [{version: 1, name: Cirrus}]\n"
	stone  = "id: sandstone\nofficialDomain: sandstone.example\nversions: [{version: 1, name: Sandstone}]\n"
	cart   = "name: Cart\ncategories: [robots]\n"
)

// newMoved returns a house whose seller nimbus was cirrus-works before, with another id and
// without an alias.
func newMoved(t *testing.T) *house {
	h := newLeaving(t)
	h.write("sellers/cirrus-works/products/cart.yaml", cart)
	h.write("sellers/cirrus-works/seller.yaml", cirrus)
	h.untilAnswer("/companies/cirrus-works/products/cart", 200, "Cart")
	h.untilFollowed()
	h.remove("sellers/cirrus-works")
	h.write("sellers/nimbus/products/cart.yaml", cart)
	h.write("sellers/nimbus/seller.yaml", cirrus)
	h.untilAnswer("/companies/nimbus/products/cart", 200, "Cart")
	h.untilFollowed()
	return h
}

// step waits until a server has read the current content.
func (h *house) step() {
	h.Helper()
	h.write("articles/step.yaml", "title: Step\n")
	h.untilAnswer("/articles/step", 200, "Step")
	h.remove("articles/step.yaml")
	h.untilAnswer("/articles/step", 404, "not-found")
}

func TestSellerWithARemovedSellersFormerSlugStaysWithheld(t *testing.T) {
	h := newMoved(t)
	far := h.without(filepath.Join(h.home, "ledger.db"))
	far.open()
	former := []string{"/companies/cirrus-works", "/companies/cirrus-works/products/cart"}
	h.withdraw("nimbus", "cirrus.example")
	h.remove("sellers/nimbus")
	for _, start := range []string{"claims", "removal-requests"} {
		h.json("POST", former[0]+"/"+start, `{"requesterName":"Jane Doe","requesterEmail":"jane@cirrus.example"}`, 410)
	}
	h.write("sellers/cirrus-works/products/cart.yaml", cart)
	h.write("sellers/cirrus-works/products/tent.yaml", "name: Tent\ncategories: [robots]\n")
	h.write("sellers/cirrus-works/seller.yaml", stone)
	h.step()
	for _, address := range append(former, "/companies/nimbus", "/companies/nimbus/products/cart") {
		h.wantGone(address)
		far.untilAnswer(address, http.StatusGone, "removed")
	}
	for _, one := range []*house{h, far} {
		one.untilAnswer("/companies/cirrus-works/products/tent", 404, "not-found")
		one.untilAnswer("/listings/search?q=tent", 200, `"total":0`)
	}
	h.census(h.smallSite()).wantNothingOf("cirrus-works", "Sandstone", "sandstone", "Tent")

	// Only a statement by the seller itself frees the slug.
	h.write("sellers/cirrus-works/seller.yaml", "replaces: removed\n"+stone)
	for _, one := range []*house{h, far} {
		one.untilAnswer("/companies/cirrus-works", 200, "Sandstone")
		one.untilAnswer("/companies/cirrus-works/products/cart", 200, "Cart")
		one.untilAnswer("/listings/search?q=tent", 200, `"total":1`)
	}
	h.write("sellers/cirrus-works/seller.yaml", stone)
	h.step()
	h.wantGone("/companies/cirrus-works")
	h.wantGone("/companies/cirrus-works/products/cart")
	far.untilAnswer("/companies/cirrus-works", 410, "removed")
}

func TestCompanyAtAFormerSlugStaysWhenTheSellerIsRemoved(t *testing.T) {
	h := newMoved(t)
	h.write("sellers/cirrus-works/products/cart.yaml", cart)
	h.write("sellers/cirrus-works/seller.yaml", stone)
	h.untilAnswer("/companies/cirrus-works/products/cart", 200, "Cart")
	far := h.without(filepath.Join(h.home, "ledger.db"))
	far.open()
	h.untilFollowed()
	h.withdraw("nimbus", "cirrus.example")
	h.wantGone("/companies/nimbus")
	for _, one := range []*house{h, far} {
		for _, address := range []string{"/companies/cirrus-works", "/companies/cirrus-works/products/cart"} {
			one.untilAnswer(address, 200, "")
		}
	}
	// It may be removed and return under another id.
	h.remove("sellers/cirrus-works")
	h.untilAnswer("/companies/cirrus-works/products/cart", 404, "not-found")
	h.untilAnswer("/companies/cirrus-works", 404, "not-found")
	h.write("sellers/cirrus-works/seller.yaml", "id: another\nofficialDomain: sandstone.example\nversions: [{version: 1, name: Sandstone}]\n")
	h.untilAnswer("/companies/cirrus-works", 200, "Sandstone")
}
