package browser

import (
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"souk/templates"
	"souk/templates/texts"
)

func TestInvalidLinkIsReportedBeforeTyping(t *testing.T) {
	for name, test := range map[string]struct {
		known answer
		title string
	}{
		"used":    {problem(409, "verification-used"), "This link has already been used"},
		"expired": {problem(410, "verification-expired"), "This link has expired"},
		"removed": {problem(410, "removed"), "The company has already been removed"},
		"moved":   {problem(422, "email-domain-mismatch"), "The company’s official domain has changed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.knows(test.known)
			p := open(t)
			p.do(chromedp.Navigate(s.link(templates.VerifyRemoval)), chromedp.WaitVisible(chromedp.CSS("#outcome")))
			if got := p.text("#outcome"); !strings.HasPrefix(got, test.title+"\n") || p.text("#form") != "" {
				t.Errorf("the page says %q", got)
			}
			if got := s.posted(); len(got) != 0 {
				t.Errorf("posted: %+v", got)
			}
		})
	}
}

func TestPageWorksWithoutTheLinkCheck(t *testing.T) {
	for name, known := range map[string]answer{
		"another host's 404": problem(404, "not-found"), "a page": {status: 200, body: "<html>"}, "no answer": {drop: true},
		"limited": after(problem(429, "rate-limited"), "60"), "unavailable": problem(503, "unavailable"), "no name": {status: 200, body: `{"company":{"name":7}}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.knows(known)
			s.answers(answer{status: 200, body: removed})
			p := open(t)
			p.visit(s.link(templates.VerifyRemoval))
			if got := p.text("#intro"); !strings.Contains(got, "The email names the company") {
				t.Errorf("the page says %q", got)
			}
			p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "acme.example"))
			p.press()
			if got := p.text("#outcome"); !strings.HasPrefix(got, "The company is removed\n") {
				t.Errorf("the outcome is %q", got)
			}
			// A browser itself retries if a connection breaks.
			if got := s.checked(); len(got) == 0 || got[0].body != checkBody {
				t.Errorf("asked: %+v", got)
			}
		})
	}
}

func TestCompanyNameIsEscaped(t *testing.T) {
	s := newSite(t)
	s.knows(answer{status: 200, body: `{"company":{"name":"<img src=x onerror=alert(1)>"}}`})
	p := open(t)
	p.visit(s.link(templates.VerifyClaim))
	p.do(chromedp.WaitVisible(chromedp.CSS("#named")))
	if got := p.text("#named"); !strings.Contains(got, "to claim <img src=x onerror=alert(1)> on") || p.is(`document.querySelector("img") !== null`) {
		t.Errorf("the page says %q", got)
	}
	p.clean(s.pages.URL, s.api.URL)
}

func TestPageIsInTheMarketsLanguage(t *testing.T) {
	german := texts.New("de", nil)
	s := newSite(t)
	s.words = german
	s.knows(answer{status: 200, body: acme})
	s.answers(after(problem(429, "rate-limited"), "601"))
	p := open(t)
	p.visit(s.link(templates.VerifyRemoval))
	p.do(chromedp.WaitVisible(chromedp.CSS("#named")))
	if !p.is(`document.documentElement.lang === "de" && document.title === "Unternehmen entfernen – Robot Market"`) {
		t.Error("the page does not tell its language")
	}
	english := regexp.MustCompile(`(?i)\b(the|you|your|company|nothing|link is|type)\b`)
	said := p.text("body")
	if found := english.FindString(said); found != "" || !strings.Contains(said, "mit der Acme Robotics von Robot Market entfernt werden soll") {
		t.Errorf("the page says %q in\n%s", found, said)
	}
	p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "https://www.müller.example/"))
	p.shootIfKept("removal-german")
	p.press()
	if got := p.text("#outcome"); !strings.HasPrefix(got, "Zu viele Versuche\n") || !strings.Contains(got, "Versuchen Sie es in 11 Minuten noch einmal.") {
		t.Errorf("the outcome is %q", got)
	}
	if got := s.posted(); len(got) != 1 || !strings.Contains(got[0].body, `"officialDomain":"www.xn--mller-kva.example"`) {
		t.Errorf("posted: %+v", got)
	}
	page := string(s.page(templates.VerifyClaim))
	if found := english.FindString(regexp.MustCompile(`(?s)<script>.*</script>|<style>.*</style>|<[^>]*>`).ReplaceAllString(page, " ")); found != "" {
		t.Errorf("the page of claims says %q", found)
	}
}
