package verification_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"souk/dynamic/verification"
)

func TestReleasedProfileGoesToTheNextVerifiedClaim(t *testing.T) {
	m := newMarket(t, nil)
	first := m.claim(jane)
	want(t, "the first claim", m.verifyClaim(first, "ws-1"), "")
	second := m.claim(by("joe@acme.example", "acme"))
	want(t, "while it is attached elsewhere", m.verifyClaim(second, "ws-2"), verification.CodeAlreadyClaimed)
	m.pass(time.Hour)
	ended, err := m.ReleaseClaim(t.Context(), "ACME.example", " Jane left them ")
	if err != nil || ended.Workspace != "ws-1" || ended.SellerID != "id-acme" {
		t.Fatalf("released %+v, %v", ended, err)
	}
	want(t, "the released claim again", m.verifyClaim(first, "ws-1"), verification.CodeVerificationUsed)
	want(t, "the next claim", m.verifyClaim(second, "ws-2"), "")
	want(t, "the released claim after that", m.verifyClaim(first, "ws-1"), verification.CodeVerificationUsed)
	h, err := m.History(t.Context(), "acme")
	if err != nil || len(h.Attachments) != 1 || h.Attachments[0].Workspace != "ws-2" || len(h.Detachments) != 1 {
		t.Fatalf("on record: %+v, %v", h, err)
	}
	if d := h.Detachments[0]; d.Workspace != "ws-1" || d.MovedTo != "" || d.Reason != "Jane left them" || !d.At.Equal(day.Add(time.Hour)) || !d.AttachedAt.Equal(day) {
		t.Errorf("on record: %+v", d)
	}
}

func TestMovedProfileBelongsOnlyToTheNewWorkspace(t *testing.T) {
	m := newMarket(t, nil)
	link := m.claim(jane)
	want(t, "the claim", m.verifyClaim(link, "ws-1"), "")
	m.pass(time.Hour)
	if _, err := m.MoveClaim(t.Context(), "acme", "ws-2", "merged"); err != nil {
		t.Fatal(err)
	}
	want(t, "the old workspace, again", m.verifyClaim(link, "ws-1"), verification.CodeVerificationUsed)
	want(t, "the new workspace, with a link that is not its own", m.verifyClaim(link, "ws-2"), verification.CodeVerificationUsed)
	want(t, "the old workspace, anew", m.verifyClaim(m.claim(jane), "ws-1"), verification.CodeAlreadyClaimed)
	want(t, "the new workspace, anew", m.verifyClaim(m.claim(jane), "ws-2"), "")
	attached, _, err := m.Claims(t.Context())
	if err != nil || len(attached) != 1 || attached[0].Workspace != "ws-2" || !attached[0].AttachedAt.Equal(day.Add(time.Hour)) {
		t.Errorf("attached: %+v, %v", attached, err)
	}
	_, err = m.MoveClaim(t.Context(), "acme", "ws-2", "again")
	want(t, "to where it is", err, verification.CodeAlreadyClaimed)
	if _, err := m.MoveClaim(t.Context(), "id-acme", "ws-1", "back"); err != nil {
		t.Fatal(err)
	}
	want(t, "the claim that attached it first", m.verifyClaim(link, "ws-1"), "")
}

func TestClaimsListAttachedAndPending(t *testing.T) {
	m := newMarket(t, nil)
	if attached, pending, err := m.Claims(t.Context()); err != nil || len(attached)+len(pending) != 0 {
		t.Errorf("at first: %v %v %v", attached, pending, err)
	}
	want(t, "the claim", m.verifyClaim(m.claim(jane), "ws-1"), "")
	m.claim(by("zoe@zinc.example", "zinc"))
	attached, pending, err := m.Claims(t.Context())
	if err != nil || len(attached) != 1 || len(pending) != 1 {
		t.Fatalf("got %+v %+v %v", attached, pending, err)
	}
	if a := attached[0]; a.Seller.Slug != "acme" || a.Workspace != "ws-1" || a.RequesterName != "Jane Doe" || a.Requester.Mailbox() != "jane@acme.example" || !a.AttachedAt.Equal(day) {
		t.Errorf("attached: %+v", a)
	}
	if p := pending[0]; p.Slug != "zinc" || p.Requester.Mailbox() != "zoe@zinc.example" || !p.ExpiresAt.Equal(day.Add(24*time.Hour)) {
		t.Errorf("pending: %+v", p)
	}
	m.pass(24 * time.Hour)
	if _, pending, err := m.Claims(t.Context()); err != nil || len(pending) != 0 {
		t.Errorf("an expired one is pending: %v %v", pending, err)
	}
}

func TestReleasingNeedsAnAttachmentAndAReason(t *testing.T) {
	m := newMarket(t, nil)
	want(t, "the claim", m.verifyClaim(m.claim(jane), "ws-1"), "")
	for _, c := range []struct {
		seller, workspace, reason string
		code                      verification.Code
	}{
		{"zinc", "ws-2", "why", verification.CodeNotFound},
		{"", "ws-2", "why", verification.CodeNotFound},
		{"acme", "ws-2", "  ", verification.CodeInvalidField},
		{"acme", "ws-2", "a\x00b", verification.CodeInvalidField},
		{"acme", "ws-2", strings.Repeat("x", 1001), verification.CodeInvalidField},
		{"acme", " ws-2", "why", verification.CodeInvalidField},
		{"acme", "", "why", verification.CodeInvalidField},
	} {
		_, err := m.MoveClaim(t.Context(), c.seller, c.workspace, c.reason)
		want(t, "move "+c.seller+" to "+c.workspace, err, c.code)
		if c.workspace == "ws-2" {
			_, err = m.ReleaseClaim(t.Context(), c.seller, c.reason)
			want(t, "release "+c.seller, err, c.code)
		}
	}
	if h, err := m.History(t.Context(), "acme"); err != nil || len(h.Attachments) != 1 || len(h.Detachments) != 0 {
		t.Errorf("on record: %+v, %v", h, err)
	}
}

func TestAmbiguousSellerNameIsRejected(t *testing.T) {
	m := newMarket(t, nil)
	want(t, "acme", m.verifyClaim(m.claim(jane), "ws-1"), "")
	// Another company takes over the slug and domain, so the record has both companies
	// under them.
	m.set(verification.Seller{ID: "id-acme", Slug: "old-acme", Name: "Old", OfficialDomain: "old.example", Current: true})
	m.set(verification.Seller{ID: "id-new", Slug: "acme", Name: "New", OfficialDomain: "acme.example", Current: true})
	want(t, "the other", m.verifyClaim(m.claim(jane), "ws-2"), "")
	_, err := m.ReleaseClaim(t.Context(), "acme", "why")
	var asked *verification.Error
	if !errors.As(err, &asked) || !strings.Contains(asked.Detail, "id-acme or id-new") {
		t.Errorf("got %v", err)
	}
	if ended, err := m.ReleaseClaim(t.Context(), "id-new", "why"); err != nil || ended.Workspace != "ws-2" {
		t.Errorf("got %+v, %v", ended, err)
	}
}
