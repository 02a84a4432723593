// Package web answers HTTP requests: it serves the static files of a release and the
// endpoints that need a running program, with one table of routes and one table of errors.
// It knows requests, answers and caching. It does not know what a document says, who may
// see it, or how anything is searched or removed; releases and Handlers decide that.
//
// # Addresses
//
// An address of the API is its .json file. If there is a stub, .gone.json, in its place,
// the answer is 410 with the stub's body; otherwise 404 with a problem body. The registry
// of package document lists the possible addresses. An address that ends in .json itself
// (/api/v1/openapi.json) is its file, and also answers without the extension. A file of
// lines (.jsonl.gz) is served under its name. No other file name below /api is an address,
// so that each document has exactly one address.
//
// Outside the API, the address of a page is the name of its file without .html; with a
// trailing slash it redirects there with 308. All other files of the release are served
// under their own names, and a folder's index.html under the name of the folder. A name
// that ends in .html, contains .gone. or is index is not an address. Where a page was
// removed or nothing exists, the answer contains the release's own page for that.
//
// Every address has exactly one spelling. An address that is encoded, doubled (//),
// relative (/./ and /../), in other letter case, or below the API with a trailing slash is
// a different address, where nothing exists. It is answered with 404 and never with a
// redirect, which caches and crawlers would mistake for a document. Only the pages below
// /verify/ accept anything after their names, since mail gateways rewrite the links to
// them. The query of a static address is ignored, and so is Range: such a request gets the
// complete document with 200.
//
// # Bodies
//
// Every request first asks the release what exists. So a removed document is gone with the
// commit that removes it, whatever is on disk or in memory at that moment. While a release
// is being applied, the files and the manifest briefly disagree: a file that does not match
// the manifest is served with the ETag of its own bytes. ETag and body always belong
// together.
package web

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"souk/build/document"
	"souk/build/release"
)

// A Release is the public tree to serve. Its methods are safe for concurrent use and
// reflect a change as soon as it is committed.
type Release interface {
	// Lookup returns the entry of a file of the release.
	Lookup(file string) (release.Entry, bool)
	// OpenFile opens a file of the release or a twin of it.
	OpenFile(file string) (*os.File, error)
	// ID identifies the release; empty if there is none yet.
	ID() string
}

// A Handler answers a request, or writes nothing and returns the error to answer with. An
// *Error says what the client is told; any other error is logged and answered with 503.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Config says what is served. All fields without a default are required.
type Config struct {
	Release Release
	// Endpoints is the registry of the API.
	Endpoints []document.Endpoint
	// Dynamic contains the Handler of each dynamic Endpoint, by its ID. The request's
	// context ends with the request or after a time limit.
	Dynamic map[string]Handler
	Log     *slog.Logger
	// Pages contains the Handlers of addresses outside the API, by method and path as in
	// http.ServeMux.
	Pages map[string]Handler
	// Mounted contains handlers of addresses outside the API that check methods and limits
	// themselves.
	Mounted map[string]http.Handler
	// Ready returns the error to answer with if nothing may be shown now. It applies to
	// every address except health, and is called after a request has been read. Default
	// nil.
	Ready func() error
	// Addresses returns the marketplace's addresses, from whose paths a proxy may have
	// removed a prefix. The default is a site at the root of its host.
	Addresses func() document.Addresses
	// Now is the wall clock; default time.Now.
	Now func() time.Time
	// Answered, if set, is called for each answer with the pattern of its route, which is
	// empty for an address outside all routes, and the time it took.
	Answered func(route, method string, status int, took time.Duration)
	// RequestID returns the id of a new request; default random.
	RequestID func() string
}

// HealthID is the Endpoint that also answers at /health.
const HealthID = "getHealth"

// apiRoot is the prefix of all API addresses.
const apiRoot = document.APIRoot

// New returns the handler of everything that is served. It fails if the registry and the
// Handlers do not match.
func New(c Config) (http.Handler, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.RequestID == nil {
		c.RequestID = rand.Text
	}
	if c.Ready == nil {
		c.Ready = func() error { return nil }
	}
	if c.Addresses == nil {
		c.Addresses = func() document.Addresses { return document.Addresses{API: apiRoot} }
	}
	if c.Answered == nil {
		c.Answered = func(string, string, int, time.Duration) {}
	}
	files := &tree{release: c.Release, bodies: newBodies(c.Release.OpenFile), addresses: c.Addresses}
	routes, err := newRoutes(c, files)
	if err != nil {
		return nil, err
	}
	for pattern, h := range c.Pages {
		method, path, _ := strings.Cut(pattern, " ")
		if routes[path] == nil {
			routes[path] = &route{methods: map[string]Handler{}}
		}
		routes[path].methods[method] = files.paged(headed(path, limited(h)))
	}
	mux := http.NewServeMux()
	for path, one := range routes {
		mux.Handle(path, one.adapted(c.Log))
	}
	for path, h := range c.Mounted {
		mux.Handle(path, answering(c.Log, compressed(func(w http.ResponseWriter, r *http.Request) error {
			h.ServeHTTP(w, r)
			return nil
		})))
	}
	// Anything else is a file of the tree, which is read-only.
	mux.Handle("/", newRoute(files.named).adapted(c.Log))
	return observed(c, policy(c, files, mux)), nil
}

// headed adds the headers of a page's file to the answers of a Handler.
func headed(path string, h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		for _, more := range document.HeadersFor(document.HTMLFile(path)) {
			w.Header().Set(more.Name, more.Value)
		}
		return h(w, r)
	}
}

// newRoutes returns the routes of the registry.
func newRoutes(c Config, files *tree) (map[string]*route, error) {
	routes := map[string]*route{}
	add := func(path, method string, h Handler) {
		if routes[path] == nil {
			routes[path] = &route{methods: map[string]Handler{}}
		}
		routes[path].methods[method] = h
	}
	attached := map[string]bool{}
	for _, e := range c.Endpoints {
		switch h := c.Dynamic[e.ID]; {
		case e.Dynamic && h == nil:
			return nil, fmt.Errorf("the endpoint %s (%s %s) is dynamic and has no handler", e.ID, e.Method, e.Path)
		case e.Dynamic:
			attached[e.ID] = true
			add(apiRoot+e.Path, e.Method, limited(h))
			if e.ID == HealthID {
				add("/health", e.Method, limited(h))
			}
		case e.Static && e.Method == http.MethodGet:
			h = files.address
			if document.IsLines(e.Path) {
				h = files.linesAt
			}
			if short, ok := strings.CutSuffix(e.Path, ".json"); ok {
				h = files.description
				add(apiRoot+short, e.Method, h)
			}
			path := apiRoot + unambiguous(e.Pattern(), c.Endpoints)
			add(path, e.Method, h)
			// A pattern does not say what exists at its addresses.
			routes[path].open = true
		default:
			return nil, fmt.Errorf("the endpoint %s (%s %s) is answered neither by a file nor by a handler", e.ID, e.Method, e.Path)
		}
	}
	for id := range c.Dynamic {
		if !attached[id] {
			return nil, fmt.Errorf("the handler %s belongs to no dynamic endpoint of the registry", id)
		}
	}
	return routes, nil
}
