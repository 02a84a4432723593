package oidc

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// ErrInvalid means that a token is not valid: the answer is 401. Errors that wrap it give
// the reason for the log and contain no part of the token.
var ErrInvalid = errors.New("the access token is not valid")

// An UnavailableError means that a token could not be validated because the issuer does not
// answer properly: the answer is 503.
type UnavailableError struct {
	// Issuer is the issuer's identifier.
	Issuer string
	// RetryAfter is how long to wait; at least a second.
	RetryAfter time.Duration
	// Cause is for the log.
	Cause error
}

// Error returns a text for the log.
func (e *UnavailableError) Error() string {
	return fmt.Sprintf("the OpenID Connect issuer %s does not answer: %v", e.Issuer, e.Cause)
}

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Cause }

func invalid(reason string) error { return fmt.Errorf("%w: %s", ErrInvalid, reason) }

// A shortError truncates a library's error text, which may contain a whole response body.
type shortError struct{ error }

const maxCause = 300

func (e shortError) Unwrap() error { return e.error }

func (e shortError) Error() string {
	text := e.error.Error()
	if len(text) <= maxCause {
		return text
	}
	end := maxCause
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
