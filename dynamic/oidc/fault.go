package oidc

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// ErrInvalid says that a token proves nothing: the answer is 401. Errors that
// wrap it tell the reason for the log, and hold nothing of the token.
var ErrInvalid = errors.New("the access token is not valid")

// An UnavailableError says that a token could not be judged, since the issuer
// does not answer or does not answer as it should: the answer is 503.
type UnavailableError struct {
	// Issuer is the one that was asked.
	Issuer string
	// RetryAfter is how long to wait; at least a second.
	RetryAfter time.Duration
	// Cause is for the log.
	Cause error
}

// Error is for the log.
func (e *UnavailableError) Error() string {
	return fmt.Sprintf("the OpenID Connect issuer %s cannot be asked: %v", e.Issuer, e.Cause)
}

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Cause }

func invalid(reason string) error { return fmt.Errorf("%w: %s", ErrInvalid, reason) }

// A shortError cuts the text of an error of a library, which may hold the whole
// body of an answer.
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
