package dynamic

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// confirming returns the form of a mail link's page as a browser without scripts sends it.
func confirming(code, domain, access string) string {
	return url.Values{"code": {code}, "officialDomain": {domain}, "accessToken": {access}}.Encode()
}

func TestMailedCodeConfirmsWithoutAScript(t *testing.T) {
	for _, pages := range []bool{true, false} {
		var log capture
		h := newHouse(t)
		h.Config.Build.Pages = pages
		h.fillMarket()
		h.Log = slog.New(slog.NewTextHandler(&log, nil))
		h.open()
		claimAt, claim := h.askClaim("gone", "jane@gone.example")
		removalAt, removal := h.askRemoval("gone", "jane@gone.example")
		claimCode, removalCode := strings.Split(claimAt, "/")[2]+"."+claim.Token, strings.Split(removalAt, "/")[2]+"."+removal.Token
		removalLink := "https://gateway.example/?url=" + url.QueryEscape("https://market.example/verify/removal%23id="+strings.Replace(removalCode, ".", "&token=", 1))
		_, secret, err := h.operator().NewAPIToken(t.Context(), "team")
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			why, form, body string
			headers         []string
			status          int
			says            string
			again           bool
		}{
			{"no code", "claim", confirming("", "gone.example", secret.Reveal()), nil, 404, "This link is not valid", true},
			{"half a code", "claim", confirming(claimCode[:50], "gone.example", secret.Reveal()), nil, 404, "This link is not valid", true},
			{"the code of something else", "claim", confirming(removalCode, "gone.example", secret.Reveal()), nil, 404, "This link is not valid", true},
			{"no access token", "claim", confirming(claimCode, "gone.example", ""), nil, 401, "The access token was not accepted", true},
			{"another access token", "claim", confirming(claimCode, "gone.example", "souk_x"), nil, 401, "The access token was not accepted", true},
			{"no domain", "claim", confirming(claimCode, "", secret.Reveal()), nil, 422, "not the company’s official domain", true},
			{"another domain", "removal", confirming(removalCode, "acme.example", ""), nil, 422, "not the company’s official domain", true},
			{"no field for the domain", "removal", "code=" + url.QueryEscape(removalCode), nil, 422, "not the company’s official domain", true},
			{"an unknown field", "removal", confirming(removalCode, "gone.example", "") + "&x=1", nil, 422, "We could not understand the request", false},
			{"too long", "removal", confirming(strings.Repeat("x", 20<<10), "gone.example", ""), nil, 413, "We could not understand the request", false},
			{"a page of another site", "removal", confirming(removalCode, "gone.example", ""), []string{"Origin", "https://evil.example"}, 403, "We could not understand the request", false},
			{"JSON", "removal", "{}", []string{"Content-Type", "application/json"}, 415, "We could not understand the request", false},
			{"a claim", "claim", confirming(claimCode, "https://gone.example/", secret.Reveal()), nil, 200, "The company is attached", false},
			{"a removal", "removal", confirming(" "+removalLink, "Gone.example", ""), []string{"Sec-Fetch-Site", "same-origin"}, 200, "The company is removed", false},
			{"a removal again", "removal", confirming(removalCode, "gone.example", ""), nil, 409, "This link has already been used", false},
			{"a claim of who left", "claim", confirming(claimCode, "gone.example", secret.Reveal()), nil, 410, "The company has already been removed", false},
		} {
			if test.status != 200 && test.status < 409 {
				h.must(http.StatusOK, strings.Replace(removalAt, "/verify", "/check", 1), "", removal)
			}
			r, page := h.send("verify-"+test.form, test.body, test.headers...)
			said := words(page)
			if r.StatusCode != test.status || !strings.Contains(said, test.says) || strings.Count(said, "Nothing has changed")+strings.Count(said, "sending you an email") > 2 {
				t.Errorf("%s: %s\n%s", test.why, r.Status, said)
			}
			if again := strings.Contains(page, `name="code"`); again != test.again || again != strings.Contains(said, "If you confirm") {
				t.Errorf("%s: the form stands still: %t", test.why, again)
			}
			if r.Header.Get("Content-Type") != "text/html; charset=utf-8" || r.Header.Get("Cache-Control") != "no-store" || !strings.Contains(page, `name="referrer" content="no-referrer"`) {
				t.Errorf("%s: %v", test.why, r.Header)
			}
			for _, secret := range []string{claim.Token, removal.Token, secret.Reveal()} {
				if strings.Contains(page, secret) || strings.Contains(log.String(), secret) {
					t.Errorf("%s: the page or the log has a secret", test.why)
				}
			}
		}
		for _, address := range []string{"/requests/verify-claim", "/requests/verify-removal"} {
			if got := h.ask(http.MethodGet, address, ""); got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "OPTIONS, POST" || !strings.Contains(string(got.body), "Code from the email") {
				t.Errorf("%s: %d %v", address, got.status, got.header)
			}
		}
	}
}
