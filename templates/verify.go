package templates

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	htmltemplate "html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"souk/templates/texts"
)

// A VerifyKind identifies one of the two verification pages, at /verify/{kind}.
type VerifyKind string

// The verification pages.
const (
	VerifyClaim   VerifyKind = "claim"
	VerifyRemoval VerifyKind = "removal"
)

// A Site describes the marketplace of a verification page.
type Site struct {
	// Name is the marketplace's name.
	Name string
	// SiteURL and APIURL are absolute, without a slash at the end.
	SiteURL, APIURL string
	// Language is the language of Name. The page itself is in the language of
	// Texts; nil means English.
	Language string
	Texts    *texts.Catalogue
	// Style contains the operator's colours and font as CSS.
	Style string
}

//go:embed verify/claim.html.tmpl verify/outcomes.html.tmpl verify/page.html.tmpl verify/removal.html.tmpl
var verifyHTML embed.FS

//go:embed verify/page.css
var verifyStyle string

//go:embed verify/link.js
var verifyLink string

//go:embed verify/page.js
var verifyScript string

var verifyPages = htmltemplate.Must(htmltemplate.New("").Option("missingkey=error").Funcs(htmltemplate.FuncMap{
	"slot": slot, "mono": mono, "initial": Initial, "list": func(values ...any) []any { return values },
}).ParseFS(verifyHTML, "verify/*.html.tmpl"))

// VerifyPage returns the page at public/verify/{kind}/index.html. It needs no other
// file, and the same site always yields the same bytes.
//
// The page contains its own Content-Security-Policy, which allows only its two
// scripts and its style sheet, by digest, and only requests to the API. A server
// should add the headers that a page cannot set, and should repeat the others:
//
//	Content-Security-Policy: frame-ancestors 'none'
//	Referrer-Policy: no-referrer
//	X-Content-Type-Options: nosniff
//	Cache-Control: no-store
//
// If a host cannot, the page itself refuses to work inside a frame.
//
// Its first script reads the secret from the address, even if a mail gateway has
// rewritten the link, and removes it from the address bar. If there is no secret,
// the page asks for the code that the mail contains next to the link.
//
// When it opens, the page asks the API what the link is for, in a call that changes
// nothing and does not use up the token, and shows the company's name. Mail
// scanners render the page, run its script, follow links, press buttons by script
// and may fill in fields. So the page only sends the confirmation after two actions
// that the browser marks as a person's (Event.isTrusted): entering text that looks
// like a domain, where every change came from the keyboard, the clipboard or an
// assistive technology, and then pressing the button. No script in the page can
// fake either. The server, not the page, compares the domain. Software that drives
// a browser from outside, key by key, still passes for a person; the proof is the
// token, and the typing only keeps well-meaning machines from using it.
func VerifyPage(kind VerifyKind, site Site) []byte {
	var page bytes.Buffer
	words := site.Texts
	if words == nil {
		words = texts.New("en", nil)
	}
	err := verifyPages.ExecuteTemplate(&page, string(kind)+".html.tmpl", map[string]any{
		"Kind": string(kind),
		"Site": site,
		"T":    words,
		// html/template does not fill the content of a meta element, since it may
		// be a policy, as it is here.
		"Policy": htmltemplate.HTMLAttr(`content="` + html.EscapeString(verifyPolicy(site.APIURL, verifyStyle+site.Style)) + `"`),
		"Action": sitePath(site.SiteURL) + VerifyAction(kind),
		"Style":  htmltemplate.CSS(verifyStyle + site.Style),
		"Link":   htmltemplate.JS(verifyLink),
		"Script": htmltemplate.JS(verifyScript),
	})
	if err != nil {
		// The templates and the kinds are embedded, so this is a bug.
		panic(err)
	}
	return page.Bytes()
}

// VerifyAction returns the path to which a browser without scripts submits the form of a
// verification page. The form contains no secret: a person copies the code from the
// mail, types the official domain, and presses the button.
func VerifyAction(kind VerifyKind) string { return "/requests/verify-" + string(kind) }

func sitePath(siteURL string) string {
	u, err := url.Parse(siteURL)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.EscapedPath(), "/")
}

var (
	verifyScripted  = regexp.MustCompile(`(?s)<template.*</template>\n|<script>.*?</script>\n|<form id="form".*?</form>\n|<p class="lead" id="named".*?</p>\n`)
	verifyUnsettled = regexp.MustCompile(`(?s)<div id="intro">.*?</div>\n|<noscript>.*</noscript>\n?`)
)

// VerifyAnswer turns a verification page into the answer to its form: it shows one of
// the page's outcomes, removes everything that needs a script, and removes the form
// if there is nothing more to do. It fails if the page has no such outcome.
func VerifyAnswer(page []byte, outcome string) ([]byte, error) {
	words := regexp.MustCompile(`(?s)<template id="` + outcome + `"( data-tone="[a-z]+")([a-z -]*)>(.*?)</template>`).FindSubmatch(page)
	if words == nil {
		return nil, fmt.Errorf("the verification page has no outcome %q", outcome)
	}
	answer := verifyScripted.ReplaceAll(page, nil)
	if !bytes.Contains(words[2], []byte("data-again")) {
		answer = verifyUnsettled.ReplaceAll(answer, nil)
	}
	said := slices.Concat([]byte(`<div id="outcome"`), words[1], []byte(`>`), words[3])
	return bytes.Replace(answer, []byte(`<div id="outcome" tabindex="-1" hidden>`), said, 1), nil
}

// slot returns an element that the script fills, with its initial text.
func slot(name, text string) htmltemplate.HTML {
	return htmltemplate.HTML(`<strong data-slot="` + html.EscapeString(name) + `">` + html.EscapeString(text) + `</strong>`)
}

// mono shows a value in a monospaced font.
func mono(text string) htmltemplate.HTML {
	return htmltemplate.HTML(`<span class="mono">` + html.EscapeString(text) + `</span>`)
}

// verifyPolicy returns the policy of a page that posts to an API. If the address is
// invalid, the page can reach nothing.
func verifyPolicy(apiURL, style string) string {
	origin := "'none'"
	if u, err := url.Parse(apiURL); err == nil && u.Scheme != "" && u.Host != "" && !strings.ContainsAny(u.Host, ";, '") {
		origin = u.Scheme + "://" + u.Host
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + sourceDigest(verifyLink) + " " + sourceDigest(verifyScript),
		"style-src " + sourceDigest(style),
		"connect-src " + origin,
		"form-action 'self'",
		"base-uri 'none'",
	}, "; ")
}

// sourceDigest returns the policy's name for an inline script or style: the digest
// of the bytes between its tags.
func sourceDigest(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
