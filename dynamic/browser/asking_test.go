package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"souk/templates/texts"
)

// fill fills in and sends the form of a claim or a removal.
func (p *page) fill(name, email string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](`requesterName.value = requesterEmail.value = ""; undefined`),
		chromedp.SendKeys(chromedp.CSS("#requesterName"), name), chromedp.SendKeys(chromedp.CSS("#requesterEmail"), email),
		chromedp.Click(chromedp.CSS("form.request button")))
}

const told = `[...document.querySelectorAll("[data-outcome]")].map((e) => e.dataset.outcome).join()`

func TestFormsWithAScriptStayOnTheirPage(t *testing.T) {
	english := texts.New("en", nil)
	for kind, purpose := range map[string]string{"claim": "claim", "remove": "removal"} {
		t.Run(kind, func(t *testing.T) {
			s := serveContent(t, "../web/testdata/content", "/market")
			p := open(t)
			p.do(chromedp.Navigate(s.url+"/companies/acme"), chromedp.Click(chromedp.CSS(`.yours a[href$="/`+kind+`"]`)), chromedp.WaitVisible(chromedp.CSS("form.request")))
			p.fill("Jane Doe", "jane@evil.example")
			p.until(told + ` === "domain"`)
			if !p.is(`document.activeElement.id === "outcome" && requesterEmail.getAttribute("aria-invalid") === "true" && requesterEmail.value === "jane@evil.example" && !document.querySelector("form.request button").disabled`) {
				t.Error("the mistake is not told, or not to be mended")
			}
			p.shootIfKept("form-" + kind + "-mistake")
			p.fill(" ", "jane@acme.example")
			p.until(told + ` === "invalid"`)
			if !p.is(`requesterName.getAttribute("aria-invalid") === "true" && !requesterEmail.hasAttribute("aria-invalid")`) {
				t.Error("a name of spaces is not the one field that is marked")
			}
			p.fill("Jane Doe", "jane@acme.example")
			p.until(told + ` === "sent"`)
			if got := p.text("#outcome"); got != english.Text("site.form.sent") {
				t.Errorf("the page says %q", got)
			}
			if !p.is(`document.querySelector("form.request button").disabled && location.pathname === "/market/companies/acme/` + kind + `"`) {
				t.Error("the form can be sent again, or led elsewhere")
			}
			if link := s.waitForMail(); !strings.HasPrefix(link, s.url+"/verify/"+purpose+"#") {
				t.Errorf("the mail leads to %s", link)
			}
			p.clean(s.url)
		})
	}
}

func TestFormsWithoutScriptsAnswerWithTheirPage(t *testing.T) {
	for kind, purpose := range map[string]string{"claim": "claim", "remove": "removal"} {
		t.Run(kind, func(t *testing.T) {
			s := serveContent(t, "../web/testdata/content", "/market")
			p := open(t, withoutScripts())
			p.do(chromedp.Navigate(s.url+"/companies/acme"), chromedp.Click(chromedp.CSS(`.yours a[href$="/`+kind+`"]`)), chromedp.WaitVisible(chromedp.CSS("form.request")))
			p.fill("Jane Doe", "jane@evil.example")
			p.until(`location.pathname === "/market/requests/` + kind + `" && document.readyState === "complete" && ` + told + ` === "domain"`)
			if !p.is(`requesterName.value === "Jane Doe" && requesterEmail.value === "jane@evil.example" && requesterEmail.getAttribute("aria-invalid") === "true"`) {
				t.Error("what was typed is gone")
			}
			p.shootIfKept("form-" + kind + "-plain")
			p.fill("Jane Doe", "jane@acme.example")
			p.until(told + ` === "sent"`)
			if link := s.waitForMail(); !strings.HasPrefix(link, s.url+"/verify/"+purpose+"#") {
				t.Errorf("the mail leads to %s", link)
			}
		})
	}
}

// A host without the program answers requests that only the program can handle with 404.
func TestFormsReportAHostWithoutTheProgram(t *testing.T) {
	english := texts.New("en", nil)
	s := serveContent(t, "../web/testdata/content", "/market")
	p := open(t)
	const without = `window.fetch = async () => new Response('{"status": 404, "code": "not-found"}', { status: 404 }); undefined`
	p.do(chromedp.Navigate(s.url+"/companies/acme/remove"), chromedp.WaitVisible(chromedp.CSS("form.request")), chromedp.Evaluate[chromedp.Void](without))
	p.fill("Jane Doe", "jane@acme.example")
	p.until(told + ` === "off"`)
	if got := p.text("#outcome"); got != english.Text("site.form.off") {
		t.Errorf("the form says %q", got)
	}
}

func TestFormOnAnotherSitesPageStartsNothing(t *testing.T) {
	s := serve(t)
	elsewhere := hostOf(t, `<!doctype html><title>x</title><form method="post" action="`+s.url+`/requests/remove">
		<input name="companySlug" value="acme"><input name="requesterName" value="Eve"><input name="requesterEmail" value="jane@acme.example"><button>x</button></form>`)
	p := open(t)
	p.do(chromedp.Navigate(strings.Replace(elsewhere, "127.0.0.1", "localhost", 1)), chromedp.Click(chromedp.CSS("button")))
	p.until(`location.pathname === "/requests/remove" && document.querySelector("h1") !== null`)
	if got := p.text("main"); !strings.Contains(got, "sent from a page on another site") {
		t.Errorf("the page says %q", got)
	}
}

// hostOf serves one page and returns its address.
func hostOf(t *testing.T, page string) string {
	t.Helper()
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(host.Close)
	return host.URL
}
