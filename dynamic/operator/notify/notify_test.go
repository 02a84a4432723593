package notify_test

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/mail"
	"souk/dynamic/operator/notify"
	"souk/dynamic/verification"
)

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// A market has a ledger with claims and removals, and a clock that the test moves.
type market struct {
	*verification.Process
	t      *testing.T
	ledger *ledger.Ledger
	folder string
	mu     sync.Mutex
	clock  time.Time
}

func newMarket(t *testing.T) *market {
	m := &market{t: t, folder: t.TempDir(), clock: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)}
	m.reopen()
	t.Cleanup(func() { _ = m.ledger.Close() })
	return m
}

// reopen opens the ledger as the next start of the program does.
func (m *market) reopen() {
	m.t.Helper()
	if m.ledger != nil {
		if err := m.ledger.Close(); err != nil {
			m.t.Fatal(err)
		}
	}
	var err error
	if m.ledger, err = ledger.Open(m.t.Context(), filepath.Join(m.folder, "ledger.db")); err != nil {
		m.t.Fatal(err)
	}
	if m.Process, err = verification.New(verification.Config{Ledger: m.ledger, Sellers: m, Now: m.now, Random: rand.Reader, Unlimited: true}); err != nil {
		m.t.Fatal(err)
	}
}

func (m *market) now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clock
}

func (m *market) pass(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock = m.clock.Add(d)
}

func (m *market) BySlug(_ context.Context, slug string) (verification.Seller, bool, error) {
	return verification.Seller{ID: slug, Slug: slug, Name: "The <" + slug + ">", OfficialDomain: slug + ".example", Current: true}, true, nil
}

func (m *market) ByID(ctx context.Context, id string) (verification.Seller, bool, error) {
	return m.BySlug(ctx, id)
}

func (m *market) Formerly(context.Context, string, []string) ([]string, error) { return nil, nil }

func (m *market) start(begin func(context.Context, verification.Start) (verification.Started, error), slug string) (id, token string) {
	m.t.Helper()
	_, err := begin(m.t.Context(), verification.Start{
		Slug: slug, RequesterName: "Jane Doe", RequesterEmail: "jane@" + slug + ".example", Client: netip.MustParseAddr("192.0.2.7"),
	})
	if err != nil {
		m.t.Fatal(err)
	}
	for {
		mails, err := m.Lease(m.t.Context(), 1, time.Minute)
		if err != nil || len(mails) == 0 {
			m.t.Fatal(mails, err)
		}
		if err := m.Process.Accepted(m.t.Context(), mails[0]); err != nil {
			m.t.Fatal(err)
		}
		if code := mails[0].Code(); code != "" && mails[0].Slug == slug {
			id, token, _ = strings.Cut(code, ".")
			return id, token
		}
	}
}

func (m *market) leaves(slug string) {
	m.t.Helper()
	id, token := m.start(m.StartRemoval, slug)
	if _, err := m.VerifyRemoval(m.t.Context(), id, token); err != nil {
		m.t.Fatal(err)
	}
}

func (m *market) claims(slug string) {
	m.t.Helper()
	id, token := m.start(m.StartClaim, slug)
	if _, err := m.VerifyClaim(m.t.Context(), id, token, "robots"); err != nil {
		m.t.Fatal(err)
	}
}

// A received is a request as a receiver saw it.
type received struct{ id, at, signature, body string }

// A receiver is a real receiver of webhooks.
type receiver struct {
	*httptest.Server
	status atomic.Int64
	mu     sync.Mutex
	got    []received
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.status.Store(http.StatusNoContent)
	r.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.got = append(r.got, received{q.Header.Get("webhook-id"), q.Header.Get("webhook-timestamp"), q.Header.Get("webhook-signature"), string(body)})
		r.mu.Unlock()
		if q.Method != http.MethodPost || q.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s with %v", q.Method, q.Header)
		}
		w.Header().Set("Location", r.URL+"/elsewhere")
		w.WriteHeader(int(r.status.Load()))
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received{}, r.got...)
}

// A run is a Notifier whose rounds the test starts.
type run struct {
	*notify.Notifier
	idle chan struct{}
	tick chan time.Time
	stop func()
}

// round waits until the next round is over.
func (r *run) round() {
	r.tick <- time.Time{}
	<-r.idle
}

// notifies runs a Notifier for one address until stop, and waits for its first round.
func (m *market) notifies(client *http.Client, text string) *run {
	m.t.Helper()
	r := m.runs(client, text)
	<-r.idle
	return r
}

func (m *market) runs(client *http.Client, texts ...string) *run {
	m.t.Helper()
	c := notify.Config{
		Ledger: m.ledger, Sender: mail.Folder{Path: filepath.Join(m.folder, "mail")}, Log: slog.New(slog.DiscardHandler), Now: m.now,
		Market: func() (string, string, error) { return "Market", "desk@market.example", nil }, Random: func() float64 { return 0.5 },
	}
	if client != nil {
		one := *client
		one.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		c.Client = &one
	}
	for _, text := range texts {
		a, err := notify.ParseAddress(text)
		if err != nil {
			m.t.Fatal(err)
		}
		c.Addresses = append(c.Addresses, a)
	}
	var err error
	if c.Secret, err = notify.ParseSecret(secret); err != nil {
		m.t.Fatal(err)
	}
	r := &run{idle: make(chan struct{}), tick: make(chan time.Time)}
	ctx, cancel := context.WithCancel(m.t.Context())
	c.After = func(time.Duration) <-chan time.Time {
		select {
		case r.idle <- struct{}{}:
		case <-ctx.Done():
		}
		return r.tick
	}
	r.Notifier = notify.New(c)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	r.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	m.t.Cleanup(r.stop)
	return r
}

func TestEachNoticeIsSentOnceAndSigned(t *testing.T) {
	m, to := newMarket(t), newReceiver(t)
	run := m.notifies(to.Client(), to.URL+"/hook?key=secret")
	m.claims("acme")
	m.pass(time.Second)
	m.leaves("acme")
	if _, err := m.Remove(t.Context(), m, verification.Seller{ID: "zinc", Slug: "zinc", Name: "Zinc"}, "a letter"); err != nil {
		t.Fatal(err)
	}
	run.round()
	run.round()
	got := to.all()
	want := []string{
		`{"type":"claim.attached","companySlug":"acme","name":"The <acme>","at":"2026-03-14T09:26:53Z","workspaceId":"robots"}`,
		`{"type":"seller.removed","companySlug":"acme","name":"The <acme>","at":"2026-03-14T09:26:54Z"}`,
	}
	if len(got) != len(want) {
		t.Fatalf("received %+v", got)
	}
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	for i, one := range got {
		sum := hmac.New(sha256.New, key)
		fmt.Fprintf(sum, "%s.%s.%s", one.id, one.at, one.body)
		if one.body != want[i] || one.signature != "v1,"+base64.StdEncoding.EncodeToString(sum.Sum(nil)) || one.at != fmt.Sprint(m.now().Unix()) || one.id == "" {
			t.Errorf("received %+v, want %s", one, want[i])
		}
	}
	if got[0].id == got[1].id {
		t.Error("two notices have one id")
	}
}

func TestFailedNoticeIsSentAgainAfterARestart(t *testing.T) {
	for _, status := range []int{http.StatusInternalServerError, http.StatusFound, http.StatusPermanentRedirect, http.StatusNotFound} {
		m, to := newMarket(t), newReceiver(t)
		to.status.Store(int64(status))
		m.leaves("acme")
		run := m.notifies(to.Client(), to.URL)
		run.round() // the pause is not over
		if n := len(to.all()); n != 1 {
			t.Fatalf("%d: %d requests", status, n)
		}
		if state := run.State(); !strings.Contains(state, "does not answer: notices wait: 1") || strings.Contains(state, "://") {
			t.Errorf("%d: the state is %q", status, state)
		}
		run.stop()
		m.reopen()
		m.pass(time.Minute)
		to.status.Store(http.StatusOK)
		run = m.notifies(to.Client(), to.URL)
		got := to.all()
		if len(got) != 2 || got[0].id != got[1].id || got[0].body != got[1].body || got[0].at == got[1].at {
			t.Errorf("%d: received %+v", status, got)
		}
		if state := run.State(); state != "" {
			t.Errorf("%d: the state is %q", status, state)
		}
	}
}

func TestRetriesBackOffToADayForSevenDays(t *testing.T) {
	m, to := newMarket(t), newReceiver(t)
	to.status.Store(http.StatusServiceUnavailable)
	m.leaves("acme")
	run := m.notifies(to.Client(), to.URL)
	var at []time.Time
	for began := m.now(); m.now().Before(began.Add(9 * 24 * time.Hour)); m.pass(10 * time.Second) {
		before := len(to.all())
		if len(at) > 0 && m.now().Sub(at[len(at)-1]) < 25*time.Second {
			continue
		}
		// A round in each minute is enough to see the pauses.
		if len(at) < 8 || m.now().Unix()%3600 < 10 {
			run.round()
		}
		if len(to.all()) > before {
			at = append(at, m.now())
		}
	}
	last := at[len(at)-1].Sub(at[0])
	if n := len(at); n < 15 || n > 22 || last > 7*24*time.Hour || last < 5*24*time.Hour {
		t.Fatalf("%d attempts over %s", n, last)
	}
	if pause := at[len(at)-1].Sub(at[len(at)-2]); pause < 23*time.Hour || pause > 26*time.Hour {
		t.Errorf("the last pause is %s", pause)
	}
}

func TestReceiverAnswering410GetsNoMoreNotices(t *testing.T) {
	m, to := newMarket(t), newReceiver(t)
	to.status.Store(http.StatusGone)
	m.leaves("acme")
	m.leaves("bolt")
	run := m.notifies(to.Client(), to.URL)
	if state := run.State(); !strings.Contains(state, "answered 410") {
		t.Errorf("the state is %q", state)
	}
	to.status.Store(http.StatusOK)
	m.pass(time.Hour)
	run.round()
	run.stop()
	m.reopen()
	run = m.notifies(to.Client(), to.URL)
	if n := len(to.all()); n != 1 || !strings.Contains(run.State(), "answered 410") {
		t.Fatalf("%d requests, state %q", n, run.State())
	}
	run.stop()
	m.notifies(nil, "mailto:ops@market.example").stop()
	m.notifies(to.Client(), to.URL)
	if n := len(to.all()); n != 3 {
		t.Errorf("%d requests", n)
	}
}

func TestSlowReceiverDelaysNoOther(t *testing.T) {
	m := newMarket(t)
	var asked atomic.Int64
	hang := make(chan struct{})
	slow := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked.Add(1)
		<-hang
	}))
	defer slow.Close()
	defer close(hang)
	m.leaves("acme")
	run := m.runs(slow.Client(), slow.URL, "mailto:ops@market.example")
	<-run.idle // only the mailbox is done
	entries, err := os.ReadDir(filepath.Join(m.folder, "mail"))
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	text, err := os.ReadFile(filepath.Join(m.folder, "mail", entries[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"To: <ops@market.example>", "was removed", "The <acme> (acme) was removed from Market on 14 March 2026, 09:26 UTC"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	if strings.Contains(string(text), "Jane") || strings.Contains(string(text), "jane@") || strings.Contains(string(text), "text/html") {
		t.Errorf("the mail is\n%s", text)
	}
}

func TestSilentReceiverIsRetried(t *testing.T) {
	m := newMarket(t)
	hang := make(chan struct{})
	slow := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	defer slow.Close()
	m.leaves("acme")
	client := slow.Client()
	client.Timeout = 50 * time.Millisecond
	run := m.notifies(client, slow.URL)
	if !strings.Contains(run.State(), "notices wait: 1") {
		t.Fatalf("the state is %q", run.State())
	}
	close(hang)
	m.pass(time.Minute)
	run.round()
	if run.State() != "" {
		t.Errorf("the state is %q", run.State())
	}
}

// Of several builders on one ledger, one makes an attempt.
func TestOnlyOneProcessSendsANotice(t *testing.T) {
	m := newMarket(t)
	m.leaves("acme")
	list, ended, err := m.ledger.Notices(t.Context(), "https://hooks.example", m.now().Add(-time.Hour))
	if err != nil || ended || len(list) != 1 {
		t.Fatal(list, ended, err)
	}
	for i, want := range []bool{true, false} {
		if mine, err := m.ledger.TryNotice(t.Context(), "https://hooks.example", list[0], m.now()); err != nil || mine != want {
			t.Errorf("attempt %d: %t, %v", i, mine, err)
		}
	}
}

func TestInvalidAddressesAndSecretsAreRefusedWithoutQuotingThem(t *testing.T) {
	for _, text := range []string{
		"", "ops@market.example", "http://hooks.example/secret", "https://", "https:///secret", "https://user:secret@hooks.example/", "https://hooks.example:port/secret",
		"mailto:", "mailto:secret", "mailto:a@b@c.example", "mailto:ops@market.example?subject=secret", "mailto:Ops <ops@market.example>", "ftp://hooks.example", "HTTPS//secret", "https://ho oks.example/secret",
	} {
		if _, err := notify.ParseAddress(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "whsec_", "hunter2", "whsec_AAAA", "whsec_" + strings.Repeat("A", 200), "whsec_M!KQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		if _, err := notify.ParseSecret(text); err == nil || len(text) > 6 && strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
