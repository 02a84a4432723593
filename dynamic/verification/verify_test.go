package verification_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"souk/dynamic/verification"
)

func TestVerifiedClaimAttachesTheProfileAndNotifiesTheRequester(t *testing.T) {
	m := newMarket(t, nil)
	l := m.claim(jane)
	m.pass(time.Hour)
	a, err := m.VerifyClaim(t.Context(), l.id, l.token, "ws-1")
	if err != nil {
		t.Fatal(err)
	}
	if a.ClaimID != l.id || a.Workspace != "ws-1" || a.Seller.Slug != "acme" || !a.AttachedAt.Equal(day.Add(time.Hour)) {
		t.Errorf("answered %+v", a)
	}
	notices := m.mails()
	if len(notices) != 1 || notices[0].Kind != verification.MailAttached || notices[0].To.Mailbox() != "jane@acme.example" ||
		notices[0].Workspace != "ws-1" || notices[0].Token.Reveal() != "" {
		t.Errorf("notices %+v", notices)
	}
}

func TestVerifiedRemovalRemovesTheSellerAndNotifiesTheRequester(t *testing.T) {
	m := newMarket(t, nil)
	l := m.removal(jane)
	r, err := m.VerifyRemoval(t.Context(), l.id, l.token)
	if err != nil {
		t.Fatal(err)
	}
	if r.RequestID != l.id || r.SellerID != "id-acme" || r.Slug != "acme" || r.Domain != "acme.example" || !r.RemovedAt.Equal(day) {
		t.Errorf("answered %+v", r)
	}
	if list, err := m.ListRemovals(t.Context(), false); err != nil || len(list) != 1 || !reflect.DeepEqual(list[0], r) {
		t.Errorf("on record %+v, %v", list, err)
	}
	if notices := m.mails(); len(notices) != 1 || notices[0].Kind != verification.MailRemoved {
		t.Errorf("notices %+v", notices)
	}
	for what, s := range map[string]verification.Start{"the seller": jane} {
		_, err := m.StartRemoval(t.Context(), s)
		want(t, "another removal of "+what, err, verification.CodeRemoved)
		_, err = m.StartClaim(t.Context(), s)
		want(t, "a claim of "+what, err, verification.CodeRemoved)
	}
	// The same company has another slug and id, and then its content is deleted.
	m.set(verification.Seller{ID: "new", Slug: "acme-new", OfficialDomain: "acme.example", Current: true})
	_, err = m.StartClaim(t.Context(), by("jane@acme.example", "acme-new"))
	want(t, "a claim of the one that came back", err, verification.CodeRemoved)
	delete(m.sellers, "id-acme")
	_, err = m.StartClaim(t.Context(), jane)
	want(t, "a claim where nothing is any more", err, verification.CodeRemoved)
}

func TestUnknownRequestAndWrongTokenGetTheSameAnswer(t *testing.T) {
	m := newMarket(t, nil)
	claim, removal := m.claim(jane), m.removal(jane)
	var told []string
	for what, l := range map[string]link{
		"an unknown id":             {"removal-aaaaaaaaaaaaaaaaaaaaaaaaaa", removal.token},
		"an id that is none":        {"\x00'; --", removal.token},
		"an endless id":             {strings.Repeat("a", 1<<20), removal.token},
		"a wrong token":             {removal.id, removal.token[:42] + "!"},
		"no token":                  {removal.id, ""},
		"an endless token":          {removal.id, strings.Repeat("a", 1<<20)},
		"a claim's token":           {removal.id, claim.token},
		"a claim's id and token":    {claim.id, claim.token},
		"a claim's id":              {claim.id, removal.token},
		"a token with one in front": {removal.id, "x" + removal.token},
	} {
		err := m.verifyRemoval(l)
		want(t, what, err, verification.CodeVerificationNotFound)
		var known *verification.Error
		if errors.As(err, &known) {
			told = append(told, known.Detail+known.Error())
		}
	}
	want(t, "a removal's token for a claim", m.verifyClaim(removal, "ws"), verification.CodeVerificationNotFound)
	for _, one := range told {
		if one != told[0] {
			t.Errorf("one is told %q, another %q", told[0], one)
		}
	}
	want(t, "the right one, still", m.verifyRemoval(removal), "")
}

func TestTokenWorksOnceAndInTime(t *testing.T) {
	m := newMarket(t, func(c *verification.Config) { c.LinkLifetime = time.Hour })
	first, second := m.removal(jane), m.claim(by("jane@zinc.example", "zinc"))
	m.pass(time.Hour - time.Microsecond)
	want(t, "the last moment", m.verifyRemoval(first), "")
	m.pass(time.Microsecond)
	want(t, "the moment after", m.verifyClaim(second, "ws"), verification.CodeVerificationExpired)
	want(t, "a used one", m.verifyRemoval(first), verification.CodeVerificationUsed)
	m.pass(1000 * time.Hour)
	want(t, "a used one, long after", m.verifyRemoval(first), verification.CodeVerificationUsed)
}

func TestFirstVerificationWins(t *testing.T) {
	m := newMarket(t, nil)
	claim, removal, other := m.claim(jane), m.removal(jane), m.removal(by("joe@acme.example", "acme"))
	want(t, "the first", m.verifyRemoval(other), "")
	want(t, "a removal that was pending", m.verifyRemoval(removal), verification.CodeRemoved)
	want(t, "a claim that was pending", m.verifyClaim(claim, "ws"), verification.CodeRemoved)
}

func TestProfileBelongsToOneWorkspace(t *testing.T) {
	m := newMarket(t, nil)
	first, second, third := m.claim(jane), m.claim(by("joe@acme.example", "acme")), m.claim(jane)
	a, err := m.VerifyClaim(t.Context(), first.id, first.token, "ws-1")
	if err != nil {
		t.Fatal(err)
	}
	m.mails()
	m.pass(time.Hour)
	want(t, "another workspace", m.verifyClaim(second, "ws-2"), verification.CodeAlreadyClaimed)
	want(t, "the used token in another workspace", m.verifyClaim(first, "ws-2"), verification.CodeVerificationUsed)
	for range 2 {
		again, err := m.VerifyClaim(t.Context(), first.id, first.token, "ws-1")
		if err != nil || again != a {
			t.Errorf("the same claim again: %+v, %v, want %+v", again, err, a)
		}
		again, err = m.VerifyClaim(t.Context(), third.id, third.token, "ws-1")
		if err != nil || again.ClaimID != third.id || !again.AttachedAt.Equal(a.AttachedAt) {
			t.Errorf("another claim of the same workspace: %+v, %v", again, err)
		}
	}
	if mails := m.mails(); len(mails) != 0 {
		t.Errorf("nothing changed, and %d notices are sent", len(mails))
	}
	want(t, "the other's token in the right workspace", m.verifyClaim(second, "ws-1"), "")
	for _, workspace := range []string{"", " ws", "a\nb", strings.Repeat("w", 201)} {
		want(t, "no workspace", m.verifyClaim(second, workspace), verification.CodeInvalidField)
	}
}

func TestSellerIsLookedUpAgainAtVerification(t *testing.T) {
	acme := verification.Seller{ID: "id-acme", Slug: "acme", Name: "acme Ltd", OfficialDomain: "acme.example", Current: true}
	for _, c := range []struct {
		what   string
		change func(*verification.Seller)
		code   verification.Code
	}{
		{"the domain moved away", func(s *verification.Seller) { s.OfficialDomain = "acme.com" }, verification.CodeDomainMismatch},
		{"it is not public any more", func(s *verification.Seller) { s.Current = false }, verification.CodeNotFound},
		{"it is withheld", func(s *verification.Seller) { s.Removed = true }, verification.CodeRemoved},
		{"the content has another under the slug", func(s *verification.Seller) { s.ID = "stranger" }, verification.CodeNotFound},
		{"it has another slug", func(s *verification.Seller) { s.Slug = "acme-robots" }, ""},
	} {
		m := newMarket(t, nil)
		claim, removal := m.claim(jane), m.removal(jane)
		now := acme
		c.change(&now)
		delete(m.sellers, acme.ID)
		m.set(now)
		want(t, "a claim where "+c.what, m.verifyClaim(claim, "ws"), c.code)
		want(t, "a removal where "+c.what, m.verifyRemoval(removal), c.code)
		if c.code == "" {
			continue
		}
		delete(m.sellers, now.ID)
		m.set(acme)
		want(t, "a claim once it is as before, where "+c.what, m.verifyClaim(claim, "ws"), "")
	}
}

func TestPendingVerificationReportsTheRemovalIfTheContentIsGone(t *testing.T) {
	m := newMarket(t, nil)
	used, removal, claim := m.removal(jane), m.removal(jane), m.claim(jane)
	want(t, "the removal", m.verifyRemoval(used), "")
	delete(m.sellers, "id-acme")
	want(t, "another removal", m.verifyRemoval(removal), verification.CodeRemoved)
	want(t, "a claim", m.verifyClaim(claim, "ws"), verification.CodeRemoved)
}

func TestStartReportsTheRemovalIfTheContentIsGone(t *testing.T) {
	m := newMarket(t, nil)
	for _, slug := range []string{"gone", strings.Repeat("long-", 15) + "gone"} {
		seller := verification.Seller{ID: slug, Slug: slug, OfficialDomain: "gone.example"}
		if _, err := m.Remove(t.Context(), m, seller, "a letter"); err != nil {
			t.Fatal(err)
		}
		_, err := m.StartClaim(t.Context(), by("jane@gone.example", slug))
		want(t, "a claim of "+slug, err, verification.CodeRemoved)
		if _, err := m.Restore(t.Context(), slug, "the letter was withdrawn"); err != nil {
			t.Fatal(err)
		}
		_, err = m.StartClaim(t.Context(), by("jane@gone.example", slug))
		want(t, "a claim of the restored "+slug, err, verification.CodeNotFound)
	}
}

func TestRestoringUndoesARemovalWithAReason(t *testing.T) {
	m := newMarket(t, nil)
	used, pending := m.removal(jane), m.removal(jane)
	want(t, "the removal", m.verifyRemoval(used), "")
	_, err := m.Restore(t.Context(), "acme", " ")
	want(t, "without a reason", err, verification.CodeInvalidField)
	_, err = m.Restore(t.Context(), "zinc", "why not")
	want(t, "somebody else", err, verification.CodeNotFound)
	m.pass(time.Hour)
	done, err := m.Restore(t.Context(), "acme", "the proof was forged")
	if err != nil || len(done) != 1 || done[0].Restored.Reason != "the proof was forged" || !done[0].Restored.At.Equal(day.Add(time.Hour)) {
		t.Errorf("%+v, %v", done, err)
	}
	_, err = m.Restore(t.Context(), "acme", "twice")
	want(t, "twice", err, verification.CodeNotFound)
	want(t, "a link from before", m.verifyRemoval(pending), verification.CodeVerificationExpired)
	h, err := m.History(t.Context(), "acme.example")
	if err != nil || len(h.Removals) != 1 || h.Removals[0].Restored == nil {
		t.Errorf("%+v, %v", h, err)
	}
	want(t, "a new removal", m.verifyRemoval(m.removal(jane)), "")
}

func TestOnlyTheNamedCompanyIsRestored(t *testing.T) {
	m := newMarket(t, nil)
	want(t, "the removal", m.verifyRemoval(m.removal(jane)), "")
	delete(m.sellers, "id-acme")
	fresh := verification.Seller{ID: "acme", Slug: "acme", Name: "Fresh", OfficialDomain: "fresh.example"}
	m.set(fresh)
	if _, err := m.Remove(t.Context(), m, fresh, "a letter"); err != nil {
		t.Fatal(err)
	}
	_, err := m.Restore(t.Context(), "acme", "the letter was withdrawn")
	want(t, "the slug of both", err, verification.CodeInvalidField)
	for _, domain := range []string{"fresh.example", "acme.example"} {
		done, err := m.Restore(t.Context(), domain, "the letter was withdrawn")
		if err != nil || len(done) != 1 || done[0].Domain != domain {
			t.Errorf("%s: %+v, %v", domain, done, err)
		}
	}
}

func TestSellerThatReturnedIsRestoredByItsCurrentName(t *testing.T) {
	m := newMarket(t, nil)
	want(t, "the removal", m.verifyRemoval(m.removal(jane)), "")
	m.set(verification.Seller{ID: "new", Slug: "acme-new", OfficialDomain: "acme.example", Removed: true})
	done, err := m.Restore(t.Context(), "acme-new", "it is theirs")
	if err != nil || len(done) != 1 || done[0].SellerID != "id-acme" {
		t.Errorf("%+v, %v", done, err)
	}
}
