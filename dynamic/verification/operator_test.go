package verification_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"souk/dynamic/verification"
)

var acme = verification.Seller{ID: "id-acme", Slug: "acme", Name: "acme Ltd", OfficialDomain: "acme.example"}

func TestOperatorRemovalIsRecordedWithReasonAndSeparateCompanies(t *testing.T) {
	m := newMarket(t, nil)
	m.formerly = map[string][]string{"acme.example": {"id-buyer"}}
	claim, removal := m.claim(jane), m.removal(jane)
	made, err := m.Remove(t.Context(), m, acme, " a letter of 12 May ")
	if err != nil || made.Reason != "a letter of 12 May" || made.RequestID != "" || !made.RemovedAt.Equal(day) {
		t.Fatalf("made %+v, %v", made, err)
	}
	list, err := m.ListRemovals(t.Context(), false)
	if err != nil || len(list) != 1 || list[0].Reason != made.Reason || list[0].Domain != "acme.example" || !slices.Equal(list[0].SeparateIDs, []string{"id-buyer"}) {
		t.Errorf("on record: %+v, %v", list, err)
	}
	// As after a verified removal, pending requests fail.
	want(t, "a claim", m.verifyClaim(claim, "ws-1"), verification.CodeRemoved)
	want(t, "a removal", m.verifyRemoval(removal), verification.CodeRemoved)
	_, err = m.StartClaim(t.Context(), jane)
	want(t, "a start", err, verification.CodeRemoved)
	if mails := m.mails(); len(mails) != 0 {
		t.Errorf("%d mails, and nobody asked by mail", len(mails))
	}
	if _, err := m.Restore(t.Context(), "acme", "the letter was withdrawn"); err != nil {
		t.Fatal(err)
	}
	m.pass(time.Hour)
	if _, err := m.Remove(t.Context(), m, acme, "another letter"); err != nil {
		t.Errorf("again, after a restore: %v", err)
	}
}

func TestSellerIsRemovedOnceAtATime(t *testing.T) {
	m := newMarket(t, nil)
	want(t, "no reason", second(m.Remove(t.Context(), m, acme, " ")), verification.CodeInvalidField)
	want(t, "the verified one", m.verifyRemoval(m.removal(jane)), "")
	err := second(m.Remove(t.Context(), m, acme, "a letter"))
	want(t, "the operator's", err, verification.CodeRemoved)
	var told *verification.Error
	if errors.As(err, &told) && !strings.Contains(told.Detail, "acme (acme.example) is already removed, since 2026-03-14T09:26:53Z") {
		t.Errorf("it says %q", told.Detail)
	}
	for name, code := range map[string]verification.Code{"acme": "removed", "id-acme": "removed", "WWW.acme.example": "removed", "zinc": "", "": ""} {
		want(t, name, m.RemovedAlready(t.Context(), name), code)
	}
}

func second[T any](_ T, err error) error { return err }

func TestSellerIsFoundBySlugIDOrDomain(t *testing.T) {
	s := verification.Seller{ID: "Globex GmbH", Slug: "globex", OfficialDomain: "xn--glbex-kua.example"}
	for name, is := range map[string]bool{
		"globex": true, "Globex GmbH": true, "glöbex.example": true, "GLÖBEX.example": true, "www.glöbex.example": true, "xn--glbex-kua.example": true,
		"": false, "globe": false, "Globex": false, "mail.glöbex.example": false, "example": false,
	} {
		if got := s.IsNamed(name); got != is {
			t.Errorf("%q: %t, want %t", name, got, is)
		}
	}
}
