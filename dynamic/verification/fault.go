package verification

import (
	"fmt"
	"strings"
	"time"
)

// A Code tells programs what is wrong. The codes are those of the contract.
type Code string

// The codes of this package; section 7 of the contract defines their statuses.
const (
	CodeInvalidField   Code = "invalid-field"
	CodeDomainMismatch Code = "email-domain-mismatch"
	// CodeNoDomain means that the seller has no official domain, so no mailbox can prove
	// anything.
	CodeNoDomain Code = "no-official-domain"
	// CodeNotFound means that there is no such public seller, token or removal.
	CodeNotFound Code = "not-found"
	// CodeVerificationNotFound means an unknown request or a wrong token, without saying
	// which.
	CodeVerificationNotFound Code = "verification-not-found"
	CodeVerificationUsed     Code = "verification-used"
	CodeVerificationExpired  Code = "verification-expired"
	CodeAlreadyClaimed       Code = "already-claimed"
	CodeRemoved              Code = "removed"
	CodeRateLimited          Code = "rate-limited"
	CodeUnauthenticated      Code = "unauthenticated"
)

// What may be wrong with a field.
const (
	FaultRequired = "required"
	FaultTooLong  = "too-long"
	FaultInvalid  = "invalid"
	FaultReused   = "reused"
	FaultMismatch = "mismatch"
)

// A FieldFault is an error in a request's field, given by its JSON name, or in a header,
// given by its name.
type FieldFault struct{ Field, Code, Message string }

// An Error is returned if the request is at fault; all other errors are server or ledger
// errors.
type Error struct {
	Code Code
	// Detail tells the public what is wrong and how to fix it.
	Detail string
	// Fields are the errors in individual fields, if any.
	Fields []FieldFault
	// RetryAfter is how long to wait after CodeRateLimited, in whole seconds; at least one.
	RetryAfter time.Duration
	// Cause is for the log; it contains no address, token or link.
	Cause error
}

// Error returns a text for the log.
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

// Is makes errors.Is(err, &Error{Code: c}) compare only the code.
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
	return &Error{Code: CodeNotFound, Detail: "There is no such company."}
}

// removed returns an error that names no company and no person, like the contract's 410.
func removed() *Error {
	return &Error{Code: CodeRemoved, Detail: "This was removed."}
}

func unknown(cause string) *Error {
	return &Error{
		Code:   CodeVerificationNotFound,
		Detail: "This link is not valid. Use the whole link from the newest email.",
		Cause:  fmt.Errorf("%s", cause),
	}
}

func used() *Error {
	return &Error{Code: CodeVerificationUsed, Detail: "This link has already been used. It works only once."}
}

func expired() *Error {
	return &Error{Code: CodeVerificationExpired, Detail: "This link has expired. Ask again to get a new one."}
}

func noDomain() *Error {
	return &Error{
		Code:   CodeNoDomain,
		Detail: "The company has no official domain, so it cannot confirm requests by email. Please write to the operator of this marketplace.",
	}
}

func mismatch() *Error {
	const message = "the address must be on the company's official domain itself, not on another domain or a subdomain"
	return &Error{
		Code: CodeDomainMismatch, Detail: "The e-mail address is not on the company's official domain.",
		Fields: []FieldFault{{"requesterEmail", FaultInvalid, message}},
	}
}
