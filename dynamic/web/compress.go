package web

import (
	"bytes"
	"net/http"
	"strconv"

	"souk/build/release"
)

// smallestCompressed is the size of the smallest body that is compressed: a smaller one
// takes one packet either way.
const smallestCompressed = 1 << 10

// compressed sends the answer of h compressed if the client accepts that, or not at all if
// the client already has it. h finishes the answer before its first byte is sent.
func compressed(h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		whole := &answer{header: w.Header(), status: http.StatusOK}
		if err := h(whole, r); err != nil {
			return err
		}
		whole.send(w, r)
		return nil
	}
}

// An answer is a complete answer that has not been sent yet.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }

func (a *answer) send(w http.ResponseWriter, r *http.Request) {
	body, c := a.body.Bytes(), identity
	if len(body) >= smallestCompressed {
		c = choose(r.Header["Accept-Encoding"], [codings]bool{gzip: true})
	}
	a.header.Add("Vary", "Accept-Encoding")
	if tag := c.mark(a.header.Get("ETag")); tag != "" {
		a.header.Set("ETag", tag)
		if matches(r.Header["If-None-Match"], tag) {
			a.header.Del("Content-Type")
			a.header.Del("Content-Length")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if c == gzip {
		body = release.Gzip(body)
		encodings[gzip].set(a.header)
	}
	if len(body) > 0 {
		a.header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(body) // a client that disconnects is not an error
}
