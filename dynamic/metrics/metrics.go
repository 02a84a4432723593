// Package metrics tells a Prometheus server how an installation does: what was
// answered and how fast, which release is served, and whether mails, removals
// and copies wait. It is asked at an address of its own, which is not for the
// public.
//
// It refuses to know what anything it counts means, and takes no label from a
// request but the route's pattern and the method, so that nobody outside can
// make its series grow, and no name of a company or person is among them.
package metrics

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// A State is what is told of the installation at one moment. The zero value of
// a time is: never.
type State struct {
	// Release and Index are the ids of the release that is served and of the one
	// that search knows; empty where there is none.
	Release, Index string
	// Documents and Bytes are those of the release.
	Documents int
	Bytes     int64
	// Down are the parts that health tells of.
	Down []string
	// MailsWaiting counts the outbox; the oldest waits for OldestMail.
	MailsWaiting int
	OldestMail   time.Duration
	// RemovalsPending counts removals on record that are not completed here.
	RemovalsPending int
	// Published is when a copy was last brought up to the release; CopyPending
	// tells that it is behind.
	Published   time.Time
	CopyPending bool
}

// Metrics counts. Its methods are safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// New makes Metrics of a version of the program; state is asked each time that
// somebody asks.
func New(version string, state func() State) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "souk_http_requests_total", Help: "Requests answered, by route, method and status.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "souk_http_request_duration_seconds", Help: "Time from the head of a request to the end of its answer, by route.",
			Buckets: []float64{.0001, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 15},
		}, []string{"route"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "souk_build_info", Help: "The version of the program; always 1.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.seconds, build, &collector{state},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Answered counts a request. An empty route is that of addresses where nothing
// can stand.
func (m *Metrics) Answered(route, method string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(route, known(method), strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// known gives a method, or one name for those that clients make up.
func known(method string) string {
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions}, method) {
		return method
	}
	return "other"
}

// Handler answers at /metrics in the text format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}

// A collector tells the State as gauges.
type collector struct{ state func() State }

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("souk_"+name, help, labels, nil)
}

var (
	release      = gauge("release_info", "The release that is served; always 1.", "id")
	index        = gauge("search_index_info", "The release that search knows; always 1.", "id")
	documents    = gauge("release_documents", "Documents of the release that is served.")
	size         = gauge("release_bytes", "Bytes of the documents of the release that is served.")
	down         = gauge("part_down", "1 for a part that health tells of.", "part")
	mails        = gauge("mails_waiting", "Mails that no server took yet.")
	oldest       = gauge("mail_oldest_seconds", "How long the oldest waiting mail waits; 0 where none does.")
	removals     = gauge("removals_pending", "Removals on record that are not completed here.")
	publishedAt  = gauge("copy_published_timestamp_seconds", "When the published copy was last brought up to the release; absent where nothing is published.")
	copyPending  = gauge("copy_pending", "1 where the published copy is behind the release.")
	descriptions = []*prometheus.Desc{release, index, documents, size, down, mails, oldest, removals, publishedAt, copyPending}
)

// Describe is that of prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range descriptions {
		to <- d
	}
}

// Collect is that of prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	s := c.state()
	tell := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	if s.Release != "" {
		tell(release, 1, s.Release)
	}
	if s.Index != "" {
		tell(index, 1, s.Index)
	}
	tell(documents, float64(s.Documents))
	tell(size, float64(s.Bytes))
	for _, part := range s.Down {
		tell(down, 1, part)
	}
	tell(mails, float64(s.MailsWaiting))
	tell(oldest, s.OldestMail.Seconds())
	tell(removals, float64(s.RemovalsPending))
	if !s.Published.IsZero() {
		tell(publishedAt, float64(s.Published.Unix()))
	}
	if s.CopyPending || !s.Published.IsZero() {
		tell(copyPending, map[bool]float64{true: 1}[s.CopyPending])
	}
}
