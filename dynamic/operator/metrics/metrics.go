// Package metrics reports to a Prometheus server how an installation is doing: which
// requests were answered and how fast, which release is served, and whether mails, removals
// and copies are pending. It has an address of its own, which must not be public.
//
// It does not know the meaning of anything it counts. The only labels it takes from a
// request are the route's pattern and the method, so that outsiders cannot create new
// series, and no company's or person's name is among them.
package metrics

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A State is the state of the installation at one moment. A zero time means never.
type State struct {
	// Release and Index are the ids of the release that is served and of the one that
	// search has indexed; empty if there is none.
	Release, Index string
	// Made is the release's clock: the time that decides what is current.
	Made time.Time
	// Documents and Bytes are the number of documents in the release and their size.
	Documents int
	Bytes     int64
	// Down lists the failing parts that the health check reports.
	Down []string
	// MailsWaiting is the number of mails in the outbox; OldestMail is how long the oldest
	// has been waiting.
	MailsWaiting int
	OldestMail   time.Duration
	// Searches is the number of searches, EmptySearches that of searches that found nothing.
	Searches, EmptySearches uint64
	// RemovalsPending is the number of recorded removals that are not completed here.
	RemovalsPending int
	// Published is when a copy was last updated to the release; CopyPending means that the
	// copy is behind.
	Published   time.Time
	CopyPending bool
	// Lease is the server's lease if several servers share the ledger; otherwise nil.
	Lease *Lease
}

// A Lease lets a server answer requests while other servers share its ledger.
type Lease struct {
	// Left is how long the lease is still valid; 0 if there is none.
	Left time.Duration
	// Withheld is the revision of the removals that the server withholds; Made is the
	// revision of its release.
	Withheld, Made uint64
}

// Metrics counts requests. Its methods are safe for concurrent use.
type Metrics struct {
	version string
	state   func() State

	mu       sync.Mutex
	requests map[request]uint64
	seconds  map[string]*histogram // by route
}

// A request is the key by which requests are counted.
type request struct {
	route, method string
	status        int
}

// bounds are the upper bounds of a histogram's buckets, in seconds; the last bucket has
// none.
var bounds = [...]float64{.0001, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15}

// A histogram counts requests by duration.
type histogram struct {
	buckets [len(bounds) + 1]uint64
	sum     float64
}

// New returns Metrics for a version of the program. state is called for each request to
// /metrics.
func New(version string, state func() State) *Metrics {
	return &Metrics{version: version, state: state, requests: map[request]uint64{}, seconds: map[string]*histogram{}}
}

// Answered counts a request. An empty route means an address that no route covers.
func (m *Metrics) Answered(route, method string, status int, took time.Duration) {
	route = cmp.Or(route, "none")
	seconds := took.Seconds()
	bucket, _ := slices.BinarySearch(bounds[:], seconds)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[request{route, known(method), status}]++
	h := m.seconds[route]
	if h == nil {
		h = &histogram{}
		m.seconds[route] = h
	}
	h.buckets[bucket]++
	h.sum += seconds
}

// known returns a standard method, and one common name for all others, which clients make
// up.
func known(method string) string {
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions}, method) {
		return method
	}
	return "other"
}

// Handler serves /metrics in the Prometheus text format.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(m.text()) // the client may be gone
	})
	return mux
}

// text returns all metrics.
func (m *Metrics) text() []byte {
	var e exposition
	e.runtime()
	e.process()
	e.gauge("souk_build_info", "The version of the program; always 1.", 1, "version", m.version)
	e.state(m.state())
	m.mu.Lock()
	defer m.mu.Unlock()
	e.family("souk_http_requests_total", "counter", "Requests answered, by route, method and status.")
	for _, r := range slices.SortedFunc(maps.Keys(m.requests), func(a, b request) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.method, b.method), cmp.Compare(a.status, b.status))
	}) {
		e.sample("souk_http_requests_total", float64(m.requests[r]), "method", r.method, "route", r.route, "status", strconv.Itoa(r.status))
	}
	const duration = "souk_http_request_duration_seconds"
	e.family(duration, "histogram", "Time from the head of a request to the end of its answer, by route.")
	for _, route := range slices.Sorted(maps.Keys(m.seconds)) {
		h, below := m.seconds[route], uint64(0)
		for i, n := range h.buckets {
			below += n
			end := "+Inf"
			if i < len(bounds) {
				end = number(bounds[i])
			}
			e.sample(duration+"_bucket", float64(below), "route", route, "le", end)
		}
		e.sample(duration+"_sum", h.sum, "route", route)
		e.sample(duration+"_count", float64(below), "route", route)
	}
	return e.Bytes()
}

// state writes the State as gauges.
func (e *exposition) state(s State) {
	if s.Release != "" {
		e.gauge("souk_release_info", "The release that is served; always 1.", 1, "id", s.Release)
	}
	if s.Index != "" {
		e.gauge("souk_search_index_info", "The release that search has indexed; always 1.", 1, "id", s.Index)
	}
	if !s.Made.IsZero() {
		e.gauge("souk_release_timestamp_seconds", "The clock of the release that is served, which decides what is current.", float64(s.Made.Unix()))
	}
	e.gauge("souk_release_documents", "Documents in the release that is served.", float64(s.Documents))
	e.gauge("souk_release_bytes", "Bytes of the documents in the release that is served.", float64(s.Bytes))
	if len(s.Down) > 0 {
		e.family("souk_part_down", "gauge", "1 for each part that the health check reports as down.")
		for _, part := range s.Down {
			e.sample("souk_part_down", 1, "part", part)
		}
	}
	e.counter("souk_searches_total", "Searches answered, further pages not counted.", float64(s.Searches))
	e.counter("souk_searches_without_result_total", "Searches answered that found nothing.", float64(s.EmptySearches))
	e.gauge("souk_mails_waiting", "Mails not yet accepted by an SMTP server.", float64(s.MailsWaiting))
	e.gauge("souk_mail_oldest_seconds", "Age of the oldest waiting mail; 0 if none is waiting.", s.OldestMail.Seconds())
	e.gauge("souk_removals_pending", "Recorded removals that this server has not completed.", float64(s.RemovalsPending))
	if s.Lease != nil {
		e.gauge("souk_lease_seconds", "How long the server may keep answering without reaching the ledger; 0 if it answers 503.", s.Lease.Left.Seconds())
		e.gauge("souk_withheld_revision", "The revision of the removals that the server applies.", float64(s.Lease.Withheld))
		e.gauge("souk_release_revision", "The revision of the removals that the release was made with.", float64(s.Lease.Made))
	}
	if !s.Published.IsZero() {
		e.gauge("souk_copy_published_timestamp_seconds",
			"When the published copy was last up to date with the release; absent if nothing is published.", float64(s.Published.Unix()))
	}
	if s.CopyPending || !s.Published.IsZero() {
		e.gauge("souk_copy_pending", "1 if the published copy is behind the release.", map[bool]float64{true: 1}[s.CopyPending])
	}
}
