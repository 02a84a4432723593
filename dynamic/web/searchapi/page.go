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

// pageSize is the default number of results on a page.
const pageSize = 24

// Pages returns the Handlers of the pages of searches, which work without a script, by pattern.
func Pages(live *search.Live, pages *atomic.Pointer[site.Site]) map[string]web.Handler {
	handlers := map[string]web.Handler{}
	for _, of := range document.Searches() {
		handlers["GET "+of.Path] = page(of, live, pages)
	}
	return handlers
}

func page(of document.Search, live *search.Live, pages *atomic.Pointer[site.Site]) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		current := pages.Load()
		if current == nil {
			return &web.Error{Code: document.CodeNotFound, Detail: document.NotFoundDetail, Cache: document.ErrorCache}
		}
		ctx, cancel := context.WithTimeout(r.Context(), answerTime)
		defer cancel()
		p := searchPage{of, live, current}
		parameters, raw := asked(of, r.URL.RawQuery)
		body, err := p.answer(ctx, parameters, raw)
		if err != nil {
			return p.refuse(ctx, parameters, err)
		}
		web.Page(w, http.StatusOK, document.SearchCache, body)
		return nil
	}
}

// asked returns the parameters that a page's form means, and the query to run. A query
// string that cannot be parsed is returned unchanged, so that it is rejected later.
func asked(of document.Search, raw string) (parameters url.Values, query string) {
	parameters, err := url.ParseQuery(raw)
	if err != nil {
		return parameters, raw
	}
	parameters = site.Asked(of, parameters)
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
	of      document.Search
	live    *search.Live
	current *site.Site
}

func (p searchPage) answer(ctx context.Context, parameters url.Values, raw string) ([]byte, error) {
	q, err := parseQuery(p.of, raw)
	if err != nil {
		return nil, err
	}
	result, err := p.find(ctx, q)
	if err != nil {
		return nil, err
	}
	var browse []document.CategoryDirection
	if result.Total+result.Companies.Total == 0 {
		browse = p.browse(ctx)
	}
	return p.current.Search(p.of, parameters, *result, browse)
}

// find returns what a page shows of an answer. Companies that were searched for are the
// companies of a result without listings.
func (p searchPage) find(ctx context.Context, q search.Query) (*search.Result, error) {
	if p.of.Of == document.ListingSearch().Of {
		return p.live.Search(ctx, q)
	}
	r, err := p.live.Companies(ctx, q)
	if err != nil {
		return nil, err
	}
	return &search.Result{
		Query: r.Query, Total: r.Total, Offset: r.Offset, Limit: r.Limit, Filters: r.Filters, Interpreted: r.Interpreted, Next: r.Next,
		Companies: search.FoundCompanies{Total: r.Total, Items: r.Companies},
	}, nil
}

// browse returns the categories with the most listings, or none if search fails.
func (p searchPage) browse(ctx context.Context) []document.CategoryDirection {
	all, err := p.live.Search(ctx, search.Query{})
	if err != nil {
		return nil
	}
	return all.CategoryDirections
}

// refuse answers with a page that says why there are no results.
func (p searchPage) refuse(ctx context.Context, parameters url.Values, err error) error {
	// The page's search field shows the query again, and a page must be valid UTF-8.
	query := strings.ToValidUTF8(parameters.Get("q"), "\uFFFD")
	var body []byte
	var failed error
	var invalid *fault.Error
	if errors.As(err, &invalid) {
		body, failed = p.current.SearchRefused(p.of, query, invalid.Errors, p.browse(ctx))
	} else {
		body, failed = p.current.SearchAway(p.of, query)
	}
	if failed != nil {
		return failed
	}
	return refused(err).WithPage(body)
}
