package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"souk/templates"
	"souk/templates/texts"
)

// site serves the verification pages like a host, and their API calls from another origin.
type site struct {
	pages, api *httptest.Server

	mu     sync.Mutex
	answer answer
	posts  []post
	// known is the API's answer about the link; checks are the requests for it.
	known  answer
	checks []post
	// words are the page's texts; nil means English.
	words *texts.Catalogue
	// visited lists the requested paths on the pages' host, with queries.
	visited []string
}

// answer is the API's answer to the next posts.
type answer struct {
	status     int
	body       string
	retryAfter string
	// drop breaks the connection instead.
	drop bool
	// hold delays the answer until it is closed.
	hold chan struct{}
}

type post struct{ path, authorization, contentType, referrer, cookie, body string }

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{known: answer{status: 200, body: `{}`}}
	s.api = httptest.NewServer(http.HandlerFunc(s.serveAPI))
	t.Cleanup(s.api.Close)
	s.pages = httptest.NewServer(http.HandlerFunc(s.servePage))
	t.Cleanup(s.pages.Close)
	return s
}

func (s *site) servePage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.visited = append(s.visited, r.Method+" "+r.URL.RequestURI())
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Referrer-Policy", "no-referrer")
	named, found := strings.CutPrefix(r.URL.Path, "/verify/")
	kind := templates.VerifyRemoval
	if strings.HasPrefix(named, string(templates.VerifyClaim)) {
		kind = templates.VerifyClaim
	}
	switch {
	case r.URL.Path == "/frame":
		fmt.Fprintf(w, `<!DOCTYPE html><title>x</title><iframe src="/verify/removal#id=removal%s&token=%s" width=600 height=900></iframe>`, requested, token)
		return
	case !found:
		fmt.Fprint(w, `<!DOCTYPE html><title>The market</title><p>The market`)
		return
	case r.Header.Get("Sec-Fetch-Dest") != "iframe":
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	}
	_, _ = w.Write(s.page(kind))
}

func (s *site) page(kind templates.VerifyKind) []byte {
	return templates.VerifyPage(kind, templates.Site{
		Name: "Robot Market", SiteURL: s.pages.URL, APIURL: s.api.URL + "/api/v1", Language: "en", Texts: s.words,
	})
}

func (s *site) serveAPI(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Expose-Headers", "Retry-After")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Headers", "content-type, authorization, idempotency-key")
		w.Header().Set("Access-Control-Allow-Methods", "POST")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the browser has left
	}
	s.mu.Lock()
	a, to := s.answer, &s.posts
	if strings.HasSuffix(r.URL.Path, "/check") {
		a, to = s.known, &s.checks
	}
	*to = append(*to, post{
		r.URL.RequestURI(), r.Header.Get("Authorization"), r.Header.Get("Content-Type"),
		r.Header.Get("Referer"), r.Header.Get("Cookie"), string(body),
	})
	s.mu.Unlock()
	if a.hold != nil {
		<-a.hold
	}
	if a.drop {
		panic(http.ErrAbortHandler)
	}
	if a.retryAfter != "" {
		w.Header().Set("Retry-After", a.retryAfter)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.status)
	fmt.Fprint(w, a.body)
}

func (s *site) answers(a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = a
}

// knows sets the API's answer about the link.
func (s *site) knows(a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = a
}

// checked returns the requests for what the link is for.
func (s *site) checked() []post {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]post(nil), s.checks...)
}

// posted returns the posts that can change something.
func (s *site) posted() []post {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]post(nil), s.posts...)
}

// link returns the address as it is in the mail.
func (s *site) link(kind templates.VerifyKind) string {
	return s.pages.URL + "/verify/" + string(kind) + "#id=" + string(kind) + requested + "&token=" + token
}

const (
	requested    = "-mfrggzdfmztwq2lknnwg23tpoa"
	token        = "c2VjcmV0LXRva2Vu_LXNlY3JldC10b2tlbi1zZWNyZX"
	attached     = `{"claimId":"claim` + requested + `","status":"attached","company":{"kind":"seller","name":"Acme Robotics"},"workspaceId":"acme-team"}`
	removed      = `{"requestId":"removal` + requested + `","status":"removed","companySlug":"acme"}`
	removalCall  = "/api/v1/marketplace/company-removal-requests/removal" + requested + "/verify"
	claimCall    = "/api/v1/marketplace/company-claims/claim" + requested + "/verify"
	acme         = `{"company":{"kind":"seller","name":"Acme Robotics"},"officialDomain":"acme.example","expiresAt":"2026-03-02T11:00:00Z"}`
	checkBody    = `{"token":"` + token + `"}`
	expectedBody = `{"token":"` + token + `","officialDomain":"acme.example"}`
)
