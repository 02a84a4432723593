package oidc_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"souk/dynamic/verification/oidc"
)

const audience = "https://market.example"

// A key signs tokens.
type key struct {
	id        string
	algorithm jose.SignatureAlgorithm
	private   crypto.Signer
}

var makeRSA = sync.OnceValue(func() crypto.Signer {
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return private
})

func rsaKey(id string) key { return key{id, jose.RS256, makeRSA()} }

func ecKey(t testing.TB, id string) key {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key{id, jose.ES256, private}
}

// An issuer publishes keys and can be made to fail.
type issuer struct {
	t   testing.TB
	url string
	// asked counts the requests for the configuration.
	asked atomic.Int64

	mu         sync.Mutex
	keys       []key
	algorithms []string
	// answer, if set, replaces the normal answers.
	answer http.HandlerFunc
	now    time.Time
}

func newIssuer(t testing.TB, keys ...key) *issuer {
	t.Helper()
	i := &issuer{t: t, keys: keys, algorithms: []string{"RS256", "ES256", "HS256", "none"}, now: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)}
	server := httptest.NewServer(i)
	t.Cleanup(server.Close)
	i.url = server.URL
	return i
}

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	answer, keys, algorithms := i.answer, i.keys, i.algorithms
	i.mu.Unlock()
	if r.URL.Path == "/.well-known/openid-configuration" {
		i.asked.Add(1)
	}
	if answer != nil {
		answer(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		json.NewEncoder(w).Encode(map[string]any{
			"issuer": i.url, "jwks_uri": i.url + "/keys", "id_token_signing_alg_values_supported": algorithms,
		})
	case "/keys":
		set := jose.JSONWebKeySet{}
		for _, k := range keys {
			set.Keys = append(set.Keys, jose.JSONWebKey{Key: k.private.Public(), KeyID: k.id, Use: "sig"})
		}
		json.NewEncoder(w).Encode(set)
	default:
		http.NotFound(w, r)
	}
}

func (i *issuer) publish(keys ...key) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

// answers replaces the issuer's answers; nil restores the normal ones.
func (i *issuer) answers(h http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.answer = h
}

func down(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "out of order", http.StatusBadGateway)
}

func (i *issuer) clock() time.Time {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.now
}

// pass advances the authenticator's clock.
func (i *issuer) pass(d time.Duration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.now = i.now.Add(d)
}

func (i *issuer) authenticator(t testing.TB) *oidc.Authenticator {
	t.Helper()
	a, err := oidc.New(oidc.Config{Issuer: i.url, Audience: audience, Now: i.clock})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// claims returns the claims of a valid token with changes; nil removes a claim.
func (i *issuer) claims(changes map[string]any) map[string]any {
	all := map[string]any{
		"iss": i.url, "aud": audience, "sub": "somebody", "exp": i.clock().Add(time.Hour).Unix(), "workspace": "acme",
	}
	for name, value := range changes {
		if all[name] = value; value == nil {
			delete(all, name)
		}
	}
	return all
}

// sign returns a signed token. kind is its type header; "" omits it.
func sign(t testing.TB, algorithm jose.SignatureAlgorithm, signer any, kid, kind string, claims any) string {
	t.Helper()
	options := &jose.SignerOptions{}
	if kid != "" {
		options = options.WithHeader("kid", kid)
	}
	if kind != "" {
		options = options.WithType(jose.ContentType(kind))
	}
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: signer}, options)
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

func (i *issuer) token(k key, changes map[string]any) string {
	i.t.Helper()
	return sign(i.t, k.algorithm, k.private, k.id, "at+jwt", i.claims(changes))
}

// wantInvalid checks that a token is rejected for a reason, and that the error contains no
// part of it.
func wantInvalid(t *testing.T, a *oidc.Authenticator, token, reason string) {
	t.Helper()
	workspace, err := a.Authenticate(t.Context(), token)
	if !errors.Is(err, oidc.ErrInvalid) || workspace != "" {
		t.Fatalf("workspace %q, error %v, want it refused", workspace, err)
	}
	if !strings.Contains(err.Error(), reason) {
		t.Errorf("it is refused because %q, want %q", err, reason)
	}
	wantSilent(t, err, token)
}

func wantSilent(t *testing.T, err error, token string) {
	t.Helper()
	for part := range strings.SplitSeq(token, ".") {
		if len(part) > 8 && strings.Contains(err.Error(), part[:8]) {
			t.Errorf("the error holds a part of the token: %v", err)
		}
	}
}

func wantWorkspace(t *testing.T, a *oidc.Authenticator, token string) {
	t.Helper()
	if workspace, err := a.Authenticate(t.Context(), token); err != nil || workspace != "acme" {
		t.Fatalf("workspace %q, error %v, want acme", workspace, err)
	}
}

func wantUnavailable(t *testing.T, a *oidc.Authenticator, token string) *oidc.UnavailableError {
	t.Helper()
	_, err := a.Authenticate(t.Context(), token)
	var unavailable *oidc.UnavailableError
	if !errors.As(err, &unavailable) || errors.Is(err, oidc.ErrInvalid) {
		t.Fatalf("error %v, want that the issuer is not available", err)
	}
	if unavailable.RetryAfter < time.Second {
		t.Errorf("to try again after %v is too soon", unavailable.RetryAfter)
	}
	wantSilent(t, err, token)
	return unavailable
}
