package oidc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/coreos/go-oidc/v3/oidc"
)

// DefaultWorkspaceClaim is the claim used if none is configured.
const DefaultWorkspaceClaim = "workspace"

// Config says whose tokens are accepted. Issuer and Audience are required.
type Config struct {
	// Issuer is the issuer's identifier, compared exactly: an https address, or an http
	// address of this machine by IP address.
	Issuer string
	// Audience must be among a token's audiences.
	Audience string
	// WorkspaceClaim is the top-level claim that names the workspace; default
	// DefaultWorkspaceClaim.
	WorkspaceClaim string
	// Now is the clock; default time.Now.
	Now func() time.Time
}

// An Authenticator validates access tokens. It is safe for concurrent use.
type Authenticator struct {
	config Config
	keys   *keySource
}

// New checks the Config. It does not contact the issuer before the first token, so that a
// server can start while the issuer is down.
func New(c Config) (*Authenticator, error) {
	if c.Issuer == "" {
		return nil, errors.New("an OpenID Connect issuer is missing: set --oidc-issuer")
	}
	if c.Audience == "" {
		return nil, errors.New("--oidc-issuer needs --oidc-audience: the audience that tokens for this server have")
	}
	if err := checkIssuer(c.Issuer); err != nil {
		return nil, err
	}
	c.WorkspaceClaim = cmp.Or(c.WorkspaceClaim, DefaultWorkspaceClaim)
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Authenticator{config: c, keys: newKeySource(c)}, nil
}

// Authenticate returns the workspace for which the bearer of a token acts. It fails with
// ErrInvalid if the token is not valid, and with an *UnavailableError if that cannot be
// decided now.
func (a *Authenticator) Authenticate(ctx context.Context, token string) (workspace string, err error) {
	if err := checkForm(token); err != nil {
		return "", err
	}
	keys, err := a.keys.current(ctx)
	if err != nil {
		return "", err
	}
	workspace, err = a.judge(ctx, token, keys)
	if !errors.Is(err, errUnknownKey) {
		return workspace, err
	}
	newer, err := a.keys.newer(ctx, keys)
	switch {
	case err != nil:
		return "", err
	case newer == keys:
		return "", invalid("it is signed with a key that the issuer did not publish")
	}
	workspace, err = a.judge(ctx, token, newer)
	if errors.Is(err, errUnknownKey) {
		err = invalid("it is signed with a key that the issuer does not publish")
	}
	return workspace, err
}

const maxToken = 16 << 10

// checkForm rejects everything that is not a JWT in compact form (RFC 7519, section 3)
// before the issuer is asked.
func checkForm(token string) error {
	if len(token) > maxToken {
		return invalid("it is too long")
	}
	for i := range len(token) {
		c := token[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return invalid("it is not a JWT")
		}
	}
	if strings.Count(token, ".") != 2 {
		return invalid("it is not a JWT")
	}
	return nil
}

// skew is how far the issuer's clock and this one may differ.
const skew = time.Minute

// claims maps the exact names of a token's claims to their values; encoding/json would
// match the fields of a struct regardless of case.
type claims map[string]json.RawMessage

// has reports whether a claim is a text, or a list that contains it (RFC 7519,
// section 4.1.3).
func (c claims) has(name, text string) bool {
	var one string
	var list []string
	if json.Unmarshal(c[name], &one) == nil {
		return one == text
	}
	return json.Unmarshal(c[name], &list) == nil && slices.Contains(list, text)
}

// moment parses a NumericDate (RFC 7519, section 2).
func (c claims) moment(name string) (time.Time, bool) {
	var seconds *float64
	if json.Unmarshal(c[name], &seconds) != nil || seconds == nil || math.Abs(*seconds) > 1<<40 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(*seconds * 1000)), true
}

// judge validates a token with the given keys. It fails with errUnknownKey if none of them
// signed it but an unknown one may have.
func (a *Authenticator) judge(ctx context.Context, token string, keys *keySet) (string, error) {
	signature := &signature{keys: keys}
	verifier := oidc.NewVerifier(a.config.Issuer, signature, &oidc.Config{
		ClientID: a.config.Audience, SupportedSigningAlgs: keys.algorithms,
		// The library allows no skew for exp and five minutes for nbf.
		SkipExpiryCheck: true,
	})
	_, err := verifier.Verify(ctx, token)
	switch {
	case signature.fault != nil:
		return "", signature.fault
	case signature.payload == nil:
		return "", invalid("it is malformed, or signed in a way that the issuer does not use")
	}
	var c claims
	if json.Unmarshal(signature.payload, &c) != nil {
		return "", invalid("its claims are malformed")
	}
	if err != nil {
		return "", a.reason(c)
	}
	if err := a.checkTimes(c); err != nil {
		return "", err
	}
	return a.workspace(c)
}

// reason returns why the library rejected a correctly signed token; the library's own text
// contains parts of the token.
func (a *Authenticator) reason(c claims) error {
	switch {
	case !c.has("iss", a.config.Issuer):
		return invalid("it names another issuer")
	case !c.has("aud", a.config.Audience):
		return invalid("it is for another audience")
	}
	return invalid("its claims are malformed")
}

func (a *Authenticator) checkTimes(c claims) error {
	now := a.config.Now()
	expiry, there := c.moment("exp")
	if !there {
		return invalid("it has no expiry time")
	}
	if !now.Before(expiry.Add(skew)) {
		return invalid("it has expired")
	}
	from, there := c.moment("nbf")
	if c["nbf"] != nil && (!there || now.Add(skew).Before(from)) {
		return invalid("it is not valid yet")
	}
	return nil
}

// maxWorkspace is the maximum length of a workspace's name, in characters.
const maxWorkspace = 200

// workspace returns the value of the workspace claim. It rejects lists, even of one: this
// server must not choose which of several workspaces is meant.
func (a *Authenticator) workspace(c claims) (string, error) {
	claim := a.config.WorkspaceClaim
	raw, there := c[claim]
	if !there {
		return "", invalid("it has no claim " + claim)
	}
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil {
		return "", invalid("its claim " + claim + " is not text")
	}
	name := *text
	switch {
	case name == "":
		return "", invalid("its claim " + claim + " is empty")
	case strings.TrimSpace(name) != name, utf8.RuneCountInString(name) > maxWorkspace,
		strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "", invalid("its claim " + claim + " is not a workspace name: 1 to 200 printable characters, without spaces at either end")
	}
	return name, nil
}
