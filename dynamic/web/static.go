package web

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"souk/build/document"
	"souk/build/release"
)

// A tree answers with the files of the release.
type tree struct {
	release Release
	bodies  *bodies
	// addresses are those of the marketplace as it is now.
	addresses func() document.Addresses
}

// address answers at an address of the API.
func (t *tree) address(w http.ResponseWriter, r *http.Request) error {
	// A dot would reach the stubs (acme.gone), or a document by its file name.
	if strings.ContainsRune(r.URL.Path, '.') {
		return notFound()
	}
	return t.file(w, r, strings.TrimPrefix(r.URL.Path, "/")+".json")
}

// linesAt answers with a file of lines, at its own name.
func (t *tree) linesAt(w http.ResponseWriter, r *http.Request) error {
	if !document.IsLines(r.URL.Path) {
		return notFound()
	}
	return t.file(w, r, strings.TrimPrefix(r.URL.Path, "/"))
}

// description answers with a file whose address is its name, with its ending or
// without.
func (t *tree) description(w http.ResponseWriter, r *http.Request) error {
	name := strings.TrimSuffix(r.URL.Path, ".json")
	if strings.ContainsRune(name, '.') {
		return notFound()
	}
	return t.file(w, r, strings.TrimPrefix(name, "/")+".json")
}

// named answers outside the API: with the page of the address, else with the file
// of that name, else with a folder's own page.
func (t *tree) named(w http.ResponseWriter, r *http.Request) error {
	address := r.URL.Path
	file := strings.TrimPrefix(address, "/")
	if document.BelowAPI(address) || document.IsPageName(file) {
		return t.nothing(address)
	}
	page := document.HTMLFile(address)
	switch {
	case t.stands(page) || t.stands(document.GoneFile(page)):
		return t.file(w, r, page)
	case address != "/" && strings.HasSuffix(address, "/"):
		without := strings.TrimSuffix(address, "/")
		if page := document.HTMLFile(without); t.stands(page) || t.stands(document.GoneFile(page)) {
			w.Header().Set("Cache-Control", document.ErrorCache.Header())
			to := url.URL{Path: without, RawQuery: r.URL.RawQuery}
			http.Redirect(w, r, t.addresses().SitePath()+to.String(), http.StatusPermanentRedirect)
			return nil
		}
	}
	if !t.stands(file) {
		if index := file + "/index.html"; t.stands(index) {
			file = index
		}
	}
	return t.file(w, r, file)
}

func (t *tree) stands(file string) bool {
	_, stands := t.release.Lookup(file)
	return stands
}

// file answers with a file of the release.
func (t *tree) file(w http.ResponseWriter, r *http.Request, file string) error {
	var missing error
	// If the release has a file that is not on disk, it was deleted or is not
	// in place yet: the second look decides.
	for range 2 {
		entry, stands := t.release.Lookup(file)
		if !stands {
			return t.absent(file)
		}
		err := t.answer(w, r, file, entry)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		missing = err
	}
	return unavailable(fmt.Errorf("the release has a file that is not there: %w", missing))
}

// absent returns the answer where there is no document.
func (t *tree) absent(file string) error {
	api := document.BelowAPI("/" + file)
	switch stub := document.GoneFile(file); {
	case api && t.stands(stub):
		return gone()
	case !api && t.stands(stub):
		return t.page(gone(), document.RemovedFile)
	case t.release.ID() == "":
		return unavailable(nil)
	}
	return t.nothing("/" + file)
}

// nothing returns the answer at a path, as it was sent, where nothing is.
func (t *tree) nothing(path string) error {
	if document.BelowAPI(path) {
		return notFound()
	}
	return t.page(notFound(), document.MissingFile)
}

// page gives an error the body of a page, if the release has pages.
func (t *tree) page(e *Error, file string) *Error {
	entry, stands := t.release.Lookup(file)
	if !stands {
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

// answer sends a file, or says that the client has it already.
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
	// The headers are sent: a failure now breaks the connection, since the body
	// is shorter than announced; a client that disconnects is no mistake.
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
}

func unchanged(h http.Header, w http.ResponseWriter, file, tag string) error {
	describe(h, file, tag)
	w.WriteHeader(http.StatusNotModified)
	return nil
}
