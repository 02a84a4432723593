package verification

import (
	"fmt"
	"strings"
	"time"
)

// A Code tells programs what is wrong: one of the contract's.
type Code string

// The codes of this package; section 7 of the contract has their statuses.
const (
	CodeInvalidField   Code = "invalid-field"
	CodeDomainMismatch Code = "email-domain-mismatch"
	// CodeNoDomain: the seller has no official domain, so no mailbox proves anything.
	CodeNoDomain Code = "no-official-domain"
	// CodeNotFound: there is no such public seller, token or removal.
	CodeNotFound Code = "not-found"
	// CodeVerificationNotFound covers an unknown request and a wrong token
	// alike.
	CodeVerificationNotFound Code = "verification-not-found"
	CodeVerificationUsed     Code = "verification-used"
	CodeVerificationExpired  Code = "verification-expired"
	CodeAlreadyClaimed       Code = "already-claimed"
	CodeRemoved              Code = "removed"
	CodeRateLimited          Code = "rate-limited"
	CodeUnauthenticated      Code = "unauthenticated"
)

// What is wrong with a field.
const (
	FaultRequired = "required"
	FaultTooLong  = "too-long"
	FaultInvalid  = "invalid"
	FaultReused   = "reused"
	FaultMismatch = "mismatch"
)

// A FieldFault is one fault of a request's field, by its JSON name, or of a
// header, by its name.
type FieldFault struct{ Field, Code, Message string }

// An Error is returned where the request is at fault; any other error is a
// fault of ours or of the ledger.
type Error struct {
	Code Code
	// Detail tells the public what is wrong and how to mend it.
	Detail string
	// Fields are the individual faults, if any.
	Fields []FieldFault
	// RetryAfter is how long to wait after CodeRateLimited: whole seconds, at
	// least one.
	RetryAfter time.Duration
	// Cause is for the log; it contains no address, token or link.
	Cause error
}

// Error is for the log.
func (e *Error) Error() string {
	text := string(e.Code)
	for _, f := range e.Fields {
		text += " " + f.Field + ":" + f.Code
	}
	if e.Cause != nil {
		return fmt.Sprintf("%s: %v", text, e.Cause)
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is makes errors.Is(err, &Error{Code: c}) compare the code alone.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

func invalid(faults ...FieldFault) *Error {
	names := make([]string, 0, len(faults))
	for _, f := range faults {
		names = append(names, f.Field)
	}
	return &Error{Code: CodeInvalidField, Detail: "Check " + strings.Join(names, " and ") + ".", Fields: faults}
}

func notFound() *Error {
	return &Error{Code: CodeNotFound, Detail: "There is no such company here."}
}

// removed names no company and no person, like the contract's 410.
func removed() *Error {
	return &Error{Code: CodeRemoved, Detail: "What stood at this address was removed."}
}

func unknown(cause string) *Error {
	return &Error{
		Code:   CodeVerificationNotFound,
		Detail: "This link is not valid. Use the newest mail, and the whole link.",
		Cause:  fmt.Errorf("%s", cause),
	}
}

func used() *Error {
	return &Error{Code: CodeVerificationUsed, Detail: "This link was used already. It works once."}
}

func expired() *Error {
	return &Error{Code: CodeVerificationExpired, Detail: "This link has expired. Ask again to get a new one."}
}

func noDomain() *Error {
	return &Error{
		Code:   CodeNoDomain,
		Detail: "The company has no official domain on record, so this cannot be proved by mail. Write to the people who run this marketplace.",
	}
}

func mismatch() *Error {
	const message = "the address has to be on the company's official domain itself, not on another or one below it"
	return &Error{
		Code: CodeDomainMismatch, Detail: "The e-mail address is not on the company's official domain.",
		Fields: []FieldFault{{"requesterEmail", FaultInvalid, message}},
	}
}
