package dynamic

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/dynamic/ledger"
)

// The tests in this file try every way in which a removed seller could show again, or a
// removal be lost.

// smallSite returns the site of the web package's test content.
func (h *house) smallSite() string {
	h.Helper()
	return h.content().Market().SiteURL
}

// newLeaving returns a house whose seller acme has offers and a history and has not been
// removed yet.
func newLeaving(t *testing.T) *house {
	h := newHouse(t)
	h.Watch, h.Config.Build.At = true, fixed
	h.write("sellers/acme/products/arm-6.yaml", "name: Arm 6\ncategories: [robots]\n")
	h.open()()
	h.remove("sellers/acme/products/arm-6.yaml")
	h.write("sellers/other/seller.yaml", "officialDomain: other.example\nversions: [{version: 1, name: The Other}]\n")
	h.write("sellers/other/products/thing.yaml", "name: Thing\ncategories: [robots]\n")
	h.open()
	return h
}

// acmes are all addresses that acme ever had.
var acmes = []string{
	"/companies/acme", "/companies/acme/products/arm-7", "/companies/acme/products/arm-6", "/companies/acme/services/setup",
}

func (h *house) wantAcmeGone() {
	h.Helper()
	for _, address := range acmes {
		h.wantGone(address)
	}
	c := h.census(h.smallSite())
	c.check()
	c.wantNothingOf("acme", "Acme", "Arm", "acme")
}

func TestRemovedSellerCannotReturnUnderAnotherNameOrSlug(t *testing.T) {
	h := newLeaving(t)
	h.withdraw("acme", h.seller("acme").OfficialDomain)
	h.wantAcmeGone()
	for _, back := range []struct{ slug, head string }{
		{"acme-again", "officialDomain: acme.example\n"},
		{"acme-again", "id: somebody-else\nofficialDomain: ACME.example\n"},
		{"phoenix", "officialDomain: phoenix.example\nformerDomains: [acme.example]\n"},
		{"phoenix", "id: acme\nofficialDomain: phoenix.example\n"},
		{"acme", "id: anew\nofficialDomain: acme.example\n"},
	} {
		h.remove("sellers/acme")
		h.write("articles/welcome.md", "---\ntitle: Welcome\n---\nNobody is named.\n")
		// This is an intermediate step, for example if the removed seller is deleted first.
		h.write("articles/step.yaml", "title: Step\n")
		h.untilAnswer("/articles/step", 200, "Step")
		h.write("sellers/"+back.slug+"/seller.yaml", back.head+"versions: [{version: 1, name: Acme reborn}]\n")
		h.write("sellers/"+back.slug+"/products/arm-8.yaml", "name: Arm 8\ncategories: [robots]\n")
		h.remove("articles/step.yaml")
		h.untilAnswer("/articles/step", 404, "not-found")
		h.wantAcmeGone()
		for _, address := range []string{"", "/products/arm-8"} {
			if status := h.status("/companies/" + back.slug + address); status == 200 {
				t.Errorf("as %s with %q the seller is back", back.slug, back.head)
			}
		}
		h.remove("sellers/" + back.slug)
	}
}

func TestAnotherCompanyMayTakeARemovedSellersSlug(t *testing.T) {
	h := newLeaving(t)
	h.withdraw("acme", h.seller("acme").OfficialDomain)
	h.remove("sellers/acme")
	h.write("articles/welcome.md", "---\ntitle: Welcome\n---\nNobody is named.\n")
	peru := "id: acme-of-peru\nofficialDomain: acme.pe\nversions: [{version: 1, name: Acme of Peru}]\n"
	h.write("sellers/acme/seller.yaml", peru)
	h.write("sellers/acme/products/llama.yaml", "name: Llama\ncategories: [robots]\n")
	h.write("articles/step.yaml", "title: Step\n")
	h.untilAnswer("/articles/step", 200, "Step")
	// Nobody takes over the slug by accident.
	h.wantGone("/companies/acme")
	h.write("sellers/acme/seller.yaml", "replaces: removed\n"+peru)
	h.untilAnswer("/companies/acme", 200, "Peru")
	h.untilAnswer("/companies/acme/products/llama", 200, "Llama")
	h.wantGone("/companies/acme/products/arm-7")
	h.wantGone("/companies/acme/products/arm-6")
	h.wantGone("/companies/acme/services/setup")
	h.untilAnswer("/listings/search?q=llama", 200, `"total":1`)
	h.census(h.smallSite()).check()

	// Their own product is removed like any other, and the old one's address may be used.
	h.remove("sellers/acme/products/llama.yaml")
	h.write("sellers/acme/products/arm-7.yaml", "name: Seven of Peru\ncategories: [robots]\n")
	h.untilAnswer("/companies/acme/products/arm-7", 200, "Seven of Peru")
	h.untilAnswer("/companies/acme/products/llama", 404, "not-found")
	h.remove("sellers/acme/products/arm-7.yaml")
	h.untilAnswer("/companies/acme/products/arm-7", 410, "removed")

	// They may be removed in turn.
	h.withdraw("acme", "acme.pe")
	h.wantAcmeGone()
	h.wantGone("/companies/acme/products/llama")
}

func TestRemovalAppliesToEveryLaterBuild(t *testing.T) {
	h := newLeaving(t)
	h.withdraw("acme", h.seller("acme").OfficialDomain)
	h.close()
	reset := func(folders ...string) {
		for _, folder := range folders {
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		}
	}
	config := h.Config.Build
	for _, way := range []struct {
		name   string
		change func(c *build.Config)
	}{
		{"again", func(*build.Config) {}},
		{"another public folder", func(c *build.Config) { c.Public += "-2" }},
		{"another site", func(c *build.Config) { c.SiteURL = "https://preview.example" }},
		{"an earlier clock", func(c *build.Config) { c.At = fixed.AddDate(-1, 0, 0) }},
		{"no state", func(c *build.Config) { reset(c.State) }},
		{"no public folder", func(c *build.Config) { reset(c.Public) }},
		{"neither", func(c *build.Config) { reset(c.State, c.Public) }},
		{"another program", func(c *build.Config) { c.Program = "later" }},
		{"without staying", func(c *build.Config) { c.LongLived = false }},
	} {
		c := config
		way.change(&c)
		record := NewRecord(h.Verification.Ledger, nil)
		b, report, err := buildWith(t.Context(), c, record)
		if err == nil {
			err = record.Released(t.Context(), b, report, fixed)
		}
		if err != nil {
			t.Fatalf("%s: %v", way.name, err)
		}
		h.Config.Build.Public = c.Public
		for _, address := range acmes {
			file := "api/v1/marketplace" + address + ".json"
			if !b.Tree().Has(document.GoneFile(file)) || b.Tree().Has(file) {
				t.Errorf("%s: %s is not gone", way.name, address)
			}
		}
		for file, data := range h.public() {
			if strings.Contains(string(data), "/companies/acme") {
				t.Errorf("%s: %s leads to acme", way.name, file)
			}
		}
		h.Config.Build.Public = config.Public
	}
}

func TestServerKilledAfterTheCommitNeverShowsTheSellerAgain(t *testing.T) {
	h := newHouse(t)
	h.Config.Build.At = fixed
	h.open()() // with a search index that contains acme
	h.removeElsewhere(h.seller("acme"))
	h.open()
	h.census(h.smallSite()).wantNothingOf("acme", "Acme", "Arm")
	h.wantGone("/companies/acme")
	h.wantGone("/companies/acme/products/arm-7")
}

func TestRemovedSellerIsNeverReportedAsNotModified(t *testing.T) {
	h := newLeaving(t)
	paths := []string{market + "/companies/acme", market + "/companies/acme/products/arm-7", market + "/listings/search?q=arm", market + "/search/suggestions?q=arm"}
	tags := map[string]string{}
	for _, path := range paths {
		for _, coding := range []string{"identity", "gzip", "br"} {
			a := h.ask("GET", path, "", "Accept-Encoding", coding)
			if tags[path+coding] = a.header.Get("ETag"); a.status != 200 || tags[path+coding] == "" || !strings.Contains(string(a.body), "/companies/acme") {
				t.Fatalf("%s: %d %s", path, a.status, a.body)
			}
		}
	}
	h.withdraw("acme", h.seller("acme").OfficialDomain)
	for i, path := range paths {
		for _, coding := range []string{"identity", "gzip", "br"} {
			for _, more := range [][]string{{"If-None-Match", tags[path+coding]}, {"If-None-Match", "*"}, {"Range", "bytes=0-20"}} {
				want := 200
				if i < 2 {
					want = 410
				} else if more[1] == "*" {
					continue
				}
				for _, method := range []string{"GET", "HEAD"} {
					a := h.ask(method, path, "", append([]string{"Accept-Encoding", coding}, more...)...)
					if a.status != want || strings.Contains(string(a.body), "companies/acme") {
						t.Errorf("%s %s (%s, %v): %d %s", method, path, coding, more, a.status, a.body)
					}
				}
			}
		}
	}
}

func TestAnswersAreCompleteAndHideTheSellerOnceTheRemovalIsAnswered(t *testing.T) {
	h := newLeaving(t)
	id, token := h.request("removal-requests", "acme", h.seller("acme").OfficialDomain)
	var done sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	removed := false
	for _, path := range []string{"/companies/acme", "/companies/acme/products/arm-7", "/listings/search?q=arm", "/search/suggestions?q=acme", "/categories/product/robots"} {
		done.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				after := removed
				mu.Unlock()
				a := h.ask("GET", market+path, "", "Accept-Encoding", "gzip")
				shows := strings.Contains(string(a.body), "/companies/acme")
				if after && shows || a.status != 200 && a.status != http.StatusGone {
					t.Errorf("%s, removed %t: %d %s", path, after, a.status, a.body)
				}
			}
		})
	}
	h.json("POST", "/company-removal-requests/"+id+"/verify", `{"token":"`+token+`"}`, 200)
	mu.Lock()
	removed = true
	mu.Unlock()
	h.untilAnswer("/listings/search?q=arm", 200, `"total":0`)
	// Continue until the index without the seller is in use, and longer.
	h.write("articles/later.yaml", "title: Later\n")
	h.untilAnswer("/articles/later", 200, "Later")
	stop()
	done.Wait()
}

func TestPendingRequestsOfARemovedSellerFail(t *testing.T) {
	h := newLeaving(t)
	domain := h.seller("acme").OfficialDomain
	_, bearer, err := h.operator().NewAPIToken(t.Context(), "our-workspace")
	if err != nil {
		t.Fatal(err)
	}
	authorized := []string{"Authorization", "Bearer " + bearer.Reveal()}
	verify := func(what, id, token string, status int, code string, headers ...string) {
		t.Helper()
		got := h.json("POST", "/"+what+"/"+id+"/verify", `{"token":"`+token+`"}`, status, headers...)
		if code != "" && got["code"] != code {
			t.Errorf("%s: %v, want %s", what, got, code)
		}
	}
	claimed, claimToken := h.request("claims", "acme", domain)
	verify("company-claims", claimed, claimToken, 200, "", authorized...)
	claim, lateToken := h.request("claims", "acme", domain)
	first, firstToken := h.request("removal-requests", "acme", domain, "Idempotency-Key", "once")
	second, secondToken := h.request("removal-requests", "acme", domain)

	verify("company-removal-requests", first, firstToken, 200, "")
	h.wantAcmeGone()
	verify("company-removal-requests", first, firstToken, 409, "verification-used")
	verify("company-removal-requests", second, secondToken, 410, "removed")
	verify("company-claims", claim, lateToken, 410, "removed", authorized...)
	verify("company-claims", claimed, claimToken, 410, "removed", authorized...)
	body := `{"requesterName":"Jane Doe","requesterEmail":"jane@` + domain + `"}`
	for _, start := range []string{"claims", "removal-requests"} {
		if got := h.json("POST", "/companies/acme/"+start, body, 410, "Idempotency-Key", "once"); got["code"] != "removed" {
			t.Errorf("%s: %v", start, got)
		}
	}
	if _, err := h.operator().Restore(t.Context(), "acme", "it was a test"); err != nil {
		t.Fatal(err)
	}
	h.touch("marketplace.yaml")
	h.untilAnswer("/companies/acme", 200, "Acme")
	verify("company-removal-requests", first, firstToken, 409, "verification-used")
	verify("company-removal-requests", second, secondToken, 410, "verification-expired")
	h.until("the history has all of it", func() bool {
		history, err := h.operator().History(t.Context(), "acme")
		if err != nil {
			t.Fatal(err)
		}
		return len(history.Removals) == 1 && history.Removals[0].Restored != nil && len(history.Attachments) == 1 && len(history.Publications) == 2
	})
}

func TestAddressesRecordedLateByAnotherMachineAreGone(t *testing.T) {
	h := newHouse(t)
	l := h.Verification.Ledger
	release := func(id string, addresses ...string) ledger.Release {
		acme := ledger.Published{SellerID: "acme", Slug: "acme", Domain: "acme.example", Addresses: addresses}
		return ledger.Release{ID: id, At: fixed, Whole: true, Sellers: slices.Values([]ledger.Published{acme})}
	}
	record := func(r ledger.Release) {
		t.Helper()
		if err := l.RecordRelease(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	record(release("r1", "/marketplace/companies/acme"))
	h.removeElsewhere(h.seller("acme"))
	known := NewRecord(l, nil)
	for _, want := range []int{1, 2} {
		removals, err := known.Removals(t.Context())
		if err != nil || len(removals.List()[0].Addresses) != want {
			t.Errorf("%v, %v; want %d addresses", removals.List(), err, want)
		}
		record(release("r2", "/marketplace/companies/acme", "/marketplace/companies/acme/products/late"))
	}
}

func TestListOfRemovalsUsesTheHistoryToo(t *testing.T) {
	h := newLeaving(t)
	listed := catalog.NewRemovals([]catalog.Removal{{Domain: "acme.example"}})
	removals, err := NewRecord(h.Verification.Ledger, listed).Removals(t.Context())
	if err != nil || !removals.HoldsAddress("/marketplace/companies/acme/products/arm-6") {
		t.Errorf("%v, %v", removals.List(), err)
	}
}

func TestRemovalByAnotherMachineIsAppliedWithUnreadableContent(t *testing.T) {
	h := newHouse(t)
	h.Config.Build.At = fixed
	h.open()()
	acme := h.seller("acme")
	// The saved state of the last good content is lost, and the content has mistakes now.
	found, err := filepath.Glob(filepath.Join(h.Config.Build.State, "memory-*"))
	if err != nil || len(found) == 0 {
		t.Fatalf("%v, %v", found, err)
	}
	for _, file := range found {
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
	}
	h.write("articles/welcome.md", "no front matter")
	h.Watch = true
	close := h.open()
	if status := h.status("/companies/acme"); status != 200 {
		t.Fatalf("at first: %d", status)
	}
	h.removeElsewhere(acme)
	h.untilAnswer("/companies/acme", 410, "removed")
	h.untilAnswer("/companies/acme/products/arm-7", 410, "removed")
	close()
	// A server in this state does not start.
	if err := Run(t.Context(), h.Config); !errors.Is(err, errUnfinished) {
		t.Errorf("Run: %v", err)
	}
}

func TestRemovalDoesNotAffectSeparateCompanies(t *testing.T) {
	h := newLeaving(t)
	// The other company bought one of acme's brands, and its domain, in the past.
	h.write("sellers/other/seller.yaml", "officialDomain: other.example\nformerDomains: [acme.example]\nversions: [{version: 1, name: The Other Company}]\n")
	h.untilAnswer("/companies/other", 200, "The Other Company")
	h.untilFollowed()
	h.withdraw("acme", "acme.example")
	h.wantGone("/companies/acme")
	if status := h.status("/companies/other"); status != 200 {
		t.Errorf("the company beside answers %d", status)
	}
	// A seller that appears later with the domain among its former ones is acme returning.
	h.write("sellers/later/seller.yaml", "officialDomain: later.example\nformerDomains: [acme.example]\nversions: [{version: 1, name: Later}]\n")
	h.write("articles/step.yaml", "title: Step\n")
	h.untilAnswer("/articles/step", 200, "Step")
	if status := h.status("/companies/later"); status != 404 {
		t.Errorf("the company that came later answers %d", status)
	}
	// An exported list has the same effect on a machine without the ledger.
	removed, err := h.Verification.Ledger.Removed(t.Context())
	if err != nil || len(removed) != 1 || !slices.Equal(removed[0].SeparateIDs, []string{"other"}) {
		t.Errorf("on record: %+v, %v", removed, err)
	}
}

// The search index is updated a moment after a release. Until then only the record keeps
// search from showing removed sellers.
func TestRecordWithholdsSellersThatARestoredLedgerLost(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	record := NewRecord(h.Verification.Ledger, catalog.NewRemovals([]catalog.Removal{{Slug: "listed"}}))
	read := func() *catalog.Removals {
		t.Helper()
		set, err := record.Removals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	content := h.content()
	remove := func(slug string) {
		t.Helper()
		seller, _ := FindSeller(content, slug)
		if _, err := h.operator().Remove(t.Context(), SellersOf(content), seller, "it was a test"); err != nil {
			t.Fatal(err)
		}
	}
	remove("gone")
	read()
	h.forget()
	for range 3 { // it is read repeatedly
		read()
	}
	remove("rival")
	set := read()
	for slug, onRecord := range map[string]bool{"gone": false, "rival": true, "listed": true, "moved": false} {
		c := catalog.Company{ID: slug, Slug: slug}
		if _, held := set.Holds(c); held != onRecord {
			t.Errorf("%s is on record: %t", slug, held)
		}
		if _, held := record.Register().Now().Holds(c); held != (slug != "moved") {
			t.Errorf("%s is withheld: %t", slug, held)
		}
	}
	if n := len(record.Register().Now().List()); n != 3 {
		t.Errorf("%d removals are known", n)
	}
	// Restoring a seller is not a loss.
	if _, err := h.operator().Restore(t.Context(), "rival", "it was a test"); err != nil {
		t.Fatal(err)
	}
	read()
	if _, held := record.Register().Now().Holds(catalog.Company{ID: "rival"}); held {
		t.Error("rival was restored and is withheld")
	}
}

// forget restores the ledger to its state before its removals.
func (h *house) forget() {
	h.Helper()
	db, err := sql.Open("sqlite", filepath.Join(h.home, "ledger.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		h.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{"DELETE FROM removals", "UPDATE meta SET value = '0' WHERE name = 'revision'"} {
		if _, err := db.Exec(query); err != nil {
			h.Fatal(err)
		}
	}
}

// The database is restored to its state some minutes ago while the servers run. Later
// removals must still take effect.
func TestRemovalsTakeEffectAfterTheLedgerWasRestored(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.open()
	h.leave("gone", "jane@gone.example")
	h.forget()
	h.leave("rival", "jane@rival.example")
	h.gone("gone") // its stub exists
}
