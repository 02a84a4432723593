package searchapi

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"

	"souk/build/document"
	"souk/build/site"
	"souk/dynamic/search"
	"souk/dynamic/web"
)

// pageSize is how many results a page for people shows, if it does not say.
const pageSize = 24

// Page returns the Handler of the page of a search, which works without a script.
// An empty parameter, as forms send it, counts as none.
func Page(live *search.Live, pages *atomic.Pointer[site.Site]) web.Handler {
	h := handler{live, answerTime}
	return func(w http.ResponseWriter, r *http.Request) error {
		shown := pages.Load()
		if shown == nil {
			return &web.Error{Code: document.CodeNotFound, Detail: document.NotFoundDetail, Cache: document.ErrorCache}
		}
		ctx, cancel := context.WithTimeout(r.Context(), h.timeout)
		defer cancel()
		parameters, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			parameters = url.Values{}
		}
		for name, values := range parameters {
			if values[0] == "" {
				parameters.Del(name)
			}
		}
		asked := url.Values{"limit": {strconv.Itoa(pageSize)}}
		for name, values := range parameters {
			asked[name] = values
		}
		q, err := parseQuery(asked.Encode())
		if err != nil {
			// What cannot be asked for is as good as nothing that was asked for.
			parameters = url.Values{"q": parameters["q"]}
			if q, err = parseQuery("limit=" + strconv.Itoa(pageSize)); err != nil {
				return err
			}
		}
		result, err := live.Search(ctx, q)
		if err != nil {
			return refused(err)
		}
		body, err := shown.Search(parameters, *result)
		if err != nil {
			return err
		}
		header := w.Header()
		header.Set("Cache-Control", document.SearchCache.Header())
		header.Set("Content-Type", document.ContentType(document.SearchFile))
		header.Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(body)
		return nil
	}
}
