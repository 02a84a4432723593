package oidc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

// Limits on the time and size of an issuer's answers.
const (
	askTimeout = 5 * time.Second
	maxAnswer  = 1 << 20
	maxKeys    = 100
)

// checkIssuer returns what is wrong with an issuer's identifier, or nil (OpenID
// Connect Core 1.0, section 1.2, "Issuer Identifier").
func checkIssuer(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.User != nil:
		return fmt.Errorf("--oidc-issuer %q is not a web address, as in https://login.example.com", text)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return fmt.Errorf("--oidc-issuer %q: an issuer's address must have no query and no fragment", text)
	case !trusted(u, true):
		return fmt.Errorf("--oidc-issuer %q must begin with https:// (http:// is for an issuer on this machine: http://127.0.0.1)", text)
	}
	return nil
}

// trusted reports whether an answer from an address must come from its owner: the address
// uses https or, if local is set, http on a loopback IP address. A name such as localhost
// resolves to whatever a resolver says.
func trusted(u *url.URL, local bool) bool {
	if u.Scheme == "https" {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && local && err == nil && ip.IsLoopback()
}

// A guard is the transport for requests to the issuer. It rejects untrusted addresses and
// limits the size of answers.
type guard struct{ local bool }

func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if !trusted(r.URL, g.local) {
		return nil, fmt.Errorf("%s is not https", r.URL.Redacted())
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{&limited{answer.Body, maxAnswer}, answer.Body}
	return answer, nil
}

// A limited reader fails at its limit instead of reporting the end of the input.
type limited struct {
	reader io.Reader
	left   int
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.reader.Read(p)
	if l.left -= n; l.left < 0 {
		return 0, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return n, err
}

// newClient returns the client for requests to an issuer.
func newClient(issuer string) *http.Client {
	u, err := url.Parse(issuer)
	return &http.Client{Transport: guard{local: err == nil && u.Scheme == "http"}, Timeout: askTimeout}
}

// A keySet is what an issuer published at one time: its keys and signing algorithms.
type keySet struct {
	keys       []jose.JSONWebKey
	algorithms []string
	at         time.Time
}

// ask fetches what an issuer publishes (OpenID Connect Discovery 1.0, section 4; RFC 7517,
// section 5).
func ask(ctx context.Context, client *http.Client, issuer string) (*keySet, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, client), askTimeout)
	defer cancel()
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return nil, fmt.Errorf("read its configuration: %w", shortError{err})
	}
	var published struct {
		Keys       string   `json:"jwks_uri"`
		Algorithms []string `json:"id_token_signing_alg_values_supported"`
	}
	if err := provider.Claims(&published); err != nil {
		return nil, fmt.Errorf("read its configuration: %w", shortError{err})
	}
	set := &keySet{algorithms: asymmetric(published.Algorithms)}
	if len(set.algorithms) == 0 {
		return nil, errors.New("it has no asymmetric signature algorithm, such as RS256")
	}
	if set.keys, err = readKeys(ctx, client, published.Keys); err != nil {
		return nil, fmt.Errorf("read its keys: %w", shortError{err})
	}
	return set, nil
}

// asymmetric returns only the algorithms for which published keys cannot sign. An issuer
// that names none uses RS256, which all must support.
func asymmetric(names []string) []string {
	if len(names) == 0 {
		return []string{oidc.RS256}
	}
	var kept []string
	for _, name := range names {
		switch name {
		case oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512,
			oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA:
			kept = append(kept, name)
		}
	}
	return kept
}

func readKeys(ctx context.Context, client *http.Client, address string) (keys []jose.JSONWebKey, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", address, answer.Status)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&set); err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		// Keys of unknown types are skipped (RFC 7517, section 5), and so are secret and
		// private keys, which must not be published at all.
		if json.Unmarshal(raw, &key) != nil || !key.Valid() || !key.IsPublic() || key.Use != "" && key.Use != "sig" {
			continue
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 || len(keys) > maxKeys {
		return nil, fmt.Errorf("%s has %d public keys for signatures, not 1 to %d", address, len(keys), maxKeys)
	}
	return keys, nil
}
