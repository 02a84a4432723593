package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"souk/build/document"
)

// DefaultTimeout is how long one answer may take. A query never comes near it
// on a machine that is not overloaded.
const DefaultTimeout = 2 * time.Second

// A Handler answers over HTTP. The methods that give an error have written
// nothing then but headers, and leave it to their caller to answer; the others
// answer every error with its Problem.
type Handler struct {
	// Live is what is asked.
	Live *Live
	// Timeout is that of one answer; 0 is DefaultTimeout.
	Timeout time.Duration
	// Log is told of what went wrong inside; nil for nobody.
	Log *slog.Logger
}

// Search answers GET and HEAD of /marketplace/listings/search.
func (h *Handler) Search(w http.ResponseWriter, r *http.Request) { h.serve(w, r, h.TrySearch) }

// Suggest answers GET and HEAD of /marketplace/search/suggestions.
func (h *Handler) Suggest(w http.ResponseWriter, r *http.Request) { h.serve(w, r, h.TrySuggest) }

// TrySearch is Search for a caller that answers errors itself: those of
// ParseQuery and Live.Search.
func (h *Handler) TrySearch(w http.ResponseWriter, r *http.Request) error {
	return h.answer(w, r, func(ctx context.Context, b []byte) ([]byte, error) {
		q, err := ParseQuery(r.URL.RawQuery)
		if err != nil {
			return nil, err
		}
		result, err := h.Live.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		return appendResult(b, result)
	})
}

// TrySuggest is Suggest for a caller that answers errors itself: those of
// ParseSuggestQuery and Live.Suggest.
func (h *Handler) TrySuggest(w http.ResponseWriter, r *http.Request) error {
	return h.answer(w, r, func(ctx context.Context, b []byte) ([]byte, error) {
		q, err := ParseSuggestQuery(r.URL.RawQuery)
		if err != nil {
			return nil, err
		}
		s, err := h.Live.Suggest(ctx, q)
		if err != nil {
			return nil, err
		}
		return appendValue(b, s)
	})
}

func (h *Handler) serve(w http.ResponseWriter, r *http.Request, try func(http.ResponseWriter, *http.Request) error) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD, OPTIONS")
		h.problem(w, r, document.CodeMethodNotAllowed, "This address only reads.", nil)
		return
	}
	if err := try(w, r); err != nil {
		h.fail(w, r, err)
	}
}

func (h *Handler) answer(w http.ResponseWriter, r *http.Request, ask func(context.Context, []byte) ([]byte, error)) error {
	ctx, cancel := context.WithTimeout(r.Context(), cmp.Or(h.Timeout, DefaultTimeout))
	defer cancel()
	// The tag is taken before the answer is: a swap in between makes an answer
	// younger than its tag, which costs one more request and never a stale one.
	tag := h.Live.tag(r.URL.Path, r.URL.RawQuery)
	body, err := ask(ctx, nil)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Cache-Control", document.SearchCache.Header())
	header.Set("ETag", tag)
	if matchesTag(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.send(w, r, "application/json", http.StatusOK, append(body, '\n'))
	return nil
}

func (h *Handler) send(w http.ResponseWriter, r *http.Request, contentType string, status int, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // whoever asked has gone
	}
}

// fail answers an error with its Problem. Inner errors are logged, not told.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	var invalid *InvalidError
	if errors.As(err, &invalid) {
		w.Header().Set("Cache-Control", document.ErrorCache.Header())
		h.problem(w, r, document.CodeInvalidParameter, "A parameter is not what it should be.", invalid.Errors)
		return
	}
	if r.Context().Err() == nil && h.Log != nil {
		h.Log.Error("search failed", "error", err)
	}
	w.Header().Set("Retry-After", "1")
	h.problem(w, r, document.CodeUnavailable, "Search cannot answer now.", nil)
}

func (h *Handler) problem(w http.ResponseWriter, r *http.Request, code, detail string, faults []document.FieldError) {
	if w.Header().Get("Cache-Control") == "" {
		w.Header().Set("Cache-Control", "no-store")
	}
	status := document.ProblemStatus(code)
	body, err := json.Marshal(document.Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Code: code, Errors: faults,
	})
	if err != nil {
		body = nil // a struct of text does not fail
	}
	h.send(w, r, document.ProblemType, status, body)
}

// tag gives the strong ETag of an answer: the same release, the same sellers
// withheld and the same request give the same bytes.
func (l *Live) tag(path, query string) string {
	sum := sha256.New()
	if x := l.Current(); x != nil {
		sum.Write([]byte(schema + "\n" + x.release + "\n"))
	}
	if set := l.withheld.load(); set != nil {
		sum.Write([]byte(set.version))
	}
	sum.Write([]byte("\n" + path + "\n" + query))
	return `"` + hex.EncodeToString(sum.Sum(nil)[:12]) + `"`
}

// matchesTag tells whether a list of ETags has one, by the weak comparison that
// If-None-Match asks for (RFC 9110, section 13.1.2).
func matchesTag(list, tag string) bool {
	for _, one := range strings.Split(list, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}
