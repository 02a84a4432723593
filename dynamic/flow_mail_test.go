package dynamic

import (
	"context"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"souk/dynamic/verification"
)

var messageID = regexp.MustCompile(`(?mi)^Message-ID: (\S+)`)

// outbox returns the counts of recorded mails.
func (h *house) outbox() verification.OutboxState {
	h.Helper()
	state, err := h.operator().Outbox(context.Background())
	if err != nil {
		h.Fatal(err)
	}
	return state
}

// The mail server is down at first, then temporarily refuses mails, and the program
// restarts in between. Each mail arrives once, and its link works.
func TestMailsSurviveMailServerOutagesAndRestarts(t *testing.T) {
	h := newHouse(t)
	h.fillMarket()
	clock := handSet()
	h.Config.Build.Clock = clock.Now
	server := newMailServer(t)
	down := server.listen(t, "127.0.0.1:0")
	h.Verification.Sender = server.sender(t, "127.0.0.1:1") // where nothing listens

	end := h.open()
	a := h.must(http.StatusAccepted, "/companies/gone/removal-requests", "", requester{"Jane Doe", "jane@gone.example"})
	id := a.Value("requestId")
	h.until("a try failed", func() bool {
		return h.outbox().Next.After(clock.Now()) && h.outbox().Next.Before(clock.Now().Add(time.Minute))
	})
	end()

	server.refuse(&smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "greylisted: <%s>"})
	h.Verification.Sender = server.sender(t, down)
	clock.Add(time.Hour)
	first := clock.Now()
	end = h.open()
	h.until("a second try failed", func() bool { return h.outbox().Next.After(first) && h.outbox().Next.Before(first.Add(2*time.Minute)) })
	end()

	server.refuse(nil)
	clock.Add(time.Hour)
	h.open()
	h.until("the mail was accepted", func() bool { return h.outbox().Accepted == 1 })
	got := server.received()
	if len(got) != 1 || got[0].file != "jane@gone.example" || got[0].id != id {
		t.Fatalf("the server has %d mails: %+v", len(got), got)
	}
	h.must(http.StatusOK, "/company-removal-requests/"+id+"/verify", "", tokenBody{got[0].token})
	h.until("the notice was accepted", func() bool { return h.outbox().Accepted == 2 })

	_, secret, err := h.operator().NewAPIToken(t.Context(), "team")
	if err != nil {
		t.Fatal(err)
	}
	id = h.must(http.StatusAccepted, "/companies/acme/claims", "", requester{"Jim", "jim@acme.example"}).Value("claimId")
	h.until("the claim's mail was accepted", func() bool { return h.outbox().Accepted == 3 })
	token := server.received()[2].token
	h.must(http.StatusOK, "/company-claims/"+id+"/verify", secret.Reveal(), tokenBody{token})
	h.until("its notice was accepted", func() bool { return h.outbox().Accepted == 4 })

	seen := map[string]bool{}
	for _, one := range server.received() {
		name := messageID.FindStringSubmatch(one.text)
		if name == nil || seen[name[1]] {
			t.Errorf("a mail came twice, or has no name: %v", name)
			continue
		}
		seen[name[1]] = true
	}
	if state := h.outbox(); len(seen) != 4 || state.Waiting != 0 || state.Dropped != 0 {
		t.Errorf("%d mails arrived; the outbox: %+v", len(seen), state)
	}
}
