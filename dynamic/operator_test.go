package dynamic

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"souk/build/catalog"
	"souk/dynamic/operator/notify"
)

// The test removes like souk remove, while a server runs.
func TestRunningServerFollowsTheOperatorsRemoval(t *testing.T) {
	h := newHouse(t)
	h.precompressed()
	h.fillMarket()
	h.open()
	h.untilAnswer("/companies", http.StatusOK, "companies/gone")
	seller, found := FindSeller(h.content(), "gone.example")
	if !found || seller.Slug != "gone" {
		t.Fatalf("found %+v", seller)
	}
	if _, err := h.operator().Remove(t.Context(), SellersOf(h.content()), seller, "a letter"); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/companies/gone", http.StatusGone, "removed")
	h.untilAnswer("/companies/gone/products/thing", http.StatusGone, "removed")
	h.until("no list shows it", func() bool {
		_, companies := h.get("/companies")
		_, category := h.get("/categories/product/robots")
		return !strings.Contains(companies+category, "companies/gone")
	})
	h.gone("gone")
	h.asFresh(h.Config.Build.Content)
	if len(h.mails()) != 0 {
		t.Error("a mail was sent, and nobody asked by mail")
	}
	if _, err := h.operator().Restore(t.Context(), "gone", "withdrawn"); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/companies/gone", http.StatusOK, "The gone")
	h.untilAnswer("/companies", http.StatusOK, "companies/gone")
	h.asFresh(h.Config.Build.Content)
}

// The test does what souk claims does, while a server runs.
func TestRunningServerFollowsProfilesReleasedAndMovedByTheOperator(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.open()
	bearer := map[string]string{}
	for _, workspace := range []string{"one", "two"} {
		_, secret, err := h.operator().NewAPIToken(t.Context(), workspace)
		if err != nil {
			t.Fatal(err)
		}
		bearer[workspace] = secret.Reveal()
	}
	first, ofFirst := h.askClaim("gone", "jane@gone.example")
	second, ofSecond := h.askClaim("gone", "joe@gone.example")
	h.must(http.StatusOK, first, bearer["one"], ofFirst)
	h.must(http.StatusConflict, second, bearer["two"], ofSecond)
	if _, err := h.operator().ReleaseClaim(t.Context(), "gone", "asked by its board"); err != nil {
		t.Fatal(err)
	}
	h.must(http.StatusConflict, first, bearer["one"], ofFirst)
	h.must(http.StatusOK, second, bearer["two"], ofSecond)
	if _, err := h.operator().MoveClaim(t.Context(), "gone.example", "one", "two became one"); err != nil {
		t.Fatal(err)
	}
	h.must(http.StatusConflict, second, bearer["two"], ofSecond)
	third, ofThird := h.askClaim("gone", "jane@gone.example")
	h.must(http.StatusConflict, third, bearer["two"], ofThird)
	h.must(http.StatusOK, third, bearer["one"], ofThird)
}

func TestOperatorFindsASellerByItsSlugFirst(t *testing.T) {
	c := catalog.New()
	seller := func(slug, id, domain string, former ...string) *catalog.Seller {
		return &catalog.Seller{Head: catalog.Head{Ref: catalog.SellerRef(slug), Name: slug}, ID: id, OfficialDomain: domain, FormerDomains: former}
	}
	c.Apply(catalog.Change{Marketplace: &catalog.Marketplace{}, Put: []catalog.Item{
		seller("acme", "bolt", "acme.example"), seller("bolt", "cord", "bolt.example", "acme.example", "old.example"), seller("cord", "acme", "cord.example", "acme.example"),
	}})
	for name, slug := range map[string]string{
		"acme": "acme", "bolt": "bolt", "cord": "cord", "ACME.example": "acme", "www.cord.example": "cord", "old.example": "", "": "", "dome": "",
	} {
		if got, ok := FindSeller(c, name); got.Slug != slug || ok != (slug != "") {
			t.Errorf("%q: %+v, %t, want %q", name, got, ok, slug)
		}
	}
	if got, err := SellersOf(c).Formerly(t.Context(), "acme.example", nil); err != nil || !slices.Equal(got, []string{"acme", "cord"}) {
		t.Errorf("beside it are %v, %v", got, err)
	}
}

func TestHangingReceiverDelaysNoRemoval(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	hang, got := make(chan struct{}), make(chan string, 9)
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
		<-hang
	}))
	defer receiver.Close()
	release := sync.OnceFunc(func() { close(hang) })
	defer release()
	address, err := notify.ParseAddress(receiver.URL + "/hook")
	if err != nil {
		t.Fatal(err)
	}
	rounds := make(chan time.Time)
	h.Verification.Notify = notify.Config{
		Addresses: []notify.Address{address}, Secret: []byte("secret"), Client: receiver.Client(), Random: func() float64 { return 0 },
		After: func(time.Duration) <-chan time.Time { return rounds },
	}
	clock := &handClock{now: time.Now()}
	h.Config.Build.Clock = clock.Now
	stop := h.open()
	if _, health := h.health(); health.Checks["notify"] != "ok" {
		t.Errorf("health is %v", health.Checks)
	}
	h.leave("gone", "jane@gone.example")
	rounds <- time.Time{}
	first := <-got
	stop() // while the receiver still hangs
	clock.Add(time.Minute)
	h.open()
	if second := <-got; second != first || !strings.HasPrefix(first, `{"type":"seller.removed","companySlug":"gone",`) {
		t.Errorf("it received %s, then %s", first, second)
	}
}

func TestServerWarnsIfClaimsAreImpossible(t *testing.T) {
	for name, c := range map[string]struct {
		claims        string
		token, revoke bool
		warns         bool
	}{
		"nobody": {"on", false, false, true}, "a token": {"on", true, false, false}, "a revoked token": {"on", true, true, true}, "claims are off": {"off", false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.write("marketplace.yaml", "name: Market\nsiteUrl: https://market.example\ncontactEmail: desk@market.example\nclaims: "+c.claims+"\n")
			if c.token {
				made, _, err := h.operator().NewAPIToken(t.Context(), "robots")
				if err == nil && c.revoke {
					_, err = h.operator().RevokeAPIToken(t.Context(), made.ID)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			var log bytes.Buffer
			h.Log = slog.New(slog.NewTextHandler(&log, nil))
			h.open()()
			if strings.Contains(log.String(), "souk token new") != c.warns {
				t.Errorf("it logged %s", log.String())
			}
		})
	}
}

func TestClaimFormNamesTheContactAndTheRequiredMailbox(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.open()
	_, claim := h.page("/companies/gone/claim")
	for _, part := range []string{"…@gone.example", "An access token is a secret text"} {
		if !strings.Contains(claim, part) {
			t.Errorf("%q is not in %s", part, claim)
		}
	}
	response, err := http.PostForm(h.base+"/requests/claim", url.Values{"companySlug": {"gone"}, "requesterName": {"Jane"}, "requesterEmail": {"jane@other.example"}})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(body), "…@gone.example") {
		t.Errorf("a refused form is %s, %v", body, err)
	}
	if _, body := h.get("/companies/gone"); strings.Contains(body, `"officialDomain"`) || strings.Contains(body, `"domain"`) {
		t.Error("the document has the official domain")
	}
}
