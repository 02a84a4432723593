package oidc

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// How long published keys are used, and how often the issuer is asked.
const (
	// freshFor limits how long a key works after the issuer revoked it.
	freshFor = 5 * time.Minute
	// keptFor is how long keys are used while the issuer does not answer.
	keptFor = 24 * time.Hour
	// askStep is the minimum time between two requests for an unknown key.
	askStep = 10 * time.Second
	// After failures the pause doubles from firstPause to longestPause.
	firstPause, longestPause = time.Second, 30 * time.Second
)

// A keySource stores what the issuer last published and fetches newer keys.
type keySource struct {
	issuer string
	client *http.Client
	now    func() time.Time

	mu     sync.Mutex
	latest *keySet
	// asked is when the issuer was last asked; answered is when it last answered.
	asked    time.Time
	failure  error
	failures int
	// asking is closed once the pending request is answered.
	asking chan struct{}
}

func newKeySource(c Config) *keySource {
	return &keySource{issuer: c.Issuer, client: newClient(c.Issuer), now: c.Now}
}

// current returns the keys to validate with. It returns old keys only if the issuer does
// not answer.
func (s *keySource) current(ctx context.Context) (*keySet, error) {
	return s.get(ctx, func(k *keySet, now time.Time) bool { return now.Sub(k.at) < freshFor }, s.pause)
}

// newer returns keys published after the given ones, or the given ones if the issuer was
// asked a moment ago. It fails if the issuer did not answer, since the key may be new.
func (s *keySource) newer(ctx context.Context, than *keySet) (*keySet, error) {
	step := func() time.Duration { return max(askStep, s.pause()) }
	k, err := s.get(ctx, func(k *keySet, _ time.Time) bool { return k != than }, step)
	if err != nil || k != than {
		return k, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil {
		return nil, s.unavailable(s.failure)
	}
	return k, nil
}

// pause returns the minimum time between two requests.
func (s *keySource) pause() time.Duration {
	if s.failures == 0 {
		return 0
	}
	return min(firstPause<<min(s.failures-1, 10), longestPause)
}

// get returns the latest keys if do accepts them. Otherwise it asks the issuer, unless the
// last request is too recent. If that does not help, it returns the latest keys as long as
// they may be used.
func (s *keySource) get(ctx context.Context, do func(*keySet, time.Time) bool, step func() time.Duration) (*keySet, error) {
	s.mu.Lock()
	now := s.now()
	if s.latest != nil && do(s.latest, now) {
		defer s.mu.Unlock()
		return s.latest, nil
	}
	if s.asking == nil && (s.asked.IsZero() || now.Sub(s.asked) >= step()) {
		s.asking, s.asked = make(chan struct{}), now
		// Everyone who waits shares the answer, so the request must not be canceled with
		// the caller that caused it. It has its own timeout.
		go s.ask(context.WithoutCancel(ctx), now)
	}
	asking := s.asking
	s.mu.Unlock()
	if asking != nil {
		select {
		case <-asking:
		case <-ctx.Done():
			return nil, &UnavailableError{Issuer: s.issuer, RetryAfter: firstPause, Cause: ctx.Err()}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.latest == nil || now.Sub(s.latest.at) > keptFor {
		return nil, s.unavailable(s.failure)
	}
	return s.latest, nil
}

func (s *keySource) ask(ctx context.Context, now time.Time) {
	set, err := ask(ctx, s.client, s.issuer)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure = err; err == nil {
		set.at = now
		s.latest, s.failures = set, 0
	} else {
		s.failures++
	}
	close(s.asking)
	s.asking = nil
}

func (s *keySource) unavailable(cause error) *UnavailableError {
	wait := s.pause() - s.now().Sub(s.asked)
	return &UnavailableError{Issuer: s.issuer, RetryAfter: max(wait.Round(time.Second), firstPause), Cause: cause}
}

// errUnknownKey means that no known key signed a token.
var errUnknownKey = errors.New("the key is unknown")

// A signature checks one token's signature for go-oidc, which distinguishes signature
// errors from others only by their text.
type signature struct {
	keys *keySet
	// payload is the signed content; fault is why the signature is invalid. At most one is
	// set.
	payload []byte
	fault   error
}

// VerifySignature returns the payload of a token if one of the keys signed it.
func (s *signature) VerifySignature(_ context.Context, token string) ([]byte, error) {
	s.payload, s.fault = s.verify(token)
	return s.payload, s.fault
}

func (s *signature) verify(token string) ([]byte, error) {
	algorithms := make([]jose.SignatureAlgorithm, 0, len(s.keys.algorithms))
	for _, name := range s.keys.algorithms {
		algorithms = append(algorithms, jose.SignatureAlgorithm(name))
	}
	jws, err := jose.ParseSignedCompact(token, algorithms)
	if err != nil {
		return nil, invalid("it is malformed, or signed in a way that the issuer does not use")
	}
	header := jws.Signatures[0].Protected
	if !isAccessToken(header.ExtraHeaders[jose.HeaderType]) {
		return nil, invalid("it is not an access token")
	}
	named := false
	for i := range s.keys.keys {
		key := &s.keys.keys[i]
		if header.KeyID != "" && key.KeyID != header.KeyID || key.Algorithm != "" && key.Algorithm != header.Algorithm {
			continue
		}
		if payload, err := jws.Verify(key); err == nil {
			return payload, nil
		}
		named = named || header.KeyID != ""
	}
	if named {
		return nil, invalid("its signature is wrong")
	}
	return nil, errUnknownKey
}

// isAccessToken reports whether a type is that of an access token (RFC 9068, section 2.1)
// or is absent. A token made for another use, such as logging somebody out, has a different
// type (RFC 8725, section 3.11).
func isAccessToken(kind any) bool {
	if kind == nil {
		return true
	}
	name, text := kind.(string)
	name = strings.TrimPrefix(strings.ToLower(name), "application/")
	return text && (name == "at+jwt" || name == "jwt")
}
