package web

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/build/release"
)

// A tree serves the files of the release.
type tree struct {
	release Release
	bodies  *bodies
	// addresses returns the marketplace's current addresses.
	addresses func() document.Addresses
}

// address serves an address of the API.
func (t *tree) address(w http.ResponseWriter, r *http.Request) error {
	// A dot would reach the stubs (acme.gone), or a document by its file name.
	if strings.ContainsRune(r.URL.Path, '.') {
		return notFound()
	}
	return t.file(w, r, strings.TrimPrefix(r.URL.Path, "/")+".json")
}

// linesAt serves a file of lines under its own name.
func (t *tree) linesAt(w http.ResponseWriter, r *http.Request) error {
	if !document.IsLines(r.URL.Path) {
		return notFound()
	}
	return t.file(w, r, strings.TrimPrefix(r.URL.Path, "/"))
}

// description serves a file under its name, with or without its extension.
func (t *tree) description(w http.ResponseWriter, r *http.Request) error {
	name := strings.TrimSuffix(r.URL.Path, ".json")
	if strings.ContainsRune(name, '.') {
		return notFound()
	}
	return t.file(w, r, strings.TrimPrefix(name, "/")+".json")
}

// named serves addresses outside the API: the page of the address, else the file of that
// name, else the index page of the folder.
func (t *tree) named(w http.ResponseWriter, r *http.Request) error {
	address := r.URL.Path
	file := strings.TrimPrefix(address, "/")
	if document.BelowAPI(address) || document.IsPageName(file) {
		return t.nothing(address)
	}
	page := document.HTMLFile(address)
	switch {
	case t.exists(page) || t.exists(document.GoneFile(page)):
		if markdown := document.MarkdownOf(page); prefersMarkdown(r.Header["Accept"]) && t.exists(page) && t.exists(markdown) {
			page = markdown
		}
		return t.file(w, r, page)
	case address != "/" && strings.HasSuffix(address, "/"):
		without := strings.TrimSuffix(address, "/")
		if page := document.HTMLFile(without); t.exists(page) || t.exists(document.GoneFile(page)) {
			w.Header().Set("Cache-Control", document.ErrorCache.Header())
			to := url.URL{Path: without, RawQuery: r.URL.RawQuery}
			http.Redirect(w, r, t.addresses().SitePath()+to.String(), http.StatusPermanentRedirect)
			return nil
		}
	}
	if !t.exists(file) {
		if index := file + "/index.html"; t.exists(index) {
			file = index
		}
	}
	return t.file(w, r, file)
}

func (t *tree) exists(file string) bool {
	_, exists := t.release.Lookup(file)
	return exists
}

// file serves a file of the release.
func (t *tree) file(w http.ResponseWriter, r *http.Request, file string) error {
	var missing error
	// If the release has a file that is not on disk, the file was deleted or is not in
	// place yet; the second lookup decides.
	for range 2 {
		entry, exists := t.release.Lookup(file)
		if !exists {
			return t.absent(file)
		}
		err := t.answer(w, r, file, entry)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = err
	}
	return unavailable(fmt.Errorf("a file of the release is missing: %w", missing))
}

// absent returns the answer for a missing document.
func (t *tree) absent(file string) error {
	api := document.BelowAPI("/" + file)
	switch stub := document.GoneFile(file); {
	case api && t.exists(stub):
		return gone()
	case !api && t.exists(stub):
		return t.page(gone(), document.RemovedFile)
	case t.release.ID() == "":
		return unavailable(nil)
	}
	return t.nothing("/" + file)
}

// nothing returns the answer for a path, as sent, where nothing is.
func (t *tree) nothing(path string) error {
	if document.BelowAPI(path) {
		return notFound()
	}
	return t.page(notFound(), document.MissingFile)
}

// page adds a page to an error, if the release has pages.
func (t *tree) page(e *Error, file string) *Error {
	entry, exists := t.release.Lookup(file)
	if !exists {
		return e
	}
	b, err := t.bodies.open(file, identity, entry)
	if err != nil {
		return e
	}
	defer b.close()
	body := b.bytes
	if b.file != nil {
		if body, err = io.ReadAll(b.file); err != nil {
			return e
		}
	}
	e.body, e.page = body, true
	e.Header = http.Header{}
	for _, more := range document.HeadersFor(file) {
		e.Header.Set(more.Name, more.Value)
	}
	return e
}

// answer sends a file, or 304 if the client already has it.
func (t *tree) answer(w http.ResponseWriter, r *http.Request, file string, e release.Entry) error {
	coding := choose(r.Header["Accept-Encoding"], twins(e))
	known := r.Header["If-None-Match"]
	h := w.Header()
	if tag := coding.tag(e.Digest, coding.size(e)); matches(known, tag) {
		return unchanged(h, w, file, tag)
	}
	b, err := t.bodies.open(file, coding, e)
	if err != nil {
		return err
	}
	defer b.close()
	tag := b.tag()
	if matches(known, tag) {
		return unchanged(h, w, file, tag)
	}
	describe(h, file, tag)
	h["Content-Type"] = []string{document.ContentType(file)}
	h["Content-Length"] = []string{strconv.FormatInt(b.size, 10)}
	encodings[b.coding].set(h)
	for _, more := range document.HeadersFor(file) {
		h.Set(more.Name, more.Value)
	}
	for _, more := range t.addresses().LinksFor(file) {
		h.Add(more.Name, more.Value)
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	// The headers have been sent. A failure now breaks the connection, since the body is
	// shorter than announced. A client that disconnects is not an error.
	if b.file != nil {
		_, _ = io.CopyN(w, b.file, b.size)
		return nil
	}
	_, _ = w.Write(b.bytes)
	return nil
}

// describe sets the headers that 200 and 304 have in common.
func describe(h http.Header, file, tag string) {
	h["Etag"] = []string{tag}
	h["Cache-Control"] = []string{document.CacheFor(file).Header()}
	varies.set(h)
	if ending := path.Ext(file); ending == ".html" || ending == ".md" {
		negotiated.set(h)
	}
}

func unchanged(h http.Header, w http.ResponseWriter, file, tag string) error {
	describe(h, file, tag)
	w.WriteHeader(http.StatusNotModified)
	return nil
}
