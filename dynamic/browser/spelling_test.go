package browser

import (
	"encoding/base64"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"souk/dynamic/verification"
	"souk/templates"
)

// percent encodes everything except letters and digits, like gateways that wrap links in
// their own.
func percent(text string) string {
	return regexp.MustCompile(`%[0-9A-F]{2}|[._-]`).ReplaceAllStringFunc(url.QueryEscape(text), func(one string) string {
		return map[string]string{".": "%2E", "_": "%5F", "-": "%2D"}[one] + strings.TrimLeft(one, "._-")
	})
}

// spellings are the forms into which mail gateways change a link.
var spellings = map[string]func(link string) string{
	"as it was sent":      func(link string) string { return link },
	"encoded once":        func(link string) string { return strings.Replace(link, "#", "%23", 1) },
	"encoded twice":       func(link string) string { return strings.Replace(link, "#", "%2523", 1) },
	"encoded three times": func(link string) string { return strings.Replace(link, "#", "%252523", 1) },
	"all of it":           encodedRest(func(rest string) string { return percent(rest) }),
	"all of it, twice":    encodedRest(func(rest string) string { return percent(percent(rest)) }),
	"lower-case hex":      encodedRest(func(rest string) string { return strings.ToLower(percent("#id=")) + rest[4:] }),
	"a query":             func(link string) string { return strings.Replace(link, "#", "?", 1) },
	"a query of entities": func(link string) string { return strings.NewReplacer("#", "?", "&", "&amp;").Replace(link) },
	"entities":            func(link string) string { return strings.Replace(link, "&", "&amp;", 1) },
	"an entity, encoded":  func(link string) string { return strings.NewReplacer("#", "%2523", "&", "%26amp%3B").Replace(link) },
	"an entity of one":    func(link string) string { return strings.Replace(link, "&", "&amp;amp;", 1) },
	"an entity by number": func(link string) string { return strings.Replace(link, "&", "&#38;", 1) },
	"an entity cut short": func(link string) string { return strings.Replace(link, "&", "&amp", 1) },
	"semicolons":          func(link string) string { return strings.Replace(link, "&", ";", 1) },
	"a slash":             func(link string) string { return strings.Replace(link, "#", "/#", 1) },
	"a slash and a query": func(link string) string { return strings.Replace(link, "#", "/?", 1) },
	"tracked":             func(link string) string { return link + "&utm_source=mail&mc_eid=1a2b3c4d5e" },
	"tracked before":      func(link string) string { return strings.Replace(link, "#", "?utm_source=mail&id=17#", 1) },
	"tracked in between": func(link string) string {
		return strings.NewReplacer("#", "?fbclid=x&", "&token", "&mc_cid=5&token").Replace(link)
	},
	"a query of its own":   func(link string) string { return strings.Replace(link, "#", "?x=1%23", 1) },
	"a mark after it":      func(link string) string { return link + ">." },
	"a part of the path":   func(link string) string { return strings.Replace(link, "#", "/", 1) },
	"joined by the entity": func(link string) string { return strings.Replace(link, "#", "&", 1) },
}

// proofpoint wraps a link like version 2 of that gateway.
func proofpoint(link string) string {
	packed := regexp.MustCompile(`[^A-Za-z0-9./]`).ReplaceAllStringFunc(link, func(one string) string { return fmt.Sprintf("-%02X", one[0]) })
	return "https://urldefense.proofpoint.com/v2/url?u=" + strings.ReplaceAll(packed, "/", "_") + "&d=DwMFaQ&c=euGZstcaTDllvimEN8b7jXrwqOf-v5A&r=s_t&m=x-2D&s=9&e="
}

func encodedRest(encode func(string) string) func(string) string {
	return func(link string) string {
		page, rest, _ := strings.Cut(link, "#")
		return page + encode("#"+rest)
	}
}

func TestEverySpellingOfALinkOpensThePage(t *testing.T) {
	for _, kind := range kinds {
		s := newSite(t)
		p := open(t)
		for name, spell := range spellings {
			p.do(chromedp.Navigate("about:blank"))
			before := len(s.checked())
			p.visit(spell(s.link(kind)))
			p.until(`document.querySelector("#outcome").hidden && document.querySelector("#coded").hidden`)
			if got, want := get(p, chromedp.Evaluate[string]("location.href")), s.pages.URL+"/verify/"+string(kind); got != want {
				t.Errorf("%s, %s: the address bar has %s", kind, name, got)
			}
			asked := s.checked()[before:]
			if len(asked) != 1 || !strings.Contains(asked[0].path, "/"+string(kind)+requested+"/check") || asked[0].body != checkBody || asked[0].referrer != "" {
				t.Errorf("%s, %s: the page asked %+v", kind, name, asked)
			}
		}
		p.clean(s.pages.URL, s.api.URL, "about:blank")
	}
}

// People copy the code from a mail, or a link as a gateway left it.
func TestCodeInTheMailWorksLikeTheLink(t *testing.T) {
	typed := map[string]func(link string) string{
		"the code":              func(link string) string { return codeOf(link) },
		"the code with a space": func(link string) string { return " " + codeOf(link)[:40] + "\n " + codeOf(link)[40:] + "." },
		"safe links": func(link string) string {
			return "https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape(strings.Replace(link, "#", "%23", 1)) +
				"&data=05%7C02%7Cjane%40acme.example%7C0&sdata=x%3D&reserved=0"
		},
		"a gateway with an id": func(link string) string {
			return "https://gateway.example/v1/url?id=42&token=short&k=9&u=" + url.QueryEscape(link) + "&e=1"
		},
		"urldefense": func(link string) string {
			return "https://urldefense.com/v3/__" + strings.Replace(link, "#", "*", 1) + "__;Iw!!Fx5g$"
		},
		"proofpoint": func(link string) string { return proofpoint(link) },
		"proofpoint of safe links": func(link string) string {
			return proofpoint("https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape(strings.Replace(link, "#", "%23", 1)) + "&data=05")
		},
		"safe links of proofpoint": func(link string) string {
			return "https://eur01.safelinks.protection.outlook.com/?url=" + url.QueryEscape(proofpoint(link)) + "&data=05"
		},
		"sophos": func(link string) string {
			return "https://eu-west-1.protection.sophos.com?d=market.example&u=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(link))) + "&i=NWY&t=a&h=b"
		},
		"in the path of a gateway": func(link string) string { return "https://secure.gateway.example/1AbC/" + percent(link) },
	}
	for name, spell := range spellings {
		typed["the link, "+name] = spell
	}
	s := newSite(t)
	s.knows(answer{status: 200, body: acme})
	s.answers(answer{status: 200, body: removed})
	p := open(t)
	for name, spell := range typed {
		if id, got := verification.ReadLink(spell(s.link(templates.VerifyRemoval))); id != "removal"+requested || got != token {
			t.Errorf("%s: the server reads %q and %q", name, id, got)
		}
		p.do(chromedp.Navigate(s.pages.URL+"/verify/removal"), chromedp.WaitVisible(chromedp.CSS("#code")))
		if got := p.text("#outcome"); !strings.HasPrefix(got, "The link is incomplete\n") {
			t.Errorf("the page says %q", got)
		}
		p.paste("#code", spell(s.link(templates.VerifyRemoval)))
		p.paste("#domain", "acme.example")
		before := len(s.posted())
		p.do(chromedp.WaitVisible(chromedp.CSS("#named")))
		p.shootIfKept("code-typed")
		p.press()
		want := post{path: removalCall, contentType: "application/json", body: expectedBody}
		if got := s.posted()[before:]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: posted %+v", name, got)
		}
		if got := p.text("#outcome"); !strings.HasPrefix(got, "The company is removed\n") {
			t.Errorf("%s: the outcome is %q", name, got)
		}
	}
	p.clean(s.pages.URL, s.api.URL)
}

// paste pastes a text into a field.
func (p *page) paste(field, text string) {
	p.t.Helper()
	p.do(chromedp.Focus(chromedp.CSS(field)), command(input.InsertText, input.InsertTextParams{Text: text}))
}

// codeOf returns the code in the mail that has the link.
func codeOf(link string) string {
	_, rest, _ := strings.Cut(link, "#id=")
	return strings.Replace(rest, "&token=", ".", 1)
}

func TestPageAsksForTheCodeIfTheLinkLacksIt(t *testing.T) {
	id := "removal" + requested
	s := newSite(t)
	p := open(t)
	for _, rest := range []string{
		"", "#", "/", "?", "%23", "#id=" + id, "#token=" + token, "#id=&token=", "#id=" + id + "&token=" + token[:40], "#id=17&token=" + token, "?utm_source=x",
	} {
		p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.pages.URL+"/verify/removal"+rest), chromedp.WaitVisible(chromedp.CSS("#outcome")))
		if got := p.text("#outcome"); !strings.HasPrefix(got, "The link is incomplete\n") || !strings.Contains(p.text("#form"), "Code from the email") {
			t.Errorf("%q: the page says %q", rest, got)
		}
		p.shootIfKept("outcome-nolink")
		p.paste("#domain", "acme.example")
		for _, wrong := range []string{"acme.example", "jane@acme.example", id, token, id + "." + token[1:]} {
			p.do(chromedp.Evaluate[chromedp.Void](`code.value = ""`))
			p.paste("#code", wrong)
			p.do(chromedp.Blur(chromedp.CSS("#code")))
			if got := p.text("#note"); !strings.HasPrefix(got, "This is neither the code") || !p.is(`document.getElementById("confirm").disabled`) {
				t.Errorf("%q is taken for a code: %q", wrong, got)
			}
		}
		if asked, posted := s.checked(), s.posted(); len(asked)+len(posted) != 0 {
			t.Errorf("%q: the page asked %+v and posted %+v", rest, asked, posted)
		}
	}
	p.clean(s.pages.URL, "about:blank")
}

func TestWrongCodeCanBeCorrected(t *testing.T) {
	s := newSite(t)
	s.knows(problem(404, "verification-not-found"))
	p := open(t)
	p.visit(strings.Replace(s.link(templates.VerifyClaim), token, strings.ToLower(token), 1))
	p.do(chromedp.WaitVisible(chromedp.CSS("#code")))
	if got := p.text("#outcome"); !strings.HasPrefix(got, "This link is not valid\n") {
		t.Errorf("the page says %q", got)
	}
	s.knows(answer{status: 200, body: acme})
	p.do(chromedp.SendKeys(chromedp.CSS("#code"), codeOf(s.link(templates.VerifyClaim))), chromedp.WaitVisible(chromedp.CSS("#named")))
	if got := p.text("#outcome"); got != "" {
		t.Errorf("the page still says %q", got)
	}
}

func TestScannersPostNothingIfTheLinkLacksItsCode(t *testing.T) {
	for _, kind := range kinds {
		s := newSite(t)
		p := open(t)
		p.do(chromedp.Navigate(s.pages.URL+"/verify/"+string(kind)), chromedp.WaitVisible(chromedp.CSS("#code")))
		p.pressEverything()
		get(p, chromedp.Evaluate[string](attack))
		p.pressEverything()
		if asked, posted := s.checked(), s.posted(); len(asked)+len(posted) != 0 {
			t.Errorf("%s: the scanner asked %+v and confirmed %+v", kind, asked, posted)
		}
	}
}

// A host that only serves files answers with the 404 page if a mail gateway has made the
// secret part of the path.
func Test404PageLeadsToTheLinksPage(t *testing.T) {
	for _, path := range []string{"", "/a/shop"} {
		s := serveContent(t, "../web/testdata/content", path)
		var mu sync.Mutex
		var requests []string
		host := httptest.NewServer(http.StripPrefix(path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			requests = append(requests, r.URL.EscapedPath()+" "+r.Referer())
			mu.Unlock()
			body, err := os.ReadFile(filepath.Join(s.public, filepath.FromSlash(r.URL.Path)))
			if strings.HasPrefix(r.URL.Path, "/verify/") {
				body, err = os.ReadFile(filepath.Join(s.public, filepath.FromSlash(r.URL.Path), "index.html"))
			}
			w.Header().Set("Content-Type", mime.TypeByExtension(filepath.Ext(r.URL.Path)))
			if err != nil {
				body, err = os.ReadFile(filepath.Join(s.public, "errors", "404.html"))
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				w.WriteHeader(http.StatusNotFound)
			}
			if err != nil {
				t.Error(err)
			}
			_, _ = w.Write(body)
		})))
		t.Cleanup(host.Close)
		link := host.URL + strings.TrimPrefix(s.link("removal-requests"), strings.TrimSuffix(s.url, path))
		_, secret, _ := strings.Cut(link, "token=")
		p := open(t)
		for name, spell := range spellings {
			p.do(chromedp.Navigate("about:blank"))
			mu.Lock()
			requests = nil
			mu.Unlock()
			p.visit(spell(link))
			p.do(chromedp.WaitVisible(chromedp.CSS("#named")))
			if got := get(p, chromedp.Evaluate[string]("location.href")); got != host.URL+path+"/verify/removal" {
				t.Errorf("%s: the address bar has %s", name, got)
			}
			mu.Lock()
			for _, request := range requests[1:] {
				if strings.Contains(request, secret) || strings.Contains(request, "token") {
					t.Errorf("%s: the host was asked for %s", name, request)
				}
			}
			mu.Unlock()
		}
		p.do(chromedp.Navigate(host.URL+path+"/verify/other%23id=a&token=b"), chromedp.WaitVisible(chromedp.CSS(".page-missing")))
	}
}
