package oidc_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"souk/dynamic/verification/oidc"
)

func TestNewKeysWorkAtOnceAndWithdrawnOnesStopWorking(t *testing.T) {
	old, fresh := ecKey(t, "old"), ecKey(t, "new")
	i := newIssuer(t, old)
	a := i.authenticator(t)
	wantWorkspace(t, a, i.token(old, nil))
	i.publish(old, fresh)
	i.pass(10 * time.Second)
	wantWorkspace(t, a, i.token(fresh, nil))
	wantWorkspace(t, a, i.token(old, nil))
	i.publish(fresh)
	i.pass(5*time.Minute - time.Second)
	wantWorkspace(t, a, i.token(old, nil))
	i.pass(time.Second)
	wantInvalid(t, a, i.token(old, nil), "not publish")
	wantWorkspace(t, a, i.token(fresh, nil))
}

func TestForgedTokensDoNotFloodTheIssuer(t *testing.T) {
	k := ecKey(t, "one")
	i := newIssuer(t, k)
	a := i.authenticator(t)
	for n := range 200 {
		wantInvalid(t, a, i.token(ecKey(t, fmt.Sprint("forged-", n)), nil), "not publish")
	}
	if n := i.asked.Load(); n != 1 {
		t.Errorf("the issuer was asked %d times, want once", n)
	}
	i.pass(10 * time.Second)
	for n := range 20 {
		wantInvalid(t, a, i.token(ecKey(t, fmt.Sprint("forged-", n)), nil), "not publish")
	}
	if n := i.asked.Load(); n != 2 {
		t.Errorf("the issuer was asked %d times, want twice", n)
	}
	wantWorkspace(t, a, i.token(k, nil))
}

func TestMalformedTokensNeverReachTheIssuer(t *testing.T) {
	i := newIssuer(t, ecKey(t, "one"))
	a := i.authenticator(t)
	wantInvalid(t, a, "garbage", "not a JWT")
	wantInvalid(t, a, "souk_abcdefghijklmnopqrstuvwxyz", "not a JWT")
	if n := i.asked.Load(); n != 0 {
		t.Errorf("the issuer was asked %d times", n)
	}
}

func TestUnavailableIssuerIsRetriedWithBackoff(t *testing.T) {
	k := ecKey(t, "one")
	i := newIssuer(t, k)
	i.answers(down)
	a := i.authenticator(t)
	token := i.token(k, nil)
	for n, pause := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second} {
		if got := wantUnavailable(t, a, token).RetryAfter; got != pause {
			t.Errorf("failure %d: try again after %v, want %v", n+1, got, pause)
		}
		i.pass(pause - time.Millisecond)
		wantUnavailable(t, a, token)
		if asked := i.asked.Load(); asked != int64(n+1) {
			t.Fatalf("the issuer was asked %d times, want %d", asked, n+1)
		}
		i.pass(time.Millisecond)
	}
	i.answers(nil)
	wantWorkspace(t, a, token)
}

func TestKeysWorkForADayWhileTheIssuerIsDown(t *testing.T) {
	k := ecKey(t, "one")
	i := newIssuer(t, k)
	a := i.authenticator(t)
	token := i.token(k, map[string]any{"exp": i.clock().Add(100 * time.Hour).Unix()})
	wantWorkspace(t, a, token)
	i.answers(down)
	i.pass(time.Hour)
	wantWorkspace(t, a, token)
	wantInvalid(t, a, token[:len(token)-4]+"AAAA", "signature is wrong")
	wantUnavailable(t, a, i.token(ecKey(t, "perhaps-new"), nil))
	i.pass(23 * time.Hour)
	wantWorkspace(t, a, token)
	i.pass(time.Second)
	wantUnavailable(t, a, token)
}

func TestCallersMayStopWaitingForASlowIssuer(t *testing.T) {
	k := ecKey(t, "one")
	i := newIssuer(t, k)
	release, arrived := make(chan struct{}), make(chan struct{}, 1)
	i.answers(func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		down(w, nil)
	})
	a := i.authenticator(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	_, err := a.Authenticate(ctx, i.token(k, nil))
	var unavailable *oidc.UnavailableError
	if !errors.As(err, &unavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the issuer is not available", err)
	}
	// The pending request continues for other callers: the next one uses its answer, or the
	// answer to one more request a second later.
	i.answers(nil)
	close(release)
	for range 2 {
		i.pass(time.Second)
		_, err = a.Authenticate(t.Context(), i.token(k, nil))
	}
	if err != nil {
		t.Error(err)
	}
}

func TestInvalidIssuerAnswersAreUnavailable(t *testing.T) {
	k := ecKey(t, "one")
	text := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(body))
		}
	}
	tests := []struct {
		name   string
		answer func(i *issuer) http.HandlerFunc
		cause  string
	}{
		{"another issuer", func(*issuer) http.HandlerFunc { return text(`{"issuer":"https://evil.example"}`) }, "did not match"},
		{"no JSON", func(*issuer) http.HandlerFunc { return text(`<html>`) }, "decode"},
		{"no end", func(*issuer) http.HandlerFunc { return text(strings.Repeat(" ", 2<<20)) }, "more than 1048576 bytes"},
		{"only symmetric algorithms", func(i *issuer) http.HandlerFunc {
			return text(`{"issuer":"` + i.url + `","id_token_signing_alg_values_supported":["HS256","none"]}`)
		}, "no asymmetric signature algorithm"},
		{"no keys", func(i *issuer) http.HandlerFunc {
			return text(`{"issuer":"` + i.url + `","jwks_uri":"` + i.url + `/keys"}`)
		}, "0 public keys"},
		{"keys over plain http", func(i *issuer) http.HandlerFunc {
			return text(`{"issuer":"` + i.url + `","jwks_uri":"http://keys.example/"}`)
		}, "is not https"},
		{"a way to plain http", func(*issuer) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://evil.example/", http.StatusFound)
			}
		}, "is not https"},
		{"a secret key", func(i *issuer) http.HandlerFunc {
			return text(`{"issuer":"` + i.url + `","jwks_uri":"` + i.url + `/keys","keys":[{"kty":"oct","kid":"one","k":"AAAA"}]}`)
		}, "0 public keys"},
		{"a long complaint", func(*issuer) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, strings.Repeat("é", 1000), http.StatusInternalServerError)
			}
		}, "500"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			i := newIssuer(t, k)
			i.answers(test.answer(i))
			err := wantUnavailable(t, i.authenticator(t), i.token(k, nil))
			if text := err.Error(); !strings.Contains(text, test.cause) || len(text) > 500 {
				t.Errorf("the cause is %q, want %q", text, test.cause)
			}
		})
	}
}
