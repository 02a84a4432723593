package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"souk/dynamic/verification"
)

func TestHistoryIsOrderedWithinASecond(t *testing.T) {
	at := func(micros time.Duration) time.Time {
		return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(micros * time.Microsecond)
	}
	h := verification.History{
		Publications: []verification.Publication{{Slug: "acme", From: at(0), Until: at(4)}, {Slug: "acme", From: at(6)}},
		Detachments:  []verification.Detachment{{Attachment: verification.Attachment{Workspace: "w", AttachedAt: at(1)}, At: at(2), Reason: "asked"}},
		Removals:     []verification.Removal{{Slug: "acme", RequestID: "r", RemovedAt: at(3), Restored: &verification.Restoration{At: at(5)}}},
	}
	var out bytes.Buffer
	if err := printHistory(environment{stdout: &out}, h, historyData(h)); err != nil {
		t.Fatal(err)
	}
	rest := out.String()
	for _, next := range []string{"published as acme", "attached to", "released from", "removed: acme", "no longer published", "restored: acme", "published as acme", "addresses"} {
		before, after, found := strings.Cut(rest, next)
		if strings.Count(before, "\n") > 1 || !found {
			t.Errorf("%q comes elsewhere in\n%s", next, out.String())
		}
		rest = after
	}
}

// A reason may have been pasted from a letter.
func TestHistoryEscapesTerminalSequences(t *testing.T) {
	var out strings.Builder
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	history := verification.History{Detachments: []verification.Detachment{{Attachment: verification.Attachment{Workspace: "w", AttachedAt: at}, At: at.Add(time.Hour), Reason: "by \x1b[2Jletter\nof 1 May"}}}
	if err := printHistory(environment{stdout: &out}, history, historyJSON{}); err != nil {
		t.Fatal(err)
	}
	if want := "2026-03-01T10:30:00Z  released from workspace w: by \uFFFD[2Jletter\uFFFDof 1 May\n"; !strings.Contains(out.String(), want) {
		t.Errorf("it prints %q, without %q", out.String(), want)
	}
}
