package dynamic

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"souk/dynamic/verification/oidc"
)

// An issuer signs access tokens as in OpenID Connect Discovery and RFC 7515.
type issuer struct {
	*httptest.Server
	key *ecdsa.PrivateKey
}

const audience = "https://market.example/api"

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{key: key}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q,"id_token_signing_alg_values_supported":["ES256"]}`, i.URL, i.URL+"/keys")
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"1","x":%q,"y":%q}]}`,
			base64.RawURLEncoding.EncodeToString(point[1:33]), base64.RawURLEncoding.EncodeToString(point[33:]))
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

// token signs an access token for a workspace.
func (i *issuer) token(t *testing.T, workspace string, lasts time.Duration) string {
	t.Helper()
	claims, err := json.Marshal(map[string]any{
		"iss": i.URL, "aud": audience, "sub": "jane", "workspace": workspace, "exp": time.Now().Add(lasts).Unix(),
	})
	if err != nil {
		t.Fatal(err)
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256","kid":"1","typ":"at+jwt"}`)) + "." + base64.RawURLEncoding.EncodeToString(claims)
	sum := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, i.key, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	signature := make([]byte, 2*crypto.SHA256.Size())
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// authenticator returns an Authenticator that accepts the issuer's tokens.
func (i *issuer) authenticator(t *testing.T) *oidc.Authenticator {
	t.Helper()
	a, err := oidc.New(oidc.Config{Issuer: i.URL, Audience: audience})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestIssuersTokenVerifiesAClaimAndWaitsWhileTheIssuerIsDown(t *testing.T) {
	i := newIssuer(t)
	h := newHouse(t)
	h.Verification.OIDC = i.authenticator(t)
	h.fillMarket()
	end := h.open()
	address, body := h.askClaim("gone", "jane@gone.example")
	a := h.must(http.StatusOK, address, i.token(t, "Robotics Team", time.Hour), body)
	if got := a.Value("workspaceId"); got != "Robotics Team" {
		t.Errorf("the workspace is %q", got)
	}
	end()
	i.Close()
	h.Verification.OIDC = i.authenticator(t) // one that does not have the keys yet
	h.open()
	a = h.must(http.StatusServiceUnavailable, address, i.token(t, "Robotics Team", time.Hour), body)
	if retry, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || retry < 1 || a.Value("code") != "unavailable" {
		t.Errorf("Retry-After is %q: %s", a.Header.Get("Retry-After"), a.Body)
	}
	// Souk's own tokens do not involve the issuer.
	h.must(http.StatusUnauthorized, address, "souk_unknown", body)
}
