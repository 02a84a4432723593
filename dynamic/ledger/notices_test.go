//go:build unix

package ledger_test

import (
	"slices"
	"testing"
	"time"

	"souk/dynamic/ledger"
)

func noticesWait(t *testing.T, fresh func() string) {
	m := newMarket(t, fresh(), false)
	waiting := func(address string) (all []ledger.Notice, ended bool) {
		t.Helper()
		all, ended, err := m.ledger.Notices(t.Context(), address, day.Add(-time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		return all, ended
	}
	id, token := m.claim("acme")
	if _, err := m.VerifyClaim(t.Context(), id, token, "ws-1"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.MoveClaim(t.Context(), "acme", "ws-2", "by the operator"); err != nil {
		t.Fatal(err)
	}
	m.claim("bolt")
	m.pass(time.Minute)
	m.leaves("zinc")
	all, _ := waiting("a")
	if len(all) != 2 {
		t.Fatalf("waiting are %+v", all)
	}
	want := ledger.Notice{ID: id, Claim: true, Slug: "acme", Name: "The acme", Workspace: "ws-1", At: day.Truncate(time.Microsecond)}
	if got := all[0]; !got.At.Equal(want.At) {
		t.Errorf("it was at %s", got.At)
	} else if got.At = want.At; got != want {
		t.Errorf("the claim is %+v, want %+v", got, want)
	}
	if got := all[1]; got.Claim || got.Slug != "zinc" || got.Workspace != "" || got.ID == "" {
		t.Errorf("the removal is %+v", got)
	}
	if mine, err := m.ledger.TryNotice(t.Context(), "a", all[0], day.Add(time.Hour)); err != nil || !mine {
		t.Fatal(mine, err)
	}
	if mine, err := m.ledger.TryNotice(t.Context(), "a", all[0], day.Add(time.Hour)); err != nil || mine {
		t.Error("two processes have one attempt", err)
	}
	if now, _ := waiting("a"); len(now) != 2 || now[0].Attempts != 1 || !now[0].NextTry.Equal(day.Add(time.Hour).Truncate(time.Microsecond)) {
		t.Errorf("after an attempt it is %+v", now[0])
	}
	if err := m.ledger.SettleNotice(t.Context(), "a", all[0], ledger.NoticeAccepted); err != nil {
		t.Fatal(err)
	}
	if now, _ := waiting("a"); len(now) != 1 || now[0].Slug != "zinc" {
		t.Errorf("accepted and waiting: %+v", now)
	}
	if now, _ := waiting("b"); len(now) != 2 {
		t.Errorf("another address waits for %+v", now)
	}
	if _, err := m.ledger.TryNotice(t.Context(), "b", all[1], day); err != nil {
		t.Fatal(err)
	}
	if err := m.ledger.SettleNotice(t.Context(), "b", all[1], ledger.NoticeEnded); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keep  []string
		ended bool
	}{{[]string{"a", "b"}, true}, {[]string{"a"}, false}} {
		if err := m.ledger.KeepNotices(t.Context(), c.keep, day.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		if all, ended := waiting("b"); ended != c.ended || len(all) == 0 != c.ended {
			t.Errorf("with %v: %+v, %t", c.keep, all, ended)
		}
	}
	if now, _ := waiting("a"); !slices.EqualFunc(now, all[1:], func(x, y ledger.Notice) bool { return x.ID == y.ID }) {
		t.Errorf("an accepted notice waits again: %+v", now)
	}
}
