package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"regexp"
	"strings"
	"testing"

	"souk/templates"
)

var kinds = []templates.VerifyKind{templates.VerifyClaim, templates.VerifyRemoval}

func TestPageIsOneFileWhosePolicyMatchesItsBytes(t *testing.T) {
	site := templates.Site{Name: `Robots & "Co" <b>`, SiteURL: "https://market.example", APIURL: "https://api.market.example:8443/api/v1", Language: "de"}
	for _, kind := range kinds {
		page := templates.VerifyPage(kind, site)
		if !bytes.Equal(page, templates.VerifyPage(kind, site)) {
			t.Errorf("%s: the same site gives other bytes", kind)
		}
		scripts, styles := digests(page, "script"), digests(page, "style")
		if len(scripts) != 2 || len(styles) != 1 {
			t.Fatalf("%s: the page has %d scripts and %d styles", kind, len(scripts), len(styles))
		}
		want := "default-src 'none'; script-src " + strings.Join(scripts, " ") + "; style-src " + styles[0] +
			"; connect-src https://api.market.example:8443; form-action 'self'; base-uri 'none'"
		policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindSubmatch(page)
		if policy == nil || html.UnescapeString(string(policy[1])) != want {
			t.Errorf("%s: the policy is %s, want %s", kind, policy, want)
		}
		if found := regexp.MustCompile(`(?i)<(img|link|iframe|object|base)\b|\bsrc=|@import|(?-i:url\()|\bon[a-z]+="|\bstyle="|<b>`).Find(page); found != nil {
			t.Errorf("%s: the page holds %s", kind, found)
		}
		for _, wanted := range []string{`<meta name="referrer" content="no-referrer">`, `<meta name="robots" content="noindex`, `width=device-width`, `<html lang="en" dir="ltr">`} {
			if !strings.Contains(string(page), wanted) {
				t.Errorf("%s: the page lacks %s", kind, wanted)
			}
		}
	}
}

// digests returns a policy's sources for the elements with a name.
func digests(page []byte, element string) (all []string) {
	for _, found := range regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(found[1])
		all = append(all, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return all
}

func TestInvalidAddressConnectsToNothing(t *testing.T) {
	for _, api := range []string{"", "/api/v1", "https://a.example;script-src *", "https://a.example 'unsafe-inline'"} {
		page := string(templates.VerifyPage(templates.VerifyClaim, templates.Site{Name: "x", SiteURL: "https://x.example", APIURL: api}))
		if !strings.Contains(page, "connect-src &#39;none&#39;;") {
			t.Errorf("%q: the policy lets something be reached", api)
		}
	}
}
