// Package preview adds to a release's pages, while sending them, what only a preview shows:
// a list of the mistakes in the content, marks on things that no release would show, and a
// script that reloads the page after a change. None of this is ever in a release's files,
// so it cannot be published. The package does not know how a release is built, what is in a
// page, or why something is marked.
package preview

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"souk/build/kit/problem"
	"souk/templates"
)

// Root is the prefix of all addresses that only a preview has.
const Root = "/-/preview/"

// A State is what a preview shows.
type State struct {
	// Release is the id of the release; empty if there is none.
	Release string
	// Mistakes are the mistakes in the content that keep it out of the release.
	Mistakes problem.List
	// Marks maps an address, such as /companies/acme, to the reason why the thing is not in
	// any published release.
	Marks map[string]string
	// Empty means that no company is public.
	Empty bool
}

// id identifies a State.
func (s State) id() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %t", s.Release, s.Mistakes, s.Empty)
	for _, address := range slices.Sorted(maps.Keys(s.Marks)) {
		fmt.Fprintf(h, " %q %q", address, s.Marks[address])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// A Preview shows a State. It is safe for concurrent use.
type Preview struct {
	ended context.Context

	mu    sync.Mutex
	state State
	id    string
	// changed is closed when the State is replaced.
	changed chan struct{}
}

// New returns a Preview that shows nothing yet. When ctx ends, all requests that wait for a
// change end too.
func New(ctx context.Context) *Preview {
	return &Preview{ended: ctx, id: State{}.id(), changed: make(chan struct{})}
}

// Show replaces the State.
func (p *Preview) Show(s State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id := s.id(); id != p.id {
		close(p.changed)
		p.state, p.id, p.changed = s, id, make(chan struct{})
	}
}

func (p *Preview) now() (s State, id string, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state, p.id, p.changed
}

// Handler serves the preview's own addresses, and adds to the pages of next.
func (p *Preview) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch rest, ours := strings.CutPrefix(r.URL.Path, Root); {
		case ours && rest == "events":
			p.events(w, r)
		case ours && rest == "script.js":
			send(w, http.StatusOK, "text/javascript; charset=utf-8", []byte(templates.PreviewScript))
		case ours && rest == "style.css":
			send(w, http.StatusOK, "text/css; charset=utf-8", []byte(templates.PreviewStyle))
		case ours:
			http.NotFound(w, r)
		case untouched(r):
			next.ServeHTTP(w, r)
		default:
			p.page(w, r, next)
		}
	})
}

// untouched reports whether a request is passed on unchanged: it is not for a page, or for
// a page opened from a mail's link, whose policy forbids additions.
func untouched(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return true
	}
	for _, folder := range []string{"/api/", "/media/", "/assets/", "/verify/"} {
		if strings.HasPrefix(r.URL.Path, folder) {
			return true
		}
	}
	return false
}

// keepAlive is how often an idle connection sends something, so that it is not considered
// dead.
const keepAlive = 15 * time.Second

// events sends the id of the current State and of each later one as server-sent events
// (HTML, section 9.2).
func (p *Preview) events(w http.ResponseWriter, r *http.Request) {
	h, control := w.Header(), http.NewResponseController(w)
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	_, id, changed := p.now()
	for news := "retry: 500\ndata: " + id + "\n\n"; ; {
		// The server's write timeout is meant for answers that end, so extend it.
		_ = control.SetWriteDeadline(time.Now().Add(2 * keepAlive))
		if _, err := io.WriteString(w, news); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-changed:
			_, id, changed = p.now()
			news = "data: " + id + "\n\n"
		case <-alive.C:
			news = ":\n\n"
		case <-r.Context().Done():
			return
		case <-p.ended.Done():
			return
		}
	}
}

// page answers with a page of next and the additions. It passes all other answers on
// unchanged.
func (p *Preview) page(w http.ResponseWriter, r *http.Request, next http.Handler) {
	s, id, _ := p.now()
	if s.Release == "" && strings.Contains(r.Header.Get("Accept"), "text/html") {
		var b bytes.Buffer
		if err := templates.WritePreview(&b, templates.PreviewBare, s.view(id)); err == nil {
			send(w, http.StatusServiceUnavailable, "text/html; charset=utf-8", b.Bytes())
			return
		}
	}
	plain := r.Clone(r.Context())
	plain.Header.Del("Accept-Encoding")
	plain.Header.Del("If-None-Match")
	held := &pageBuffer{ResponseWriter: w}
	next.ServeHTTP(held, plain)
	if !held.html {
		return
	}
	body, err := add(held.body.Bytes(), s, id, r.URL.Path)
	if err != nil {
		body = held.body.Bytes()
	}
	w.Header().Del("ETag")
	send(w, held.status, w.Header().Get("Content-Type"), body)
}

func send(w http.ResponseWriter, status int, mediaType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that disconnects is not an error
}

// A pageBuffer buffers a page and passes every other answer on.
type pageBuffer struct {
	http.ResponseWriter
	status int
	html   bool
	body   bytes.Buffer
}

// WriteHeader passes the status on, except for a page.
func (h *pageBuffer) WriteHeader(status int) {
	if h.status != 0 {
		return
	}
	h.status, h.html = status, strings.HasPrefix(h.Header().Get("Content-Type"), "text/html")
	if !h.html {
		h.ResponseWriter.WriteHeader(status)
	}
}

// Write passes the body on, except for a page.
func (h *pageBuffer) Write(b []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	if h.html {
		return h.body.Write(b)
	}
	return h.ResponseWriter.Write(b)
}

// Unwrap implements the interface of http.ResponseController.
func (h *pageBuffer) Unwrap() http.ResponseWriter { return h.ResponseWriter }
