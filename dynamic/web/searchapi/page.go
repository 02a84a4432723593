package searchapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"souk/build/document"
	"souk/build/site"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
	"souk/dynamic/web"
)

// pageSize is how many results a page for people shows, if it does not say.
const pageSize = 24

// Page returns the Handler of the page of a search, which works without a script.
func Page(live *search.Live, pages *atomic.Pointer[site.Site]) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		shown := pages.Load()
		if shown == nil {
			return &web.Error{Code: document.CodeNotFound, Detail: document.NotFoundDetail, Cache: document.ErrorCache}
		}
		ctx, cancel := context.WithTimeout(r.Context(), answerTime)
		defer cancel()
		p := searchPage{live, shown}
		parameters, raw := asked(r.URL.RawQuery)
		body, err := p.answer(ctx, parameters, raw)
		if err != nil {
			return p.refuse(ctx, parameters, err)
		}
		web.Page(w, http.StatusOK, document.SearchCache, body)
		return nil
	}
}

// asked returns the parameters that the form of a page means, and what to ask for:
// a query string that cannot be read stays what it is, to be refused.
func asked(raw string) (parameters url.Values, query string) {
	parameters, err := url.ParseQuery(raw)
	if err != nil {
		return parameters, raw
	}
	parameters = site.Asked(parameters)
	if parameters.Has("limit") {
		return parameters, parameters.Encode()
	}
	with := url.Values{"limit": {strconv.Itoa(pageSize)}}
	for name, values := range parameters {
		with[name] = values
	}
	return parameters, with.Encode()
}

type searchPage struct {
	live  *search.Live
	shown *site.Site
}

func (p searchPage) answer(ctx context.Context, parameters url.Values, raw string) ([]byte, error) {
	q, err := parseQuery(raw)
	if err != nil {
		return nil, err
	}
	result, err := p.live.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var browse []document.CategoryDirection
	if result.Total == 0 {
		browse = p.browse(ctx)
	}
	return p.shown.Search(parameters, *result, browse)
}

// browse returns the categories in which most lies; none where search does not
// answer.
func (p searchPage) browse(ctx context.Context) []document.CategoryDirection {
	all, err := p.live.Search(ctx, search.Query{})
	if err != nil {
		return nil
	}
	return all.CategoryDirections
}

// refuse answers with a page that says why there are no results.
func (p searchPage) refuse(ctx context.Context, parameters url.Values, err error) error {
	// The field of the page shows it again, and a page is UTF-8 whatever was asked.
	query := strings.ToValidUTF8(parameters.Get("q"), "\uFFFD")
	var body []byte
	var failed error
	var invalid *fault.Error
	if errors.As(err, &invalid) {
		body, failed = p.shown.SearchRefused(query, invalid.Errors, p.browse(ctx))
	} else {
		body, failed = p.shown.SearchAway(query)
	}
	if failed != nil {
		return failed
	}
	return refused(err).WithPage(body)
}
