package verification

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLinksAreReadDespiteRepeatedEncodingAndWrapping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request, token := issued(t, rapid.SampledFrom([]Purpose{ForClaim, ForRemoval}).Draw(t, "purpose"))
		text := Message{Kind: MailRemoval, RequestID: request.ID, Token: Token{token}}.Link("https://market.example")
		for range rapid.IntRange(0, 5).Draw(t, "times") {
			switch rapid.IntRange(0, 6).Draw(t, "how") {
			case 0:
				text = url.QueryEscape(text)
			case 1:
				text = strings.Replace(text, "#", "%23", 1)
			case 2:
				text = "https://gateway.example/?id=17&token=x&url=" + url.QueryEscape(text) + "&data=05%7C02"
			case 3:
				text = strings.ReplaceAll(text, "&", "&amp;")
			case 4:
				text = strings.Replace(text, "#", "?", 1)
			case 5:
				packed := regexp.MustCompile(`[^A-Za-z0-9./]`).ReplaceAllStringFunc(text, func(one string) string { return fmt.Sprintf("-%02X", one[0]) })
				text = "https://urldefense.proofpoint.com/v2/url?u=" + strings.ReplaceAll(packed, "/", "_") + "&d=DwMFaQ&c=x-2D&e="
			default:
				text = "https://eu-west-1.protection.sophos.com?d=market.example&u=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(text))) + "&i=1"
			}
		}
		// A mail program breaks the link into lines.
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		text = text[:at] + "\r\n " + text[at:]
		if id, got := ReadLink(text); id != request.ID || got != token {
			t.Fatalf("%s is read as %q and %q", text, id, got)
		}
	})
}

func TestOtherTextIsNotReadAsALinkOrCode(t *testing.T) {
	id, token := "removal-"+strings.Repeat("a", 26), strings.Repeat("T", 43)
	for _, text := range []string{"", "acme.example", id, token, id + "." + token[1:], id[1:] + "." + token, "#id=" + id, "#token=" + token, "other-" + id[8:] + "." + token} {
		if got, secret := ReadLink(text); got != "" || secret != "" {
			t.Errorf("%q is read as %q and %q", text, got, secret)
		}
	}
	if got, secret := ReadLink("<" + id + "." + token + ">."); got != id || secret != token {
		t.Error("the code is not read")
	}
}

func FuzzReadLink(f *testing.F) {
	f.Add("https://market.example/verify/claim%2523id%3Dclaim-abcdefghijklmnopqrstuvwxyz%26amp%3Btoken%3Dabcdefghijklmnopqrstuvwxyzabcdefghijklmnopq")
	f.Fuzz(func(t *testing.T, text string) {
		id, token := ReadLink(text)
		if (id == "") != (token == "") || id != "" && (!isID(id) || len(token) != tokenLength) {
			t.Errorf("%q is read as %q and %q", text, id, token)
		}
		if again, same := ReadLink(id + "." + token); again != id || same != token {
			t.Errorf("the code of %q is read as %q and %q", text, again, same)
		}
	})
}
