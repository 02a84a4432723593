package verification_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

func TestMailIsRetriedUntilItIsAccepted(t *testing.T) {
	m := newMarket(t, nil)
	made, err := m.StartClaim(t.Context(), jane)
	if err != nil {
		t.Fatal(err)
	}
	var tokens []string
	for attempt := 1; attempt <= 3; attempt++ {
		mails, err := m.Lease(t.Context(), 10, time.Minute)
		if err != nil || len(mails) != 1 || mails[0].Attempt != attempt {
			t.Fatalf("attempt %d: %+v, %v", attempt, mails, err)
		}
		tokens = append(tokens, mails[0].Token.Reveal())
		if early, err := m.Lease(t.Context(), 10, time.Minute); err != nil || len(early) != 0 {
			t.Fatalf("handed out twice: %+v, %v", early, err)
		}
		if attempt == 3 {
			break
		}
		if err := m.Failed(t.Context(), mails[0], m.now().Add(time.Hour), "451 busy"); err != nil {
			t.Fatal(err)
		}
		m.pass(time.Hour)
	}
	mails := m.mails()
	if len(mails) != 0 {
		t.Fatal("a leased mail is handed out")
	}
	m.pass(time.Minute)
	if mails = m.mails(); len(mails) != 1 {
		t.Fatal("a mail whose lease ended is lost")
	}
	m.pass(10 * time.Hour)
	if late := m.mails(); len(late) != 0 {
		t.Fatal("a mail is sent after it was accepted")
	}
	// Nobody knows which of the copies arrived, so each token is valid until one is used.
	want(t, "the first", m.verifyClaim(link{made.ID, tokens[0]}, "ws"), "")
	want(t, "the last, elsewhere", m.verifyClaim(link{made.ID, tokens[2]}, "other"), verification.CodeVerificationUsed)
}

func TestLateAcceptanceCounts(t *testing.T) {
	m := newMarket(t, nil)
	if _, err := m.StartClaim(t.Context(), jane); err != nil {
		t.Fatal(err)
	}
	slow, err := m.Lease(t.Context(), 1, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	m.pass(time.Minute)
	quick, err := m.Lease(t.Context(), 1, time.Minute)
	if err != nil || len(quick) != 1 {
		t.Fatal(quick, err)
	}
	if err := m.Accepted(t.Context(), slow[0]); err != nil {
		t.Fatal(err)
	}
	if err := m.Failed(t.Context(), quick[0], m.now(), "451"); err != nil {
		t.Fatal(err)
	}
	if o, err := m.Outbox(t.Context()); err != nil || o.Accepted != 1 || o.Waiting != 0 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestMailWithAnExpiredLinkIsNotSent(t *testing.T) {
	m := newMarket(t, nil)
	if _, err := m.StartClaim(t.Context(), jane); err != nil {
		t.Fatal(err)
	}
	m.pass(24 * time.Hour)
	if mails := m.mails(); len(mails) != 0 {
		t.Errorf("sent %+v", mails)
	}
	if o, err := m.Outbox(t.Context()); err != nil || o.Dropped != 1 || o.Waiting != 0 {
		t.Errorf("%+v, %v", o, err)
	}
}

// The test logs the answers, errors and values of the whole flow, and reads the ledger's
// files: there must be no token anywhere, and no address in the log.
func TestSecretsAreNeitherStoredNorLogged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ledger.db")
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	m := newMarket(t, func(c *verification.Config) {
		l, err := ledger.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		c.Ledger = l
	})
	var secrets []string
	note := func(value any, err error) {
		logger.Info("step", "value", value, "err", err, "text", fmt.Sprintf("%+v", value))
	}
	claimed, err := m.StartClaim(t.Context(), jane)
	note(claimed, err)
	removed, err := m.StartRemoval(t.Context(), jane)
	note(removed, err)
	tokens := map[string]string{}
	for _, mail := range m.mails() {
		note(mail, nil)
		tokens[mail.RequestID] = mail.Token.Reveal()
		secrets = append(secrets, mail.Token.Reveal(), mail.Link("https://souk.example"))
	}
	api, secret, err := m.NewAPIToken(t.Context(), "ws")
	secrets = append(secrets, secret.Reveal())
	note(api, err)
	note(m.Authenticate(t.Context(), secret.Reveal()))
	note(m.Authenticate(t.Context(), secret.Reveal()+"x"))
	note(m.VerifyClaim(t.Context(), claimed.ID, tokens[removed.ID], "ws"))
	note(m.VerifyClaim(t.Context(), claimed.ID, tokens[claimed.ID], "ws"))
	note(m.VerifyRemoval(t.Context(), removed.ID, tokens[removed.ID]))
	note(m.VerifyRemoval(t.Context(), removed.ID, tokens[removed.ID]))
	for _, mail := range m.mails() {
		note(mail, m.Failed(t.Context(), mail, m.now(), "550 <jane@acme.example> "+tokens[removed.ID]))
	}
	note(m.History(t.Context(), "acme"))
	checkAtRest(t, file, secrets)
	for _, s := range append(secrets, "jane@acme.example") {
		if strings.Contains(log.String(), s) {
			t.Errorf("the log shows %q", s)
		}
	}
}

// checkAtRest looks for secrets in the files of a ledger.
func checkAtRest(t *testing.T, file string, secrets []string) {
	t.Helper()
	files, err := filepath.Glob(file + "*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			if bytes.Contains(data, []byte(s)) {
				t.Errorf("%s holds a secret", filepath.Base(name))
			}
		}
		if bytes.Contains(data, []byte("550 <jane@")) {
			t.Errorf("%s holds what the server said", filepath.Base(name))
		}
	}
}

func TestAPITokenWorksUntilItIsRevoked(t *testing.T) {
	m := newMarket(t, nil)
	made, secret, err := m.NewAPIToken(t.Context(), "ws-1")
	if err != nil || !strings.HasPrefix(secret.Reveal(), "souk_") {
		t.Fatal(err)
	}
	m.pass(time.Hour)
	for range 2 {
		if workspace, err := m.Authenticate(t.Context(), secret.Reveal()); err != nil || workspace != "ws-1" {
			t.Errorf("%q, %v", workspace, err)
		}
		m.pass(30 * time.Second)
	}
	list, err := m.APITokens(t.Context())
	if err != nil || len(list) != 1 || !list[0].LastUsedAt.Equal(day.Add(time.Hour)) || list[0].Workspace != "ws-1" {
		t.Errorf("%+v, %v", list, err)
	}
	for _, wrong := range []string{"", secret.Reveal()[5:], secret.Reveal() + "x", strings.ToUpper(secret.Reveal()), string(made.Hash), made.ID, "souk_"} {
		_, err := m.Authenticate(t.Context(), wrong)
		want(t, "a wrong token", err, verification.CodeUnauthenticated)
	}
	for range 2 {
		revoked, err := m.RevokeAPIToken(t.Context(), made.ID)
		if err != nil || !revoked.RevokedAt.Equal(day.Add(time.Hour+time.Minute)) {
			t.Errorf("%+v, %v", revoked, err)
		}
		_, err = m.Authenticate(t.Context(), secret.Reveal())
		want(t, "a revoked token", err, verification.CodeUnauthenticated)
		m.pass(time.Minute)
	}
	_, err = m.RevokeAPIToken(t.Context(), "token-none")
	want(t, "an unknown token", err, verification.CodeNotFound)
	_, _, err = m.NewAPIToken(t.Context(), "")
	want(t, "a token for nobody", err, verification.CodeInvalidField)
}

func TestProcessRequiresItsParts(t *testing.T) {
	m := newMarket(t, nil)
	for what, change := range map[string]func(*verification.Config){
		"no ledger":           func(c *verification.Config) { c.Ledger = nil },
		"no clock":            func(c *verification.Config) { c.Now = nil },
		"no randomness":       func(c *verification.Config) { c.Random = nil },
		"a lifetime below 0":  func(c *verification.Config) { c.LinkLifetime = -1 },
		"randomness that end": func(c *verification.Config) { c.Random = strings.NewReader("") },
	} {
		c := m.config
		change(&c)
		p, err := verification.New(c)
		if err == nil {
			_, err = p.StartClaim(t.Context(), jane)
		}
		if err == nil || errors.As(err, new(*verification.Error)) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if o, err := m.Outbox(t.Context()); err != nil || o.Waiting != 0 {
		t.Errorf("a start that failed left %+v, %v", o, err)
	}
}
