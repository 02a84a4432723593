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

// A VerifyKind says which of the two verification pages is meant, as the
// address does: /verify/{kind}.
type VerifyKind string

// The verification pages.
const (
	VerifyClaim   VerifyKind = "claim"
	VerifyRemoval VerifyKind = "removal"
)

// Site says for which marketplace a verification page is.
type Site struct {
	// Name is the marketplace's own.
	Name string
	// SiteURL and APIURL are absolute, without a slash at the end.
	SiteURL, APIURL string
	// Language is that of Name. The page itself is in that of Texts; nil is
	// English.
	Language string
	Texts    *texts.Catalogue
	// Style is what the operator's colours and font add to the style.
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

// VerifyPage returns the page at public/verify/{kind}/index.html. It is one file
// that needs no other; the same site gives the same bytes.
//
// The page carries its own Content-Security-Policy: nothing runs but the two
// scripts and the one style whose digests it names, and nothing is reached but
// the API. A server should add what a page cannot say about itself, and does well
// to repeat the rest:
//
//	Content-Security-Policy: frame-ancestors 'none'
//	Referrer-Policy: no-referrer
//	X-Content-Type-Options: nosniff
//	Cache-Control: no-store
//
// Where a host cannot, the page itself refuses to work inside a frame.
//
// Its first script reads the secret out of the address, however a mail gateway
// has spelled the link, and takes it out of the address bar. Where none is left,
// the page asks for the code that stands beside the link in the mail.
//
// When it opens, the page asks the API what the link is for, by a call that
// changes nothing and uses nothing up, and names the company. A mail scanner
// renders the page, runs its script, follows links, presses buttons by script
// and may fill in fields. So the page posts what changes something only after
// two acts that the browser vouches for as a person's (Event.isTrusted): first
// text that looks like a domain, each change of which came from the keyboard, the
// clipboard or an assistive technology; then a press of the button. No script in
// the page can make either. The server compares the domain, not the page. Who
// drives a browser from outside, key by key, passes for a person here; the proof
// is the token, and the typing keeps machines that mean no harm from using it.
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
		// html/template refuses to fill the content of a meta element, since it
		// may be a policy; this one is.
		"Policy": htmltemplate.HTMLAttr(`content="` + html.EscapeString(verifyPolicy(site.APIURL, verifyStyle+site.Style)) + `"`),
		"Action": sitePath(site.SiteURL) + VerifyAction(kind),
		"Style":  htmltemplate.CSS(verifyStyle + site.Style),
		"Link":   htmltemplate.JS(verifyLink),
		"Script": htmltemplate.JS(verifyScript),
	})
	if err != nil {
		// The templates and the kinds are part of the program.
		panic(err)
	}
	return page.Bytes()
}

// VerifyAction returns the address, below the site, that the form of a verification page
// is sent to by a browser without scripts. Such a form holds no secret: a person copies
// the code out of the mail, types the official domain, and presses the button.
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

// VerifyAnswer returns a verification page as the answer to its form: with one of its
// outcomes in place, without what needs a script, and without the form where there is
// nothing more to do. It fails if the page has no such outcome.
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

// slot is a place in a text that the script fills, with what it holds until then.
func slot(name, text string) htmltemplate.HTML {
	return htmltemplate.HTML(`<strong data-slot="` + html.EscapeString(name) + `">` + html.EscapeString(text) + `</strong>`)
}

// mono shows a value in a text as it is typed.
func mono(text string) htmltemplate.HTML {
	return htmltemplate.HTML(`<span class="mono">` + html.EscapeString(text) + `</span>`)
}

// verifyPolicy returns the policy of a page that posts to an API. An address that
// is none leaves the page nothing to reach.
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

// sourceDigest names an inline script or style in a policy, by the bytes between
// its tags.
func sourceDigest(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
