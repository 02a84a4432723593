package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"souk/templates"
)

func problem(status int, code string) answer {
	return answer{status: status, body: `{"type":"about:blank","status":0,"code":"` + code + `"}`}
}

func after(a answer, retry string) answer {
	a.retryAfter = retry
	return a
}

func TestEveryAnswerIsExplained(t *testing.T) {
	for name, test := range map[string]struct {
		kind   templates.VerifyKind
		answer answer
		title  string
		says   string
		// again means that the person can press the button once more.
		again bool
	}{
		"bad access token":   {"claim", problem(401, "unauthenticated"), "The access token was not accepted", "enter the token again", true},
		"forbidden":          {"claim", problem(403, "forbidden"), "The access token was not accepted", "Nothing has changed", true},
		"unknown":            {"claim", problem(404, "verification-not-found"), "This link is not valid", "copy the whole code", true},
		"used":               {"claim", problem(409, "verification-used"), "This link has already been used", "works once", false},
		"claimed elsewhere":  {"claim", problem(409, "already-claimed"), "The company belongs to another workspace", "attached there earlier", false},
		"expired":            {"removal", problem(410, "verification-expired"), "This link has expired", "ask again", false},
		"removed":            {"removal", problem(410, "removed"), "The company has already been removed", "Another request was confirmed first", false},
		"removed, claim":     {"claim", problem(410, "removed"), "The company has already been removed", "cannot be claimed", false},
		"domain moved":       {"removal", problem(422, "email-domain-mismatch"), "The company’s official domain has changed", "new domain", false},
		"another domain":     {"removal", answer{status: 422, body: `{"code":"invalid-field","errors":[{"field":"officialDomain","code":"mismatch"}]}`}, "That is not the company’s official domain", "the link still works", true},
		"bad field":          {"removal", problem(422, "invalid-field"), "We could not understand the request", "Nothing has changed", false},
		"limited, seconds":   {"removal", after(problem(429, "rate-limited"), "45"), "Too many attempts", "Try again in 45 seconds.", true},
		"limited, minutes":   {"removal", after(problem(429, "rate-limited"), "601"), "Too many attempts", "Try again in 11 minutes.", true},
		"limited, hours":     {"removal", after(problem(429, "rate-limited"), "86400"), "Too many attempts", "Try again in 24 hours.", true},
		"limited, a date":    {"removal", after(problem(429, "rate-limited"), "Thu, 01 Jan 1970 00:00:00 GMT"), "Too many attempts", "Try again in a few minutes.", true},
		"limited":            {"removal", problem(429, "rate-limited"), "Too many attempts", "Try again in a few minutes.", true},
		"unavailable":        {"removal", after(problem(503, "unavailable"), "1"), "Not available right now", "Try again in 1 second.", true},
		"broken":             {"removal", answer{status: 500, body: "<html>"}, "No response", "press the button again", true},
		"no answer":          {"removal", answer{drop: true}, "No response", "This is safe", true},
		"a page for 200":     {"removal", answer{status: 200, body: "<html>welcome"}, "No response", "This is safe", true},
		"another 200":        {"removal", answer{status: 200, body: `{"status":"ok"}`}, "No response", "This is safe", true},
		"401 of a removal":   {"removal", problem(401, "unauthenticated"), "No response", "This is safe", true},
		"null":               {"claim", answer{status: 404, body: "null"}, "This link is not valid", "", true},
		"names with markup":  {"claim", answer{status: 200, body: `{"status":"attached","company":{"name":"<img src=x>"}}`}, "The company is attached", "<img src=x> now belongs", false},
		"names of no string": {"claim", answer{status: 200, body: `{"status":"attached","company":7,"workspaceId":{}}`}, "The company is attached", "The company profile now", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.answers(test.answer)
			p := open(t)
			p.visit(s.link(test.kind))
			p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "acme.example"))
			if test.kind == templates.VerifyClaim {
				p.do(chromedp.SendKeys(chromedp.CSS("#access"), "souk_abc"))
			}
			p.press()
			got := p.text("#outcome")
			if !strings.HasPrefix(got, test.title+"\n") || !strings.Contains(got, test.says) {
				t.Errorf("the outcome is %q", got)
			}
			if again := p.text("#form") != ""; again != test.again || again != (p.text("#intro") != "") {
				t.Errorf("the form stands still: %v", again)
			}
			if !test.again && len(s.posted()) != 1 {
				t.Errorf("posted %d times", len(s.posted()))
			}
			p.shootIfKept("outcome-" + strings.ReplaceAll(strings.ReplaceAll(name, ",", ""), " ", "-"))
			p.clean(s.pages.URL, s.api.URL)
		})
	}
}

func TestRetryAfterAFailureWorks(t *testing.T) {
	s := newSite(t)
	s.answers(problem(401, "unauthenticated"))
	p := open(t)
	p.visit(s.link(templates.VerifyClaim))
	p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "acme.example"), chromedp.SendKeys(chromedp.CSS("#access"), "wrong"))
	p.press()
	s.answers(answer{status: 200, body: attached})
	p.do(chromedp.SendKeys(chromedp.CSS("#access"), "right"), chromedp.Click(chromedp.CSS("#confirm")),
		chromedp.Poll[chromedp.Void](`outcome.innerText.startsWith("The company is attached")`))
	if got := s.posted(); len(got) != 2 || got[1].authorization != "Bearer right" || got[1].body != expectedBody {
		t.Errorf("posted: %+v", got)
	}
}

func TestPressingTwicePostsOnce(t *testing.T) {
	s := newSite(t)
	hold := make(chan struct{})
	s.answers(answer{status: 200, body: removed, hold: hold})
	p := open(t)
	p.visit(s.link(templates.VerifyRemoval))
	p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "acme.example"), chromedp.DoubleClick(chromedp.CSS("#confirm")))
	if got := p.text("#confirm"); got != "Removing the company…" || !p.is(`document.getElementById("confirm").disabled`) {
		t.Errorf("while it works the button says %q", got)
	}
	p.shootIfKept("removal-working")
	close(hold)
	p.do(chromedp.WaitVisible(chromedp.CSS("#outcome")))
	if n := len(s.posted()); n != 1 {
		t.Errorf("posted %d times", n)
	}
}

func TestAnotherLinkInTheSameTabReplacesTheFirst(t *testing.T) {
	s := newSite(t)
	s.answers(answer{status: 200, body: removed})
	p := open(t)
	p.visit(s.link(templates.VerifyRemoval))
	p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "first.example"))
	const second = "removal-abcdefghijklmnopqrstuvwxyz"
	p.do(chromedp.Navigate(s.pages.URL+"/verify/removal#id="+second+"&token="+token), chromedp.WaitVisible(chromedp.CSS("#form")),
		chromedp.Poll[chromedp.Void](`document.readyState === "complete" && location.hash === "" && domain.value === ""`),
		chromedp.SendKeys(chromedp.CSS("#domain"), "second.example"))
	p.press()
	want := post{path: "/api/v1/marketplace/company-removal-requests/" + second + "/verify", contentType: "application/json", body: strings.Replace(expectedBody, "acme", "second", 1)}
	if got := s.posted(); len(got) != 1 || got[0] != want {
		t.Errorf("posted: %+v", got)
	}
}

func TestPageRefusesToBeFramed(t *testing.T) {
	s := newSite(t)
	p := open(t)
	p.do(chromedp.Navigate(s.pages.URL+"/frame"),
		chromedp.Poll[chromedp.Void](`frames[0].document.readyState === "complete" && frames[0].document.getElementById("outcome") !== null`))
	if !p.is(`frames[0].document.getElementById("outcome").innerText.startsWith("This page must be opened on its own") && frames[0].document.getElementById("form").hidden`) {
		t.Error("the form can be used inside a frame")
	}
}

func TestCodeFormAppearsWithoutJavaScript(t *testing.T) {
	for _, kind := range kinds {
		s := newSite(t)
		p := open(t, withoutScript())
		p.do(chromedp.Navigate(s.link(kind)), chromedp.WaitVisible(chromedp.CSS("noscript")))
		if got := p.text("noscript"); !strings.HasPrefix(got, "JavaScript is turned off") || !strings.Contains(got, "Code from the email") || p.text("#form") != "" {
			t.Errorf("the page says %q", got)
		}
		p.shootIfKept("noscript-" + string(kind))
		p.clean(s.pages.URL)
	}
}
