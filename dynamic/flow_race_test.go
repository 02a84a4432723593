package dynamic

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"souk/internal/testing/script"
)

func TestOneOfManyVerificationsOfARemovalWins(t *testing.T) {
	h := newHouse(t)
	h.precompressed()
	h.fillMarket()
	h.open()
	address, body := h.askRemoval("gone", "jane@gone.example")
	got, _ := h.atOnce(100, func(int) (script.Answer, error) { return h.post(address, "", body) })
	if got[http.StatusOK] != 1 || got[http.StatusConflict] != 99 {
		t.Errorf("answers by status: %v", got)
	}
	h.gone("gone")
	h.until("there is a notice", func() bool { return len(h.mails()) == 2 })
	h.asFresh(h.Config.Build.Content)
}

func TestOneOfManyWorkspacesGetsTheProfile(t *testing.T) {
	h := newHouse(t)
	h.open()
	address, body := h.askClaim("acme", "jane@acme.example")
	bearers := make([]string, 100)
	for i := range bearers {
		_, secret, err := h.operator().NewAPIToken(t.Context(), fmt.Sprint("team ", i))
		if err != nil {
			t.Fatal(err)
		}
		bearers[i] = secret.Reveal()
	}
	got, _ := h.atOnce(len(bearers), func(i int) (script.Answer, error) { return h.post(address, bearers[i], body) })
	if got[http.StatusOK] != 1 || got[http.StatusConflict] != 99 {
		t.Errorf("answers by status: %v", got)
	}
}

// A call after the first is a repetition and gets the same answer; a concurrent one loses.
func TestManyVerificationsOfAClaimByOneWorkspaceAttachOnce(t *testing.T) {
	h := newHouse(t)
	h.open()
	address, body := h.askClaim("acme", "jane@acme.example")
	_, secret, err := h.operator().NewAPIToken(t.Context(), "team")
	if err != nil {
		t.Fatal(err)
	}
	got, all := h.atOnce(100, func(int) (script.Answer, error) { return h.post(address, secret.Reveal(), body) })
	if got[http.StatusOK] == 0 || got[http.StatusOK]+got[http.StatusConflict] != 100 {
		t.Errorf("answers by status: %v", got)
	}
	first := ""
	for _, a := range all {
		if a.Status == http.StatusOK && first == "" {
			first = a.Body
		}
		if a.Status == http.StatusOK && a.Body != first {
			t.Errorf("two answers: %s and %s", first, a.Body)
		}
	}
	h.until("there is a notice", func() bool { return len(h.mails()) == 2 })
	if h, err := h.operator().History(t.Context(), "acme"); err != nil || len(h.Attachments) != 1 {
		t.Errorf("on record: %+v %v", h.Attachments, err)
	}
}

func TestSellersRemovedConcurrentlyAreAllGone(t *testing.T) {
	h := newHouse(t)
	h.precompressed()
	h.crowd(12)
	h.open()
	addresses, bodies := make([]string, 12), make([]tokenBody, 12)
	for i := range addresses {
		addresses[i], bodies[i] = h.askRemoval(fmt.Sprintf("crowd-%02d", i), fmt.Sprintf("jane@crowd-%02d.example", i))
	}
	got, _ := h.atOnce(11, func(i int) (script.Answer, error) { return h.post(addresses[i], "", bodies[i]) })
	if got[http.StatusOK] != 11 {
		t.Errorf("answers by status: %v", got)
	}
	for i := range 11 {
		h.gone(fmt.Sprintf("crowd-%02d", i))
	}
	if status, _ := h.get("/companies/crowd-11"); status != http.StatusOK {
		t.Errorf("who stayed answers %d", status)
	}
	h.asFresh(h.Config.Build.Content)
}

// The seller that is removed, and others, are edited meanwhile.
func TestRemovalDuringEditsTakesEffectAndLosesNoEdit(t *testing.T) {
	h := newHouse(t)
	h.precompressed()
	h.crowd(8)
	h.Watch = true
	h.open()
	edit := func(seller, turn int) {
		h.write(fmt.Sprintf("sellers/crowd-%02d/products/thing.yaml", seller), fmt.Sprintf("name: Thing %d of turn %d\ncategories: [robots]\n", seller, turn))
		h.write(fmt.Sprintf("sellers/crowd-%02d/products/new-%d.yaml", seller, turn), fmt.Sprintf("name: New %d\ncategories: [robots]\n", turn))
	}
	ctx, cancel := context.WithCancel(t.Context())
	edited := make(chan int)
	go func() {
		turn := 0
		defer func() { edited <- turn }()
		for ; ctx.Err() == nil; turn++ {
			for seller := range 4 {
				edit(seller, turn%5)
			}
		}
	}()
	for i := range 3 {
		h.leave(fmt.Sprintf("crowd-%02d", i), fmt.Sprintf("jane@crowd-%02d.example", i))
	}
	cancel()
	if turns := <-edited; turns < 3 {
		t.Errorf("only %d turns of edits", turns)
	}
	for seller := range 4 {
		edit(seller, 77)
	}
	h.write("articles/last.md", "---\ntitle: The last edit\n---\n")
	h.untilAnswer("/articles/last", http.StatusOK, "The last edit")
	h.untilAnswer("/companies/crowd-03/products/new-77", http.StatusOK, "New 77")
	for i := range 3 {
		h.gone(fmt.Sprintf("crowd-%02d", i))
		if status, _ := h.get(fmt.Sprintf("/companies/crowd-%02d/products/thing", i)); status != http.StatusGone {
			t.Errorf("its product answers %d", status)
		}
	}
	h.asFresh(h.Config.Build.Content)
}

// Another Builder of the same folders, like that of another process, builds repeatedly.
func TestRemovalDuringBuildsByOthersTakesEffect(t *testing.T) {
	h := newHouse(t)
	h.precompressed()
	h.crowd(10)
	h.open()
	ctx, cancel := context.WithCancel(t.Context())
	built := make(chan error)
	go func() {
		for n := 0; ; n++ {
			<-time.After(100 * time.Millisecond) // let the server take the lock
			// Half of the builds start without saved state.
			if n%2 == 1 {
				caches, _ := filepath.Glob(filepath.Join(h.Config.Build.State, "*-*"))
				for _, file := range caches {
					_ = os.Remove(file) // folders stay
				}
			}
			c := h.Config.Build
			_, _, err := buildWith(ctx, c, NewRecord(h.Verification.Ledger, nil))
			if ctx.Err() != nil {
				err = nil
			}
			if err != nil || ctx.Err() != nil && n > 2 {
				built <- err
				return
			}
		}
	}()
	for i := range 4 {
		h.leave(fmt.Sprintf("crowd-%02d", i), fmt.Sprintf("jane@crowd-%02d.example", i))
	}
	cancel()
	if err := <-built; err != nil {
		t.Error(err)
	}
	for i := range 4 {
		h.gone(fmt.Sprintf("crowd-%02d", i))
	}
	h.asFresh(h.Config.Build.Content)
}

// The server does not follow the content. The other Builder shares its state or has
// separate state.
func TestNewerContentOfAnotherBuildStaysIfTheServerDoesNotFollowContent(t *testing.T) {
	for _, name := range []string{"the same state", "a state of its own"} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.crowd(3)
			h.open()
			h.write("articles/newer.md", "---\ntitle: Newer content\n---\n")
			other := h.Config.Build
			if name != "the same state" {
				other.State = t.TempDir()
			}
			if _, _, err := buildWith(t.Context(), other, NewRecord(h.Verification.Ledger, nil)); err != nil {
				t.Fatal(err)
			}
			h.leave("crowd-00", "jane@crowd-00.example")
			if status, body := h.get("/articles/newer"); status != http.StatusOK || !strings.Contains(body, "Newer content") {
				t.Errorf("after a removal the newer article answers %d, %s", status, body)
			}
			h.untilAnswer("/listings/search?q=newer", http.StatusOK, "Newer content")
			h.asFresh(h.Config.Build.Content)
		})
	}
}

func TestRestoredSellerReturnsToARunningServer(t *testing.T) {
	h := newHouse(t)
	h.precompressed()
	h.fillMarket()
	h.open()
	before := h.files(h.Config.Build.Public)
	h.leave("gone", "jane@gone.example")
	if _, err := h.operator().Restore(t.Context(), "gone", "a mistake"); err != nil {
		t.Fatal(err)
	}
	h.untilAnswer("/companies/gone", http.StatusOK, "The gone")
	h.untilAnswer("/companies/gone/products/thing", http.StatusOK, "Thing of gone")
	h.untilAnswer("/listings/search?q=thing+of+gone", http.StatusOK, "companies/gone")
	for name, text := range h.files(h.Config.Build.Public) {
		if before[name] != text && !strings.Contains(name, "release.json") {
			t.Errorf("%s is another than before it left", name)
		}
	}
	h.asFresh(h.Config.Build.Content)
	// The seller can be removed once more.
	h.leave("gone", "jane@gone.example")
	h.asFresh(h.Config.Build.Content)
	if list, err := h.operator().ListRemovals(t.Context(), true); err != nil || len(list) != 2 {
		t.Errorf("on record: %v %v", list, err)
	}
}

// The same request is sent for an attached and for a free profile.
func TestAnswersDoNotRevealWhetherAProfileIsClaimed(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	h.open()
	_, secret, err := h.operator().NewAPIToken(t.Context(), "team")
	if err != nil {
		t.Fatal(err)
	}
	public := func() (all string) {
		for _, address := range []string{"", "/companies", "/companies/gone", "/companies/gone/products/thing", "/listings/search?q=gone", "/search/suggestions?q=gone"} {
			_, text := h.get(address)
			all += text
		}
		return all
	}
	before := public()
	address, body := h.askClaim("gone", "jane@gone.example")
	h.must(http.StatusOK, address, secret.Reveal(), body)
	if public() != before {
		t.Error("what is public changed with the claim")
	}
	learnsNothing(h)
	if _, err := h.operator().MoveClaim(t.Context(), "gone", "others", "why"); err != nil {
		t.Fatal(err)
	}
	if public() != before {
		t.Error("what is public changed with the move")
	}
	learnsNothing(h)
	if _, err := h.operator().ReleaseClaim(t.Context(), "gone", "why"); err != nil {
		t.Fatal(err)
	}
	if public() != before {
		t.Error("what is public changed with the release")
	}
	learnsNothing(h)
}

// learnsNothing compares the answers about gone with those about rival.
func learnsNothing(h *house) {
	h.Helper()
	for _, flow := range []string{"claims", "removal-requests"} {
		tell := func(slug string) string {
			a := h.must(http.StatusAccepted, "/companies/"+slug+"/"+flow, "", requester{"Jane Doe", "jane@" + slug + ".example"})
			lasts := a.Value("expiresAt")
			a.Header.Del("Content-Length") // the names differ in length
			return strings.NewReplacer(a.Value("claimId"), "ID", a.Value("requestId"), "ID", slug, "SLUG", lasts, "TIME").Replace(a.Told())
		}
		if claimed, free := tell("gone"), tell("rival"); claimed != free {
			h.Errorf("claimed:\n%s\nfree:\n%s", claimed, free)
		}
		bad := func(slug string) string {
			a, err := h.post("/companies/"+slug+"/"+flow, "", requester{"Jane", "jane@elsewhere.example"})
			if err != nil {
				h.Fatal(err)
			}
			return a.Told()
		}
		if claimed, free := bad("gone"), bad("rival"); claimed != free {
			h.Errorf("claimed:\n%s\nfree:\n%s", claimed, free)
		}
	}
	claimed, free := "", ""
	for slug, into := range map[string]*string{"gone": &claimed, "rival": &free} {
		_, text := h.get("/companies/" + slug)
		*into = strings.ReplaceAll(text, slug, "SLUG")
	}
	if claimed != free {
		h.Errorf("the profiles:\n%s\n%s", claimed, free)
	}
}
