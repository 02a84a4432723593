package searchapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"souk/build/document"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
	"souk/dynamic/web"
)

// answerTime limits the time of an answer. A query takes much less unless the machine is
// overloaded.
const answerTime = 2 * time.Second

// Handlers returns the Handlers of the search endpoints, by endpoint id.
func Handlers(live *search.Live) map[string]web.Handler {
	h := handler{live, answerTime}
	return map[string]web.Handler{document.SearchID: h.search, document.CompaniesID: h.companies, document.SuggestID: h.suggest}
}

type handler struct {
	live    *search.Live
	timeout time.Duration
}

// search serves GET and HEAD of /marketplace/listings/search.
func (h handler) search(w http.ResponseWriter, r *http.Request) error {
	return h.answer(w, r, func(ctx context.Context) ([]byte, error) {
		q, err := parseQuery(document.ListingSearch(), r.URL.RawQuery)
		if err != nil {
			return nil, err
		}
		result, err := h.live.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		return appendResult(nil, result)
	})
}

// companies serves GET and HEAD of /marketplace/companies/search.
func (h handler) companies(w http.ResponseWriter, r *http.Request) error {
	return h.answer(w, r, func(ctx context.Context) ([]byte, error) {
		q, err := parseQuery(document.CompanySearch(), r.URL.RawQuery)
		if err != nil {
			return nil, err
		}
		result, err := h.live.Companies(ctx, q)
		if err != nil {
			return nil, err
		}
		return appendValue(nil, result)
	})
}

// suggest serves GET and HEAD of /marketplace/search/suggestions.
func (h handler) suggest(w http.ResponseWriter, r *http.Request) error {
	return h.answer(w, r, func(ctx context.Context) ([]byte, error) {
		q, err := parseSuggest(r.URL.RawQuery)
		if err != nil {
			return nil, err
		}
		s, err := h.live.Suggest(ctx, q)
		if err != nil {
			return nil, err
		}
		return appendValue(nil, s)
	})
}

func (h handler) answer(w http.ResponseWriter, r *http.Request, ask func(context.Context) ([]byte, error)) error {
	ctx, cancel := context.WithTimeout(r.Context(), h.timeout)
	defer cancel()
	tag, body := "", []byte(nil)
	// The index and the withheld sellers may return to an earlier state, for example by a
	// restore, so the tag must be the same before and after the query.
	for before := ""; before == "" || tag != before; {
		before = h.tag(r)
		var err error
		if body, err = ask(ctx); err != nil {
			return refused(err)
		}
		tag = h.tag(r)
	}
	web.Tagged(w, document.SearchCache, tag, append(body, '\n'))
	return nil
}

// tag returns the strong ETag of an answer: the same release, withheld sellers and request
// always produce the same bytes.
func (h handler) tag(r *http.Request) string {
	sum := sha256.New()
	sum.Write([]byte(h.live.Version() + "\n" + r.URL.Path + "\n" + r.URL.RawQuery))
	return `"` + hex.EncodeToString(sum.Sum(nil)[:12]) + `"`
}

// refused converts an error of search to an error of the API.
func refused(err error) *web.Error {
	var invalid *fault.Error
	if errors.As(err, &invalid) {
		return &web.Error{
			Code: document.CodeInvalidParameter, Detail: "A parameter is wrong.",
			Fields: invalid.Errors, Cache: document.ErrorCache,
		}
	}
	return &web.Error{Code: document.CodeUnavailable, Detail: "Search is not available right now.", RetryAfter: 1, Cause: err}
}
