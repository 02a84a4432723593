package verification

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// A Purpose is the only thing that a token can be used for.
type Purpose string

// The purposes of tokens.
const (
	ForClaim   Purpose = "claim"
	ForRemoval Purpose = "removal"
)

// A Token is a secret of 256 random bits, as base64url. Only Reveal returns its text.
type Token struct{ text string }

// Reveal returns the secret itself.
func (t Token) Reveal() string { return t.text }

// String hides the secret.
func (t Token) String() string { return "[token]" }

// GoString hides the secret.
func (t Token) GoString() string { return "[token]" }

// LogValue hides the secret.
func (t Token) LogValue() slog.Value { return slog.StringValue("[token]") }

// MarshalText hides the secret from encoders.
func (t Token) MarshalText() ([]byte, error) { return []byte("[token]"), nil }

// tokenBytes is 256 bits; tokenLength is their length in base64url without padding.
const (
	tokenBytes  = 32
	tokenLength = 43
)

func newToken(random io.Reader) (Token, error) {
	var b [tokenBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return Token{}, fmt.Errorf("read randomness for a token: %w", err)
	}
	return Token{base64.RawURLEncoding.EncodeToString(b[:])}, nil
}

// A Hash is what is stored of a secret: a SHA-256 in lower-case hexadecimal. The secrets
// are random, so salting or slow hashing would add nothing.
type Hash string

// hashOf hashes the parts with their lengths, so that no two lists of parts produce the
// same input.
func hashOf(parts ...string) Hash {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return Hash(hex.EncodeToString(h.Sum(nil)))
}

// tokenHash binds a token to its purpose and its Request.
func tokenHash(p Purpose, requestID, token string) Hash {
	return hashOf("souk verification", string(p), requestID, token)
}

// redeems reports whether a token belongs to the Request, in constant time. It compares the
// text rather than the decoded bits, so that a token has only one spelling.
func (r Request) redeems(token string) bool {
	got := tokenHash(r.Purpose, r.ID, token)
	same := 0
	for _, kept := range r.TokenHashes {
		same |= subtle.ConstantTimeCompare([]byte(got), []byte(kept))
	}
	return same == 1
}

// newID returns a record's id: sort, then 128 random bits in lower-case base32.
func newID(random io.Reader, sort string) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("read randomness for an id: %w", err)
	}
	return sort + "-" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:])), nil
}

// longestID is in bytes.
const longestID = 64

// isID reports whether text may be an id, so that the ledger is not asked otherwise.
func isID(text string) bool {
	if text == "" || len(text) > longestID {
		return false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
