package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"souk/build/document"
)

// WithPage makes the error answer with a page instead of a Problem. The status
// stays that of the code.
func (e *Error) WithPage(body []byte) *Error {
	e.body, e.page = body, true
	return e
}

// Page answers with a page. One of 200 may be kept as cache says, under the digest
// of its bytes as ETag; any other must not be stored.
func Page(w http.ResponseWriter, status int, cache document.Cache, body []byte) {
	if status != http.StatusOK {
		w.Header().Set("Cache-Control", document.Uncached.Header())
		send(w, status, document.ContentType(document.SearchFile), body)
		return
	}
	sum := sha256.Sum256(body)
	tagged(w, cache, `"`+hex.EncodeToString(sum[:12])+`"`, document.ContentType(document.SearchFile), body)
}

// paged gives what a Handler outside the API refuses without a page the page of
// what is gone, or of where nothing is.
func (t *tree) paged(h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		var known *Error
		switch {
		case !errors.As(err, &known) || known.body != nil:
			return err
		case known.Code == document.CodeRemoved:
			return t.page(known, document.RemovedFile)
		case known.Code == document.CodeNotFound:
			return t.page(known, document.MissingFile)
		}
		return err
	}
}

// formType is the media type in which a page sends a form without a script (HTML,
// 4.10.22.6). Pages of other sites can send it too, without asking: whoever calls
// Form has checked the Origin.
const formType = "application/x-www-form-urlencoded"

// Form reads a body that a page's form sent, as Fields reads JSON: with an *Error of
// 415 for any other media type and any content coding, of 400 for what is no form in UTF-8 or names a
// field twice, of 422 for a field not among names.
func Form(r *http.Request, names ...string) (map[string]string, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != formType {
		return nil, &Error{Code: document.CodeUnsupportedMediaType, Detail: "Send the form as " + formType + "."}
	}
	if err := uncoded(r); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		if errors.As(err, new(*http.MaxBytesError)) {
			return nil, public(err)
		}
		return nil, &Error{Code: document.CodeInvalidBody, Detail: "The body broke off.", Cause: err}
	}
	values, err := url.ParseQuery(string(data))
	if err != nil {
		return nil, &Error{Code: document.CodeInvalidBody, Detail: "The body is no form."}
	}
	fields := make(map[string]string, len(values))
	for name, all := range values {
		switch {
		case !slices.Contains(names, name):
			return nil, &Error{Code: document.CodeInvalidField, Detail: "The form has a field that is not known: " + strings.Join(names, ", ") + "."}
		case len(all) != 1 || !utf8.ValidString(all[0]):
			return nil, &Error{Code: document.CodeInvalidBody, Detail: "A field of the form stands twice, or is not UTF-8."}
		}
		fields[name] = all[0]
	}
	return fields, nil
}
