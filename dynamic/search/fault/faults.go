package fault

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"souk/build/document"
	"souk/build/kit/problem"
)

// The codes of FieldErrors.
const (
	Invalid        = "invalid"
	Unknown        = "unknown-value"
	codeOutOfRange = "out-of-range"
	TooLong        = "too-long"
	TooMany        = "too-many"
	Required       = "required"
)

// MaxValues is the maximum number of values of one filter.
const MaxValues = 100

// LongestHinted is the maximum length of a value for which a correction is suggested.
const LongestHinted = 200

// Meant adds the option that was probably meant to a message.
func Meant(message, value string, options []string) string {
	if len(options) == 1 && options[0] != "" {
		return fmt.Sprintf("%s (did you mean %q?)", message, options[0])
	}
	if len(value) > LongestHinted {
		return message
	}
	if hint := problem.Nearest(value, options); hint != "" {
		return message + " (" + hint + ")"
	}
	return message
}

type Add func(field, code, format string, args ...any)

func CheckText(typed string, most int, add Add) {
	switch {
	case !utf8.ValidString(typed):
		add("q", Invalid, "this is not UTF-8")
	case strings.ContainsRune(typed, 0):
		add("q", Invalid, "this contains a NUL character")
	case utf8.RuneCountInString(typed) > most:
		add("q", TooLong, "this has %d characters: at most %d are read", utf8.RuneCountInString(typed), most)
	}
}

func CheckRange(field string, value, least, most int, add Add) {
	if value < least || value > most {
		add(field, codeOutOfRange, "this is out of range: choose from %d to %d", least, most)
	}
}

// An Error lists the invalid values of a request.
type Error struct{ Errors []document.FieldError }

func (e *Error) Error() string { return e.Errors[0].Field + ": " + e.Errors[0].Message }
