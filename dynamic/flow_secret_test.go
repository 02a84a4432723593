package dynamic

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// A capture collects what was logged and answered.
type capture struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (k *capture) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.Write(p)
}

func (k *capture) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.String()
}

// The test runs every flow, with everything that can go wrong. Neither the log at its
// lowest level, nor the body of an error, nor a file other than the mails may contain a
// secret or the requester's address.
func TestSecretsAreOnlyInMails(t *testing.T) {
	for name, form := range map[string]func(io.Writer) slog.Handler{
		"text": func(w io.Writer) slog.Handler {
			return slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug - 8})
		},
		"json": func(w io.Writer) slog.Handler {
			return slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug - 8})
		},
	} {
		t.Run(name, func(t *testing.T) {
			log, answers := &capture{}, &capture{}
			h := newHouse(t)
			h.fillMarket()
			h.Log = slog.New(form(log))
			secrets := goThroughEverything(t, h, answers)
			if logged := log.String(); strings.Count(logged, "\n") < 20 || !strings.Contains(logged, "550") {
				t.Errorf("the log tells too little to prove anything:\n%s", logged)
			}
			for what, secret := range secrets {
				if secret == "" {
					t.Errorf("there is no %s", what)
				}
				for where, text := range map[string]string{"the log": log.String(), "an error": answers.String()} {
					if i := strings.Index(text, secret); i >= 0 {
						t.Errorf("%s holds the %s: %.200q", where, what, text[max(0, i-100):])
					}
				}
				if what != "local part" && what != "address" {
					onlyInMails(t, h, what, secret)
				}
			}
		})
	}
}

// goThroughEverything returns the secrets by kind.
func goThroughEverything(t *testing.T, h *house, answers io.Writer) map[string]string {
	t.Helper()
	const local, address = "jacinta.quux+x", "jacinta.quux+x@gone.example"
	clock := handSet()
	clock.now = time.Now()
	h.Config.Build.Clock = clock.Now
	issuer := newIssuer(t)
	h.Verification.OIDC = issuer.authenticator(t)
	end := h.refusedMail(address)

	fail := func(status int, path, bearer string, body any) {
		t.Helper()
		a := h.must(status, path, bearer, body)
		_, _ = io.WriteString(answers, a.Told())
	}
	_, secret, err := h.operator().NewAPIToken(t.Context(), "team")
	if err != nil {
		t.Fatal(err)
	}
	bearer, stale := issuer.token(t, "team", time.Hour), issuer.token(t, "team", -time.Hour)
	claimAt, claim := h.askClaim("gone", address)
	lateAt, late := h.askClaim("rival", "jacinta.quux+x@rival.example")
	removalAt, removal := h.askRemoval("gone", address)
	for _, path := range []string{claimAt, "/company-claims/claim-unknown/verify"} {
		fail(http.StatusUnauthorized, path, "", claim)
		fail(http.StatusUnauthorized, path, stale, claim)
		fail(http.StatusUnauthorized, path, bearer[:len(bearer)-4]+"AAAA", claim)
		fail(http.StatusUnauthorized, path, secret.Reveal()+"x", claim)
		fail(http.StatusUnauthorized, path, claim.Token, claim)
		fail(http.StatusNotFound, path, bearer, removal)
	}
	fail(http.StatusNotFound, removalAt, "", claim)
	fail(http.StatusBadRequest, removalAt, "", removal.Token)
	fail(http.StatusUnprocessableEntity, removalAt, "", map[string]string{"tokn": removal.Token})
	fail(http.StatusUnprocessableEntity, "/companies/gone/claims", "", requester{"Jacinta", address + ">"})
	fail(http.StatusUnprocessableEntity, "/companies/gone/claims", "", requester{address, address})
	fail(http.StatusUnprocessableEntity, "/companies/rival/claims", "", requester{"Jacinta", address})
	h.must(http.StatusOK, claimAt, bearer, claim)
	h.must(http.StatusOK, claimAt, secret.Reveal(), claim)
	h.must(http.StatusOK, removalAt, "", removal)
	fail(http.StatusConflict, removalAt, "", removal)
	fail(http.StatusGone, claimAt, bearer, claim)
	clock.Add(25 * time.Hour)
	fail(http.StatusGone, lateAt, secret.Reveal(), late)
	h.until("the notices are out", func() bool { return h.outbox().Waiting == 0 })
	// The issuer and the ledger are gone.
	issuer.Close()
	if err := h.Verification.Ledger.Close(); err != nil {
		t.Fatal(err)
	}
	fail(http.StatusServiceUnavailable, lateAt, bearer, late)
	fail(http.StatusServiceUnavailable, removalAt, "", removal)
	fail(http.StatusServiceUnavailable, "/companies/rival/claims", "", requester{"Jacinta", "jacinta.quux+x@rival.example"})
	end()
	return map[string]string{
		"claim's token": claim.Token, "removal's token": removal.Token, "late token": late.Token, "fragment": "#id=",
		"address": address, "local part": local[:7], "bearer token of souk": secret.Reveal(), "access token": bearer, "signature of it": bearer[len(bearer)-40:],
		"stale access token": stale, "mail password": mailPassword,
	}
}

// refusedMail makes a mail server reject a mail with the address in its message, and then
// restores the folder.
func (h *house) refusedMail(address string) (end func()) {
	h.Helper()
	server := newMailServer(h.TB)
	at := server.listen(h.TB, "127.0.0.1:0")
	server.refuse(&smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "<%s>: no such mailbox here"})
	folder := h.Verification.Sender
	h.Verification.Sender = server.sender(h.TB, at)
	end = h.open()
	h.must(http.StatusAccepted, "/companies/gone/removal-requests", "", requester{"Jacinta", address})
	h.until("the mail was refused", func() bool { return h.outbox().Dropped == 1 })
	end()
	h.Verification.Sender = folder
	return h.open()
}

// onlyInMails checks the files of the server.
func onlyInMails(t *testing.T, h *house, what, secret string) {
	t.Helper()
	err := filepath.WalkDir(h.home, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".eml") || strings.HasPrefix(path, h.Config.Build.Public) {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s holds the %s", path, what)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Only the owner of the process can read files with addresses and links.
func TestOnlyTheOwnerCanReadLedgerAndMails(t *testing.T) {
	h := newHouse(t)
	h.open()
	h.askClaim("acme", "jane@acme.example")
	files, err := filepath.Glob(filepath.Join(h.home, "*.db*"))
	mails, _ := filepath.Glob(filepath.Join(h.home, "mail", "*"))
	if err != nil || len(files) < 2 || len(mails) != 1 {
		t.Fatal(files, mails, err)
	}
	for _, path := range append(append(files, mails...), filepath.Join(h.home, "mail")) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s is %v", path, mode)
		}
	}
}
