package dynamic

import (
	"context"
	"crypto/rand"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"souk/dynamic/mail"
	"souk/dynamic/verification"
	"souk/dynamic/web"
)

// A counting Ledger counts concurrent Views, and blocks the first until the test releases
// it.
type counting struct {
	verification.Ledger
	running, most atomic.Int64
	entered       chan struct{}
	letGo         chan struct{}
}

func (l *counting) View(ctx context.Context, f func(verification.Reader) error) error {
	l.most.Store(max(l.most.Load(), l.running.Add(1)))
	defer l.running.Add(-1)
	l.entered <- struct{}{}
	<-l.letGo
	return l.Ledger.View(ctx, f)
}

// However many clients request the health, they use one connection of the ledger.
func TestHealthUsesOneConnectionForAnyNumberOfRequests(t *testing.T) {
	h := newHouse(t)
	l := &counting{Ledger: h.Verification.Ledger, entered: make(chan struct{}, 100), letGo: make(chan struct{})}
	process, err := verification.New(verification.Config{Ledger: l, Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	m := &monitor{process: process}
	var all, come sync.WaitGroup
	for range 50 {
		come.Add(1)
		all.Go(func() {
			come.Done()
			if _, err := m.outbox(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	<-l.entered
	come.Wait()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.outbox(gone); err == nil {
		t.Error("who went away is waited for")
	}
	close(l.letGo)
	all.Wait()
	if most := l.most.Load(); most != 1 {
		t.Errorf("%d connections were used at once", most)
	}
}

// handing is a mail server that accepts a mail when the test does.
type handing chan mail.Letter

func (h handing) Send(ctx context.Context, l mail.Letter) error {
	select {
	case h <- l:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// While thousands of mails wait, a removal is requested, and its mail is among the next
// few: at 2 mails per second, within 5 seconds.
func TestNewMailOvertakesABacklog(t *testing.T) {
	h := newHouse(t)
	server := make(handing)
	h.Verification.Sender, h.Verification.Unlimited = server, false
	waiting := 2_000
	if *thorough {
		waiting = 13_000
	}
	h.withMails(waiting, "waiting", time.Now().Add(-time.Hour))
	h.open()
	for range 50 {
		<-server
	}
	h.must(http.StatusAccepted, "/companies/acme/removal-requests", "", requester{"Jane Doe", "jane.doe@acme.example"})
	const most = 10
	for sent := 1; ; sent++ {
		letter := <-server
		if letter.To == "jane.doe@acme.example" {
			t.Logf("it was the %dth that was sent", sent)
			break
		}
		if sent == most {
			t.Fatalf("it is not among the first %d", most)
		}
	}
	go func() { // the last one that is being sent
		for range server {
		}
	}()
	h.close()
	close(server)
}

// If the public folder is gone, for example because a disk was unmounted, the health check
// fails until it is back.
func TestHealthIsDownWhileThePublicFolderIsGone(t *testing.T) {
	h := newHouse(t)
	h.open()
	if status, got := h.health(); status != http.StatusOK {
		t.Fatalf("at first: %d %v", status, got)
	}
	public := h.Build.Public
	if err := os.Rename(public, public+".away"); err != nil {
		t.Fatal(err)
	}
	status, got := h.health()
	if status != http.StatusServiceUnavailable || got.Status != web.StatusDown || got.Checks["release"] != "its files cannot be read" {
		t.Errorf("while it is gone: %d %v", status, got)
	}
	if err := os.Rename(public+".away", public); err != nil {
		t.Fatal(err)
	}
	if status, got := h.health(); status != http.StatusOK || got.Checks["release"] != web.StatusOK {
		t.Errorf("when it is back: %d %v", status, got)
	}
}
