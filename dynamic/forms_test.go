package dynamic

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// typed returns a form as a browser without scripts sends it.
func typed(slug, name, email string) url.Values {
	return url.Values{"companySlug": {slug}, "requesterName": {name}, "requesterEmail": {email}}
}

// send sends a form; headers alternates names and values.
func (h *house) send(form, body string, headers ...string) (*http.Response, string) {
	h.Helper()
	r, err := http.NewRequest(http.MethodPost, h.base+"/requests/"+form, strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil {
		h.Fatal(err)
	}
	return response, string(page)
}

// paged returns a running house with pages.
func paged(t *testing.T, change ...func(*house)) *house {
	h := newHouse(t)
	h.Config.Build.Pages = true
	for _, f := range change {
		f(h)
	}
	h.open()
	return h
}

func TestFormWithoutAScriptAnswersWithItsPage(t *testing.T) {
	h := paged(t)
	for _, kind := range []string{"claim", "remove"} {
		for _, test := range []struct {
			why, body string
			status    int
			says      string
			keeps     bool
		}{
			{"another domain", typed("acme", "Jane Doe", "jane@evil.example").Encode(), 422, "not on the company’s official domain", true},
			{"markup", typed("acme", `"><b>Jane <Doe>`, "jane@acme.example").Encode(), 422, "Please enter your name", true},
			{"no name", typed("acme", "", "jane@acme.example").Encode(), 422, "Please enter your name", true},
			{"no address", typed("acme", "Jane", "jane").Encode(), 422, "Please enter your name", true},
			{"an unknown company", typed("nobody", "Jane", "jane@acme.example").Encode(), 404, "Page not found", false},
			{"no company", "requesterName=Jane", 404, "Page not found", false},
			{"an unknown field", typed("acme", "Jane", "jane@acme.example").Encode() + "&x=1", 422, "could not read this form", false},
			{"a field twice", typed("acme", "Jane", "jane@acme.example").Encode() + "&companySlug=acme", 400, "could not read this form", false},
			{"no form", "%zz", 400, "could not read this form", false},
			{"too long", typed("acme", strings.Repeat("x", 20<<10), "jane@acme.example").Encode(), 413, "could not read this form", false},
			{"all that is asked for", typed("acme", "Jane Doe", "jane@acme.example").Encode(), 202, "on its way", false},
		} {
			r, page := h.send(kind, test.body)
			if r.StatusCode != test.status || !strings.Contains(words(page), test.says) {
				t.Errorf("%s, %s: %s %s", kind, test.why, r.Status, words(page))
			}
			if r.Header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.HasPrefix(page, "<!doctype html>") {
				t.Errorf("%s, %s: the answer is no page: %s", kind, test.why, r.Header.Get("Content-Type"))
			}
			if r.Header.Get("Cache-Control") == "" || test.status != 404 && r.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s, %s: Cache-Control is %q", kind, test.why, r.Header.Get("Cache-Control"))
			}
			sent, err := url.ParseQuery(test.body)
			if kept := err == nil && strings.Contains(page, `type="email" autocomplete="email" required maxlength="254" value="`+sent.Get("requesterEmail")+`"`); kept != test.keeps {
				t.Errorf("%s, %s: what was typed is kept: %t", kind, test.why, kept)
			}
			if strings.Contains(page, "<Doe>") {
				t.Errorf("%s, %s: what was typed is markup", kind, test.why)
			}
		}
	}
	if r, _ := h.send("claim", "{}", "Content-Type", "application/json"); r.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("JSON: %s", r.Status)
	}
	if r, err := http.Get(h.base + "/requests/claim"); err != nil || r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "OPTIONS, POST" || r.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("read: %v %v", r, err)
	}
}

// words returns what a text browser shows of a page: everything outside tags.
func words(page string) string { return html.UnescapeString(tag.ReplaceAllString(page, "")) }

var tag = regexp.MustCompile(`<[^>]*>`)

func TestTextBrowserShowsOnlyOneOutcome(t *testing.T) {
	h := paged(t)
	sayings := map[string]string{"202": "on its way", "422": "not on the company’s official domain", "429": "too many requests", "410": "no longer listed here", "503": "did not work"}
	r, err := http.Get(h.base + "/companies/acme/claim")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	form, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, answer := h.send("claim", typed("acme", "Jane Doe", "jane@evil.example").Encode())
	for status, said := range sayings {
		if strings.Contains(words(string(form)), said) {
			t.Errorf("the empty form says %q", said)
		}
		if strings.Contains(words(answer), said) != (status == "422") {
			t.Errorf("whether the answer says %q", said)
		}
	}
}

func TestCrossSiteFormStartsNothing(t *testing.T) {
	h := paged(t)
	body := typed("acme", "Jane Doe", "jane@acme.example").Encode()
	for _, headers := range [][]string{
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site", "Origin", "https://shop.market.example"},
		{"Origin", "http://market.example"},
	} {
		if r, page := h.send("remove", body, headers...); r.StatusCode != http.StatusForbidden || !strings.Contains(page, "page on another site") {
			t.Errorf("%q: %s %s", headers, r.Status, page)
		}
	}
	if mails := h.mails(); len(mails) != 0 {
		t.Errorf("there are mails: %v", mails)
	}
	for _, headers := range [][]string{
		{"Origin", "https://market.example", "Sec-Fetch-Site", "cross-site"},
		{"Origin", h.base},
		{"Sec-Fetch-Site", "same-origin"},
		nil,
	} {
		if r, _ := h.send("remove", body, headers...); r.StatusCode != http.StatusAccepted {
			t.Errorf("%q: %s", headers, r.Status)
		}
	}
}

func TestFormSentTwiceStartsOnce(t *testing.T) {
	clock := handSet()
	h := paged(t, func(h *house) { h.Config.Build.Clock = clock.Now })
	body := typed("acme", "Jane Doe", "jane@acme.example").Encode()
	for range 2 {
		if r, _ := h.send("remove", body); r.StatusCode != http.StatusAccepted {
			t.Fatal(r.Status)
		}
	}
	// Another purpose is another start. Its mail comes after those of removals.
	if r, _ := h.send("claim", body); r.StatusCode != http.StatusAccepted {
		t.Fatal(r.Status)
	}
	of := func(purpose string) (n int) {
		for _, mail := range h.mails() {
			if strings.Contains(mail.text, "/verify/"+purpose+"#") {
				n++
			}
		}
		return n
	}
	h.until("there is the mail of the claim", func() bool { return of("claim") == 1 })
	if n := of("removal"); n != 1 {
		t.Errorf("there are %d mails of removals", n)
	}
	clock.Add(2 * time.Minute)
	if r, _ := h.send("remove", body); r.StatusCode != http.StatusAccepted {
		t.Fatal(r.Status)
	}
	h.until("asking again later brings another mail", func() bool { return of("removal") == 2 })
}

func TestFormsHaveTheAPILimits(t *testing.T) {
	h := paged(t, func(h *house) { h.Verification.Unlimited = false })
	for i := range 20 {
		r, page := h.send("claim", typed("acme", "Jane "+strings.Repeat("x", i), "jane@acme.example").Encode())
		if r.StatusCode == http.StatusAccepted {
			continue
		}
		if r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" || !strings.Contains(words(page), "too many requests") {
			t.Fatalf("start %d: %s %s", i, r.Status, words(page))
		}
		h.must(http.StatusTooManyRequests, "/companies/acme/claims", "", requester{"Jane", "jane@acme.example"})
		return
	}
	t.Fatal("there is no limit")
}

func TestFormDoesNotRevealWhetherAProfileIsClaimed(t *testing.T) {
	h := paged(t)
	body := typed("acme", "Jane Doe", "jane@acme.example").Encode()
	before, page := h.send("claim", body)
	_, secret, err := h.operator().NewAPIToken(t.Context(), "team")
	if err != nil {
		t.Fatal(err)
	}
	address, proof := h.askClaim("acme", "jane@acme.example")
	h.must(http.StatusOK, address, secret.Reveal(), proof)
	after, same := h.send("claim", typed("acme", "Jane  Doe", "jane@acme.example").Encode())
	if before.StatusCode != after.StatusCode || page != same {
		t.Errorf("%s and %s:\n%s\n%s", before.Status, after.Status, page, same)
	}
}

func TestFormOfARemovedCompanyIsGone(t *testing.T) {
	h := paged(t)
	h.leave("acme", "jane@acme.example")
	for _, kind := range []string{"claim", "remove"} {
		r, page := h.send(kind, typed("acme", "Jane Doe", "jane@acme.example").Encode())
		if r.StatusCode != http.StatusGone || strings.Contains(page, "Acme") || !strings.Contains(page, "This page was removed") {
			t.Errorf("%s: %s %s", kind, r.Status, page)
		}
		if r, err := http.Get(h.base + "/companies/acme/" + kind); err != nil || r.StatusCode != http.StatusGone {
			t.Errorf("the page of %s: %v %v", kind, r, err)
		}
	}
}
