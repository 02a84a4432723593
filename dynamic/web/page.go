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

// WithPage makes the error answer with a page instead of a Problem. The status is still
// determined by the code.
func (e *Error) WithPage(body []byte) *Error {
	e.body, e.page = body, true
	return e
}

// Page answers with a page. If the status is 200, the page may be cached as cache says,
// with the digest of its bytes as ETag; any other answer must not be stored.
func Page(w http.ResponseWriter, status int, cache document.Cache, body []byte) {
	if status != http.StatusOK {
		w.Header().Set("Cache-Control", document.Uncached.Header())
		send(w, status, document.ContentType(document.SearchFile), body)
		return
	}
	tagged(w, cache, Digest(body), document.ContentType(document.SearchFile), body)
}

// Digest returns an ETag that depends only on the bytes of a body, including its quotes.
func Digest(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// paged adds a page to errors of a Handler outside the API that have none: the page for
// removed or for missing addresses.
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

// formType is the media type of a form that a page sends without a script (HTML,
// 4.10.22.6). Pages of other sites can send it too, without asking the user, so callers of
// Form must check the Origin first.
const formType = "application/x-www-form-urlencoded"

// Form reads a body sent by a page's form, like Fields reads JSON. It fails with an *Error:
// 415 for any other media type and for any content coding, 400 for a body that is not a
// form in UTF-8 or repeats a field, 422 for a field that is not in names.
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
		return nil, &Error{Code: document.CodeInvalidBody, Detail: "The body is incomplete.", Cause: err}
	}
	values, err := url.ParseQuery(string(data))
	if err != nil {
		return nil, &Error{Code: document.CodeInvalidBody, Detail: "The body is not a form."}
	}
	fields := make(map[string]string, len(values))
	for name, all := range values {
		switch {
		case !slices.Contains(names, name):
			return nil, &Error{Code: document.CodeInvalidField, Detail: "The form has an unknown field:  " + strings.Join(names, ", ") + "."}
		case len(all) != 1 || !utf8.ValidString(all[0]):
			return nil, &Error{Code: document.CodeInvalidBody, Detail: "A field of the form appears twice, or is not UTF-8."}
		}
		fields[name] = all[0]
	}
	return fields, nil
}
