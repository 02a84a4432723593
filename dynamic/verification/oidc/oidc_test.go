package oidc_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"souk/dynamic/verification/oidc"
)

func TestTokensAreValidatedByTheirClaims(t *testing.T) {
	k := rsaKey("one")
	i := newIssuer(t, k)
	a := i.authenticator(t)
	at := func(d time.Duration) int64 { return i.clock().Add(d).Unix() }
	tests := []struct {
		name    string
		changes map[string]any
		// reason is "" if the token is valid.
		reason string
	}{
		{"as it should be", nil, ""},
		{"several audiences", map[string]any{"aud": []string{"other", audience}}, ""},
		{"expired within the skew", map[string]any{"exp": at(-59 * time.Second)}, ""},
		{"valid soon, within the skew", map[string]any{"nbf": at(time.Minute)}, ""},
		{"a time with a fraction", map[string]any{"exp": float64(at(time.Hour)) + 0.5}, ""},
		{"a claim of nearly the same name", map[string]any{"Exp": 1, "NBF": at(time.Hour), "Workspace": "other"}, ""},
		{"another issuer", map[string]any{"iss": "https://evil.example"}, "another issuer"},
		{"an issuer with a slash more", map[string]any{"iss": i.url + "/"}, "another issuer"},
		{"no issuer", map[string]any{"iss": nil}, "another issuer"},
		{"another audience", map[string]any{"aud": "https://other.example"}, "another audience"},
		{"no audience", map[string]any{"aud": nil}, "another audience"},
		{"an audience that begins alike", map[string]any{"aud": audience + ".evil.example"}, "another audience"},
		{"expired", map[string]any{"exp": at(-time.Minute)}, "has expired"},
		{"no end", map[string]any{"exp": nil}, "no expiry time"},
		{"an end that is no time", map[string]any{"exp": "soon"}, "malformed"},
		{"not valid yet", map[string]any{"nbf": at(61 * time.Second)}, "not valid yet"},
		{"no workspace", map[string]any{"workspace": nil}, "no claim workspace"},
		{"an empty workspace", map[string]any{"workspace": ""}, "is empty"},
		{"a blank workspace", map[string]any{"workspace": " "}, "not a workspace name"},
		{"a workspace of two lines", map[string]any{"workspace": "a\nb"}, "not a workspace name"},
		{"a list of workspaces", map[string]any{"workspace": []string{"acme"}}, "is not text"},
		{"a number for a workspace", map[string]any{"workspace": 7}, "is not text"},
		{"null for a workspace", map[string]any{"workspace": json.RawMessage("null")}, "is not text"},
		{"a workspace deeper down", map[string]any{"workspace": map[string]any{"id": "acme"}}, "is not text"},
		{"too long a workspace", map[string]any{"workspace": strings.Repeat("a", 201)}, "not a workspace name"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			token := i.token(k, test.changes)
			if test.reason == "" {
				wantWorkspace(t, a, token)
			} else {
				wantInvalid(t, a, token, test.reason)
			}
		})
	}
}

func TestWorkspaceIsReadFromTheConfiguredClaim(t *testing.T) {
	k := rsaKey("one")
	i := newIssuer(t, k)
	a, err := oidc.New(oidc.Config{Issuer: i.url, Audience: audience, WorkspaceClaim: "https://market.example/org", Now: i.clock})
	if err != nil {
		t.Fatal(err)
	}
	wantInvalid(t, a, i.token(k, nil), "no claim https://market.example/org")
	wantWorkspace(t, a, i.token(k, map[string]any{"https://market.example/org": "acme", "workspace": "other"}))
}

func TestTokensAreValidatedByTheirSignature(t *testing.T) {
	k, other := rsaKey("one"), ecKey(t, "one")
	i := newIssuer(t, k)
	a := i.authenticator(t)
	good := i.token(k, nil)
	parts := strings.Split(good, ".")
	encode := base64.RawURLEncoding.EncodeToString
	tampered := encode([]byte(strings.Replace(mustDecode(t, parts[1]), `"acme"`, `"evil"`, 1)))
	der, err := x509.MarshalPKIXPublicKey(k.private.Public())
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	const malformed = "malformed, or signed in a way"
	tests := []struct{ name, token, reason string }{
		{"alg none", encode([]byte(`{"alg":"none"}`)) + "." + parts[1] + ".", malformed},
		{"alg none with the signature", encode([]byte(`{"alg":"none","kid":"one"}`)) + "." + parts[1] + "." + parts[2], malformed},
		{"HS256 with the public key", sign(t, jose.HS256, public, "one", "at+jwt", i.claims(nil)), malformed},
		{"HS256 with the public key in DER", sign(t, jose.HS256, der, "one", "", i.claims(nil)), malformed},
		{"an algorithm that is not published", sign(t, jose.RS512, k.private, "one", "", i.claims(nil)), malformed},
		{"a changed payload", parts[0] + "." + tampered + "." + parts[2], "signature is wrong"},
		{"no signature", parts[0] + "." + parts[1] + ".", "signature is wrong"},
		{"another key of the same name", sign(t, other.algorithm, other.private, "one", "", i.claims(nil)), "signature is wrong"},
		{"another key without a name", sign(t, other.algorithm, other.private, "", "", i.claims(nil)), "did not publish"},
		{"a key that it brings along", embedded(t, other, i.claims(nil)), "did not publish"},
		{"a token to log out with", sign(t, k.algorithm, k.private, "one", "logout+jwt", i.claims(nil)), "not an access token"},
		{"claims that are none", sign(t, k.algorithm, k.private, "one", "", []int{1}), "malformed"},
		{"a header more that must be understood", critical(t, k, i.claims(nil)), "signature is wrong"},
		{"nothing", "", "not a JWT"},
		{"one word", "abc", "not a JWT"},
		{"dots", "..", malformed},
		{"five parts", "a.b.c.d.e", "not a JWT"},
		{"JSON", `{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`, "not a JWT"},
		{"a space", good + " ", "not a JWT"},
		{"a line end", parts[0] + ".\n" + parts[1] + "." + parts[2], "not a JWT"},
		{"much too long", good + strings.Repeat("A", 16<<10), "too long"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantInvalid(t, a, test.token, test.reason) })
	}
	for _, kind := range []string{"", "JWT", "jwt", "at+jwt", "application/at+jwt"} {
		wantWorkspace(t, a, sign(t, k.algorithm, k.private, "one", kind, i.claims(nil)))
	}
	wantWorkspace(t, a, sign(t, k.algorithm, k.private, "", "", i.claims(nil)))
}

func mustDecode(t *testing.T, part string) string {
	t.Helper()
	data, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func embedded(t *testing.T, k key, claims any) string {
	return signWith(t, k, &jose.SignerOptions{EmbedJWK: true}, claims)
}

func critical(t *testing.T, k key, claims any) string {
	o := (&jose.SignerOptions{}).WithHeader("kid", k.id).WithHeader("crit", []string{"x-evil"}).WithHeader("x-evil", true)
	return signWith(t, k, o, claims)
}

func signWith(t *testing.T, k key, o *jose.SignerOptions, claims any) string {
	t.Helper()
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: k.algorithm, Key: k.private}, o)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	jws, err := s.Sign(data)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jws.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestOnlyATrustworthyIssuerCanBeConfigured(t *testing.T) {
	tests := []struct {
		issuer, audience string
		// mistake is "" if there is none.
		mistake string
	}{
		{"https://login.example.com", "a", ""},
		{"https://login.example.com/realms/one", "a", ""},
		{"http://127.0.0.1:5556/dex", "a", ""},
		{"http://[::1]:5556", "a", ""},
		{"https://login.example.com", "", "--oidc-issuer needs --oidc-audience"},
		{"", "a", "set --oidc-issuer"},
		{"http://login.example.com", "a", "must begin with https://"},
		{"http://localhost:5556", "a", "must begin with https://"},
		{"http://127.0.0.1.evil.example", "a", "must begin with https://"},
		{"http://192.168.0.1", "a", "must begin with https://"},
		{"ftp://127.0.0.1", "a", "must begin with https://"},
		{"login.example.com", "a", "is not a web address"},
		{"https://", "a", "is not a web address"},
		{"https://user:word@login.example.com", "a", "is not a web address"},
		{"https://login.example.com?tenant=1", "a", "no query"},
		{"https://login.example.com#x", "a", "no query"},
	}
	for _, test := range tests {
		_, err := oidc.New(oidc.Config{Issuer: test.issuer, Audience: test.audience})
		if test.mistake == "" && err != nil || test.mistake != "" && (err == nil || !strings.Contains(err.Error(), test.mistake)) {
			t.Errorf("%q for %q: %v, want %q", test.issuer, test.audience, err, test.mistake)
		}
	}
}

func FuzzAuthenticateRejectsTokensThatTheIssuerDidNotSign(f *testing.F) {
	k := rsaKey("one")
	i := newIssuer(f, k)
	a := i.authenticator(f)
	good := i.token(k, nil)
	f.Add("")
	f.Add("a.b.c")
	f.Add(good[:len(good)-2])
	f.Add(base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","kid":{}}`)) + ".e30.AA")
	f.Add(base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + ".e30.")
	f.Fuzz(func(t *testing.T, token string) {
		// Base64 has several spellings, so a valid token has several too.
		if workspace, err := a.Authenticate(t.Context(), token); err == nil && workspace != "acme" {
			t.Errorf("it names the workspace %q, which the issuer did not sign", workspace)
		}
	})
}
