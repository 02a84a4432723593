package main

import (
	"strings"
	"testing"
	"time"

	"souk/dynamic/verification"
)

// A reason comes from a letter, and may have been pasted.
func TestAHistoryShowsNothingThatATerminalObeys(t *testing.T) {
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
