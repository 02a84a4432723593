package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"souk/build/document"
)

// An Error is a Problem for the client, and its cause for the log. The code determines the
// status.
type Error struct {
	// Code is one of the codes of package document.
	Code string
	// Detail tells people what is wrong and how to fix it.
	Detail string
	// Fields are the errors in individual fields.
	Fields []document.FieldError
	// Header is added to the answer.
	Header http.Header
	// RetryAfter is in seconds; 0 sends none.
	RetryAfter int
	// Cache is set for answers that may be cached; the zero value means no-store.
	Cache document.Cache
	// Cause is logged and never sent.
	Cause error

	// body is sent instead of a Problem made from the fields above; it is a page if page is
	// set.
	body []byte
	page bool
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %v", e.Code, e.Cause)
	}
	return e.Code + ": " + e.Detail
}

func (e *Error) Unwrap() error { return e.Cause }

func notFound() *Error {
	return &Error{
		Code: document.CodeNotFound, Cache: document.ErrorCache,
		Detail: document.NotFoundDetail,
	}
}

// gone is the answer at every address of a removed seller: the body of the stub.
func gone() *Error {
	return &Error{Code: document.CodeRemoved, Cache: document.ErrorCache, body: document.GoneBody()}
}

// unavailable is the answer if the server is at fault.
func unavailable(cause error) *Error {
	return &Error{
		Code: document.CodeUnavailable, RetryAfter: 2, Cause: cause,
		Detail: document.UnavailableDetail,
	}
}

// public returns the Error to send for any error.
func public(err error) *Error {
	var known *Error
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &tooLong):
		return &Error{
			Code: document.CodeBodyTooLarge, Cause: err,
			Detail: fmt.Sprintf("The body is longer than %d bytes.", tooLong.Limit),
		}
	default:
		return unavailable(err)
	}
}

// answering turns a Handler into an http.Handler. It is the only place where errors become
// answers.
func answering(log *slog.Logger, h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		if err == nil {
			return
		}
		e := public(err)
		if e.Cause != nil {
			log.Log(r.Context(), e.level(r), "request failed", "id", w.Header().Get(idHeader), "code", e.Code, "cause", e.Cause)
		}
		e.write(w, log)
	})
}

// level returns a lower level for client errors and disconnections than for server errors.
func (e *Error) level(r *http.Request) slog.Level {
	if e.status() < http.StatusInternalServerError || errors.Is(r.Context().Err(), context.Canceled) {
		return slog.LevelInfo
	}
	return slog.LevelError
}

// status returns the code's status; an unknown code counts as a server error.
func (e *Error) status() int {
	return cmp.Or(document.ProblemStatus(e.Code), http.StatusServiceUnavailable)
}

func (e *Error) write(w http.ResponseWriter, log *slog.Logger) {
	h := w.Header()
	for _, name := range []string{"ETag", "Content-Encoding", "Vary"} {
		h.Del(name)
	}
	for name, values := range e.Header {
		h[name] = values
	}
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	h.Set("Cache-Control", e.Cache.Header())
	status, body := e.status(), e.body
	if body == nil {
		var err error
		body, err = encoded(document.Problem{
			Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: e.Detail, Code: e.Code, Errors: e.Fields,
		})
		if err != nil {
			// A Problem contains only text and numbers, so this cannot fail.
			log.Error("encode a problem", "cause", err)
		}
	}
	mediaType := document.ProblemType
	if e.page {
		mediaType = document.ContentType(document.MissingFile)
	}
	send(w, status, mediaType, body)
}

// JSON answers with a value as JSON. It encodes the value completely before sending the
// first byte, so that no answer is cut off halfway. The Handler may set Cache-Control;
// otherwise the answer must not be stored.
func JSON(w http.ResponseWriter, status int, value any) error {
	body, err := encoded(value)
	if err != nil {
		return err
	}
	if w.Header().Get("Cache-Control") == "" {
		w.Header().Set("Cache-Control", document.Uncached.Header())
	}
	send(w, status, "application/json", body)
	return nil
}

func encoded(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return b.Bytes(), nil
}

// send writes a complete body. For HEAD, net/http drops the body.
func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// A client that disconnects is not a server error.
	_, _ = w.Write(body)
}

// Tagged answers with JSON that may be cached. tag is the ETag of the body, including its
// quotes.
func Tagged(w http.ResponseWriter, cache document.Cache, tag string, body []byte) {
	tagged(w, cache, tag, "application/json", body)
}

func tagged(w http.ResponseWriter, cache document.Cache, tag, mediaType string, body []byte) {
	h := w.Header()
	h.Set("Cache-Control", cache.Header())
	h.Set("ETag", tag)
	send(w, http.StatusOK, mediaType, body)
}
