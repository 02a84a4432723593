package browser

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"souk/build"
	"souk/dynamic"
	"souk/dynamic/ledger"
	"souk/dynamic/mail"
	"souk/dynamic/verification"
)

// A served is a complete server with its own site.
type served struct {
	t                  *testing.T
	url, mails, public string
	ledger             *ledger.Ledger
}

func serve(t *testing.T) *served { return serveContent(t, "../web/testdata/content", "") }

// serveContent serves a content folder below a path of the site, like a proxy in front of
// the server that removes the path.
func serveContent(t *testing.T, content, path string) *served {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(filepath.Join(home, "content"), os.DirFS(content)); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := free.Addr().String()
	free.Close() // the server binds it a moment later
	s := &served{t: t, url: "http://" + at, mails: filepath.Join(home, "mail"), public: filepath.Join(home, "public")}
	if path != "" {
		proxy := httptest.NewServer(http.StripPrefix(path, httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: at})))
		t.Cleanup(proxy.Close)
		s.url = proxy.URL + path
	}
	if s.ledger, err = ledger.Open(t.Context(), filepath.Join(home, "ledger.db")); err != nil {
		t.Fatal(err)
	}
	serving := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- dynamic.Run(ctx, dynamic.Config{
			Build: build.Config{
				Content: filepath.Join(home, "content"), Public: filepath.Join(home, "public"), State: filepath.Join(home, "var"),
				SiteURL: s.url, Clock: time.Now, Program: "test", Pages: true,
			},
			Verification: dynamic.VerificationConfig{Ledger: s.ledger, Sender: mail.Folder{Path: s.mails}},
			Listen:       at, Log: slog.New(slog.DiscardHandler), Serving: func(dynamic.Served) { close(serving) },
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		s.ledger.Close()
	})
	select {
	case <-serving:
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
	}
	return s
}

var mailed = regexp.MustCompile(`(?m)^(\S+/verify/(?:claim|removal)#id=\S+&token=\S+?)\r?$`)

// link starts a request and returns the link in the mail.
func (s *served) link(flow string) string {
	s.t.Helper()
	body, err := json.Marshal(map[string]string{"requesterName": "Jane Doe", "requesterEmail": "jane@acme.example"})
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.Post(s.url+"/api/v1/marketplace/companies/acme/"+flow, "application/json", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusAccepted {
		s.t.Fatal(r.Status)
	}
	return s.waitForMail()
}

// waitForMail returns the link in the first mail.
func (s *served) waitForMail() string {
	s.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); <-time.After(10 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(s.mails, "*.eml"))
		if err != nil || len(files) == 0 {
			continue
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			s.t.Fatal(err)
		}
		if found := mailed.FindSubmatch(text); found != nil {
			return string(found[1])
		}
	}
	s.t.Fatal("there is no mail")
	return ""
}

// get returns the status, the headers and the body of an address.
func (s *served) get(address string) (*http.Response, string) {
	s.t.Helper()
	r, err := http.Get(s.url + address)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return r, string(body)
}

func TestRemovalWithARealServersMail(t *testing.T) {
	s := serve(t)
	p := open(t)
	link := s.link("removal-requests")
	if !strings.HasPrefix(link, s.url+"/verify/removal#") {
		t.Fatalf("the link is %s", link)
	}
	p.visit(link)
	p.do(chromedp.WaitVisible(chromedp.CSS("#named")))
	if got := p.text("#intro"); !strings.Contains(got, "asks to remove Acme") {
		t.Errorf("the page says %q", got)
	}
	if r, _ := s.get("/api/v1/marketplace/companies/acme"); r.StatusCode != http.StatusOK {
		t.Errorf("after a look at the page: %s", r.Status)
	}
	p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "acme.example"))
	p.press()
	if got := p.text("#outcome"); !strings.HasPrefix(got, "The company is removed\n") {
		t.Errorf("the outcome is %q", got)
	}
	for _, address := range []string{"/companies/acme", "/companies/acme/products/arm-7"} {
		if r, body := s.get("/api/v1/marketplace" + address); r.StatusCode != http.StatusGone || !strings.Contains(body, `"removed"`) {
			t.Errorf("%s: %s %s", address, r.Status, body)
		}
	}
	// Open the link once more.
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link), chromedp.WaitVisible(chromedp.CSS("#outcome")))
	if got := p.text("#outcome"); !strings.HasPrefix(got, "This link has already been used\n") || p.text("#form") != "" {
		t.Errorf("the second time the outcome is %q", got)
	}
	p.do(chromedp.Navigate("about:blank"))
}

func TestClaimWithARealServersMail(t *testing.T) {
	s := serve(t)
	process, err := verification.New(verification.Config{Ledger: s.ledger, Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := process.NewAPIToken(t.Context(), "acme-team")
	if err != nil {
		t.Fatal(err)
	}
	p := open(t)
	p.visit(s.link("claims"))
	p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "acme.example"), chromedp.SendKeys(chromedp.CSS("#access"), "souk_wrong"))
	p.press()
	if got := p.text("#outcome"); !strings.HasPrefix(got, "The access token was not accepted\n") {
		t.Errorf("with a wrong token the outcome is %q", got)
	}
	p.do(chromedp.SendKeys(chromedp.CSS("#access"), secret.Reveal()), chromedp.Click(chromedp.CSS("#confirm")),
		chromedp.Poll[chromedp.Void](`outcome.innerText.startsWith("The company is attached")`))
	if got := p.text("#outcome"); !strings.Contains(got, "Acme now belongs to the workspace acme-team") {
		t.Errorf("the outcome is %q", got)
	}
	p.clean(s.url)
}

func TestRemovalWithTheMailedCodeAndNoScript(t *testing.T) {
	s := serveContent(t, "../web/testdata/content", "/a/shop")
	link := s.link("removal-requests")
	p := open(t, withoutScript())
	p.do(chromedp.Navigate(strings.Replace(link, "#", "%23", 1)), chromedp.WaitVisible(chromedp.CSS("#sent-code")))
	p.shootIfKept("removal-without-script")
	send := func(domain string) {
		p.do(chromedp.SendKeys(chromedp.CSS("#sent-code"), codeOf(link)), chromedp.SendKeys(chromedp.CSS("#sent-domain"), domain),
			chromedp.Click(chromedp.CSS("noscript button")), chromedp.WaitVisible(chromedp.CSS("#outcome")))
	}
	send("other.example")
	p.shootIfKept("removal-without-script-mistyped")
	if got := p.text("#outcome"); !strings.HasPrefix(got, "That is not the company’s official domain\n") {
		t.Errorf("the outcome is %q", got)
	}
	if r, _ := s.get("/companies/acme"); r.StatusCode != http.StatusOK {
		t.Errorf("with another domain: %s", r.Status)
	}
	send("acme.example")
	p.do(chromedp.WaitNotPresent(chromedp.CSS("#sent-code")))
	p.shootIfKept("removal-without-script-done")
	if got := p.text("body"); !strings.Contains(got, "The company is removed") || strings.Contains(got, "If you confirm") {
		t.Errorf("the page says %q", got)
	}
	if r, _ := s.get("/companies/acme"); r.StatusCode != http.StatusGone {
		t.Errorf("in the end: %s", r.Status)
	}
}

func TestPagesOfARealServerCannotBeFramedAndSendNoReferrer(t *testing.T) {
	s := serve(t)
	if r, _ := s.get("/verify/removal/index.html"); r.StatusCode != http.StatusNotFound {
		t.Errorf("the file of a page is an address: %s", r.Status)
	}
	for _, address := range []string{"/verify/claim", "/verify/removal", "/verify/claim/"} {
		r, body := s.get(address)
		if r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") ||
			r.Header.Get("Referrer-Policy") != "no-referrer" || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %s %v", address, r.Status, r.Header)
		}
		if !strings.Contains(body, "connect-src "+s.url) {
			t.Errorf("%s may not ask this server: %.300s", address, body)
		}
	}
}
