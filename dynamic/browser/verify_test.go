package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"souk/templates"
)

// ways are the devices and color schemes for looking at the pages.
var ways = map[string][]step{
	"desktop-light": {chromedp.EmulateViewport(1280, 900), scheme("light")},
	"desktop-dark":  {chromedp.EmulateViewport(1280, 900), scheme("dark")},
	"phone-light":   {chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch), scheme("light")},
	"phone-dark":    {chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch), scheme("dark")},
}

func scheme(name string) step {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		// With reduced motion, colors change without a transition.
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

// visit opens a link and waits for the form.
func (p *page) visit(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate(address), chromedp.WaitVisible(chromedp.CSS("#form")))
}

// press presses the button with the mouse and waits for an outcome.
func (p *page) press() {
	p.t.Helper()
	p.do(chromedp.WaitEnabled(chromedp.CSS("#confirm")), chromedp.Click(chromedp.CSS("#confirm")))
	p.do(chromedp.WaitVisible(chromedp.CSS("#outcome")), chromedp.Poll[chromedp.Void](`document.activeElement.id === "outcome"`))
}

func TestRemovalIsConfirmedByAPerson(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.answers(answer{status: 200, body: removed})
			s.knows(answer{status: 200, body: acme})
			p := open(t, way...)
			p.visit(s.link(templates.VerifyRemoval))
			if !p.is(`location.href === ` + fmt.Sprintf("%q", s.pages.URL+"/verify/removal")) {
				t.Error("the token stayed in the address bar")
			}
			p.do(chromedp.WaitVisible(chromedp.CSS("#named")))
			if got := p.text("#intro"); !strings.Contains(got, "asks to remove Acme Robotics from Robot Market") || strings.Contains(got, "410") {
				t.Errorf("the page says %q", got)
			}
			p.shoot("removal-" + name + "-1-opened")
			p.do(chromedp.SendKeys(chromedp.CSS("#domain"), " Acme.Example "))
			p.shoot("removal-" + name + "-2-typed")
			p.press()
			p.shoot("removal-" + name + "-3-done")
			want := post{path: removalCall, contentType: "application/json", body: expectedBody}
			if got := s.posted(); len(got) != 1 || got[0] != want {
				t.Errorf("posted: %+v", got)
			}
			if got := p.text("#outcome"); !strings.HasPrefix(got, "The company is removed\n") || p.text("#form") != "" {
				t.Errorf("the outcome is %q", got)
			}
			if !p.is(`document.title === "The company is removed – Robot Market" && document.activeElement.getAttribute("role") === "status"`) {
				t.Error("the outcome is not announced")
			}
			p.clean(s.pages.URL, s.api.URL)
		})
	}
}

func TestClaimIsConfirmedByAPerson(t *testing.T) {
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.answers(answer{status: 200, body: attached})
			p := open(t, way...)
			p.visit(s.link(templates.VerifyClaim))
			p.shoot("claim-" + name + "-1-opened")
			p.do(chromedp.SendKeys(chromedp.CSS("#domain"), "müller.example"))
			if !p.is(`document.getElementById("confirm").disabled`) {
				t.Error("the button can be pressed without an access token")
			}
			p.do(chromedp.SendKeys(chromedp.CSS("#access"), " souk_abc "))
			p.shoot("claim-" + name + "-2-typed")
			p.press()
			p.shoot("claim-" + name + "-3-done")
			want := post{path: claimCall, authorization: "Bearer souk_abc", contentType: "application/json", body: strings.Replace(expectedBody, "acme.example", "xn--mller-kva.example", 1)}
			if got := s.posted(); len(got) != 1 || got[0] != want {
				t.Errorf("posted: %+v", got)
			}
			if got := p.text("#outcome"); !strings.Contains(got, "Acme Robotics now belongs to the workspace acme-team") {
				t.Errorf("the outcome is %q", got)
			}
			p.clean(s.pages.URL, s.api.URL)
		})
	}
}

func TestPageWorksWithTheKeyboard(t *testing.T) {
	s := newSite(t)
	s.answers(answer{status: 200, body: attached})
	p := open(t)
	p.visit(s.link(templates.VerifyClaim))
	focus := func(want string) {
		t.Helper()
		if !p.is(fmt.Sprintf(`document.activeElement.id === %q`, want)) {
			t.Errorf("the focus is at %s, not at %s", get(p, chromedp.Evaluate[string](`document.activeElement.outerHTML.slice(0, 80)`)), want)
		}
	}
	p.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab))
	focus("domain")
	p.do(chromedp.KeyEvent("acme.example"), chromedp.KeyEvent(kb.Enter))
	if got := p.text("#note"); !strings.HasPrefix(got, "Fill in") {
		t.Errorf("Enter says %q", got)
	}
	p.do(chromedp.KeyEvent(kb.Tab))
	focus("access")
	p.do(chromedp.KeyEvent("souk_abc"), chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter))
	if got := p.text("#note"); got != "To confirm, press the button." {
		t.Errorf("Enter says %q", got)
	}
	p.do(chromedp.KeyEvent(kb.Tab))
	focus("confirm")
	if n := len(s.posted()); n != 0 {
		t.Fatalf("Enter in a field posted %d times", n)
	}
	p.do(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible(chromedp.CSS("#outcome")))
	focus("outcome")
	if n := len(s.posted()); n != 1 {
		t.Errorf("posted %d times", n)
	}
	p.clean(s.pages.URL, s.api.URL)
}

func TestPastedDomainIsAccepted(t *testing.T) {
	s := newSite(t)
	p := open(t)
	p.visit(s.link(templates.VerifyRemoval))
	p.do(chromedp.Focus(chromedp.CSS("#domain")), command(input.InsertText, input.InsertTextParams{Text: "acme.example"}),
		chromedp.WaitEnabled(chromedp.CSS("#confirm")))
	p.clean(s.pages.URL, s.api.URL)
}

func TestTextThatIsNotADomainIsNotAccepted(t *testing.T) {
	s := newSite(t)
	p := open(t)
	p.visit(s.link(templates.VerifyRemoval))
	for typed, good := range map[string]bool{
		"acme": false, "jane@acme.example": false, "ftp://acme.example": false, "https://": false, "127.0.0.1": false,
		"acme..example": false, "-acme.example": false, ".example": false, "acme example": false, "acme.e": false, "1.2": false,
		"https://acme.example": true, "acme.example/": true, " HTTPS://www.Acme.Example/about?x#y": true, "www.müller.example": true,
		"acme.example": true, "ACME.Example.": true, "  müller.example ": true, "xn--mller-kva.example": true, "a.b.co.uk": true, "例え.テスト": true,
	} {
		p.do(chromedp.Evaluate[chromedp.Void](`domain.value = "", domain.dispatchEvent(new Event("input")), undefined`),
			chromedp.SendKeys(chromedp.CSS("#domain"), typed))
		if got := p.is(`!document.getElementById("confirm").disabled`); got != good {
			t.Errorf("%q enables the button: %v", typed, got)
		}
		p.do(chromedp.Blur(chromedp.CSS("#domain")))
		if got := p.text("#note") == ""; got != good {
			t.Errorf("%q is accepted without a note: %v", typed, got)
		}
	}
	p.clean(s.pages.URL, s.api.URL)
}
