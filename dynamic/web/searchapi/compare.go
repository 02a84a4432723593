package searchapi

import (
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"

	"souk/build/document"
	"souk/build/site"
	"souk/dynamic/compare"
	"souk/dynamic/search/fault"
	"souk/dynamic/web"
)

// Comparison returns the Handler of GET and HEAD of /marketplace/listings/compare.
func Comparison(release web.Release) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		c, err := compared(release, r.URL.RawQuery)
		if err != nil {
			return refusedComparison(err)
		}
		body, err := appendValue(nil, c)
		if err != nil {
			return err
		}
		body = append(body, '\n')
		web.Tagged(w, document.SearchCache, web.Digest(body), body)
		return nil
	}
}

// ComparisonPage returns the Handler of the page of a comparison, which works without a
// script. It ignores parameters that are none of a comparison's.
func ComparisonPage(release web.Release, pages *atomic.Pointer[site.Site]) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		current := pages.Load()
		if current == nil {
			return &web.Error{Code: document.CodeNotFound, Detail: document.NotFoundDetail, Cache: document.ErrorCache}
		}
		refs := r.URL.Query()["ref"]
		if len(refs) < document.MinCompared {
			body, err := current.ComparisonRefused(nil)
			if err != nil {
				return err
			}
			web.Page(w, http.StatusOK, document.SearchCache, body)
			return nil
		}
		c, err := compared(release, url.Values{"ref": refs}.Encode())
		if invalid := (*fault.Error)(nil); errors.As(err, &invalid) {
			body, failed := current.ComparisonRefused(invalid.Errors)
			if failed != nil {
				return failed
			}
			return refused(err).WithPage(body)
		}
		if err != nil {
			return err
		}
		body, err := current.Comparison(c)
		if err != nil {
			return err
		}
		web.Page(w, http.StatusOK, document.SearchCache, body)
		return nil
	}
}

// compared compares what a query string asks for.
func compared(release web.Release, raw string) (document.Comparison, error) {
	requests, err := parseComparison(raw)
	if err != nil {
		return document.Comparison{}, err
	}
	return compare.Listings(requests, func(file string) ([]byte, bool, error) { return web.Read(release, file) })
}

// parseComparison parses the parameters of a comparison, like parseQuery.
func parseComparison(raw string) ([]compare.Request, error) {
	p := read(raw, "ref")
	requests := make([]compare.Request, 0, len(p.values["ref"]))
	for _, ref := range p.values["ref"] {
		file, err := document.ListingFile(ref)
		if err != nil {
			p.add("ref", fault.Invalid, "%s", err)
		}
		requests = append(requests, compare.Request{Ref: ref, File: file})
	}
	if wrong := compare.WrongNumber(len(requests)); wrong != "" {
		p.add("ref", fault.Invalid, "%s", wrong)
	}
	return requests, p.err()
}

// refusedComparison converts an error of a comparison to an error of the API.
func refusedComparison(err error) error {
	if invalid := (*fault.Error)(nil); errors.As(err, &invalid) {
		return refused(err)
	}
	return err
}
