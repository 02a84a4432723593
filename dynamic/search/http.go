package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"souk/build/document"
)

// DefaultTimeout is how long one answer may take. A query never comes near it
// on a machine that is not overloaded.
const DefaultTimeout = 2 * time.Second

// A Handler answers over HTTP. Where a method gives an error it has written
// nothing, and leaves it to its caller to answer.
type Handler struct {
	// Live is what is asked.
	Live *Live
	// Timeout is that of one answer; 0 is DefaultTimeout.
	Timeout time.Duration
}

// Search answers GET and HEAD of /marketplace/listings/search. It fails as
// ParseQuery and Live.Search do.
func (h *Handler) Search(w http.ResponseWriter, r *http.Request) error {
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

// Suggest answers GET and HEAD of /marketplace/search/suggestions. It fails as
// ParseSuggestQuery and Live.Suggest do.
func (h *Handler) Suggest(w http.ResponseWriter, r *http.Request) error {
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

func (h *Handler) answer(w http.ResponseWriter, r *http.Request, ask func(context.Context, []byte) ([]byte, error)) error {
	ctx, cancel := context.WithTimeout(r.Context(), cmp.Or(h.Timeout, DefaultTimeout))
	defer cancel()
	tag, body := "", []byte(nil)
	// What is true of the index and of who is withheld may become true again, as
	// by a restore: a tag must never stand on the answer of another moment.
	for before := ""; before == "" || tag != before; {
		before = h.Live.tag(r.URL.Path, r.URL.RawQuery)
		var err error
		if body, err = ask(ctx, nil); err != nil {
			return err
		}
		tag = h.Live.tag(r.URL.Path, r.URL.RawQuery)
	}
	header := w.Header()
	header.Set("Cache-Control", document.SearchCache.Header())
	header.Set("ETag", tag)
	if matchesTag(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	body = append(body, '\n')
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // whoever asked may have gone
	}
	return nil
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
