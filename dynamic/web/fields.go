package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"souk/build/document"
)

// Fields reads a body that is one JSON object of text fields, and returns them by name;
// missing fields are absent. It fails with an *Error: 415 for any media type but
// application/json in UTF-8 and for any content coding, 400 for anything but such an
// object, 422 for a field that is not in names.
func Fields(r *http.Request, names ...string) (map[string]string, error) {
	if err := isJSON(r.Header.Get("Content-Type")); err != nil {
		return nil, err
	}
	if err := uncoded(r); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		if errors.As(err, new(*http.MaxBytesError)) {
			return nil, err
		}
		return nil, badBody("The body is incomplete.", err)
	}
	if !utf8.Valid(data) {
		return nil, badBody("The body is not UTF-8.", nil)
	}
	members, err := object(data)
	if err != nil {
		return nil, err
	}
	var unknown []document.FieldError
	fields := make(map[string]string, len(members))
	for _, m := range members {
		if !slices.Contains(names, m.name) {
			unknown = append(unknown, document.FieldError{
				Field: short(m.name), Code: "unknown", Message: "there is no such field; the fields are " + strings.Join(names, ", "),
			})
			continue
		}
		var text *string
		if json.Unmarshal(m.value, &text) != nil || text == nil {
			return nil, badBody("The field "+m.name+" is not text.", nil)
		}
		if broken(m.value) {
			return nil, badBody("The field "+m.name+" has an unpaired surrogate.", nil)
		}
		if _, twice := fields[m.name]; twice {
			return nil, badBody("The field "+m.name+" appears twice.", nil)
		}
		fields[m.name] = *text
	}
	if len(unknown) > 0 {
		return nil, &Error{Code: document.CodeInvalidField, Detail: "The body has an unknown field.", Fields: unknown}
	}
	return fields, nil
}

func badBody(detail string, cause error) *Error {
	return &Error{Code: document.CodeInvalidBody, Detail: detail + " Send one JSON object, as described in the OpenAPI document.", Cause: cause}
}

// isJSON rejects every other media type: forms on other sites, which browsers send without
// asking the user, can only use other types.
func isJSON(contentType string) error {
	kind, parameters, err := mime.ParseMediaType(contentType)
	charset := parameters["charset"]
	if err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return &Error{Code: document.CodeUnsupportedMediaType, Detail: "Send the body as application/json."}
	}
	return nil
}

// uncoded rejects a body with a content coding. Otherwise a body would be accepted that
// claims a coding it does not have (RFC 9110, section 15.5.16).
func uncoded(r *http.Request) error {
	coding := strings.Join(r.Header.Values("Content-Encoding"), ",")
	if coding == "" || strings.EqualFold(coding, "identity") {
		return nil
	}
	return &Error{
		Code: document.CodeUnsupportedMediaType, Detail: "Send the body without a Content-Encoding.",
		Header: http.Header{"Accept-Encoding": {"identity"}},
	}
}

// broken reports whether a JSON text contains half of a surrogate pair, which is not a
// character and which the decoder would replace silently.
func broken(text json.RawMessage) bool {
	unit := func(at int) rune {
		if !bytes.HasPrefix(text[at:], []byte(`\u`)) {
			return 0
		}
		n, _ := strconv.ParseUint(string(text[at+2:at+6]), 16, 16) // the decoder has accepted these digits
		return rune(n)
	}
	for at := 0; at < len(text); at++ {
		if text[at] != '\\' {
			continue
		}
		first := unit(at)
		switch {
		case first == 0:
			at++ // skip the escaped character, which may be a backslash
		case !utf16.IsSurrogate(first):
			at += 5
		case utf16.DecodeRune(first, unit(at+6)) != unicode.ReplacementChar:
			at += 11
		default:
			return true
		}
	}
	return false
}

// A member is one member of an object, with any JSON as its value.
type member struct {
	name  string
	value json.RawMessage
}

// object reads one JSON object, and fails if anything follows it.
func object(data []byte) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, badBody("The body is not a JSON object.", nil)
	}
	var members []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, badBody("The body is not JSON.", nil)
		}
		m := member{name: fmt.Sprint(name)}
		if err := d.Decode(&m.value); err != nil {
			return nil, badBody("The body is not JSON.", nil)
		}
		members = append(members, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, badBody("The body is not JSON.", nil)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, badBody("There is something after the JSON object.", nil)
	}
	return members, nil
}
