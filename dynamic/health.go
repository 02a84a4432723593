package dynamic

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"souk/build/document"
	"souk/dynamic/metrics"
	"souk/dynamic/verification"
	"souk/dynamic/web"
)

// A monitor reports the state of the parts to health and to a Prometheus
// server.
type monitor struct {
	config  Config
	process *verification.Process
	builds  *builds
	metrics *metrics.Metrics
}

func newMonitor(c Config, p *verification.Process, b *builds) *monitor {
	m := &monitor{config: c, process: p, builds: b}
	if c.Metrics != "" {
		m.metrics = metrics.New(c.Version, m.state)
	}
	return m
}

// answered counts an answer.
func (m *monitor) answered(route, method string, status int, took time.Duration) {
	if m.metrics != nil {
		m.metrics.Answered(route, method, status, took)
	}
}

// lateMail is how long a mail may wait before health reports it.
const lateMail = 5 * time.Minute

// health returns what /health answers.
func (m *monitor) health(ctx context.Context) document.Health {
	h := document.Health{
		Status: web.StatusOK, Version: m.config.Version, Release: m.builds.builder.Tree().ID(),
		Checks: map[string]string{
			"content": cmp.Or(m.builds.failure(), web.StatusOK), "release": web.StatusOK, "search": m.builds.index.ready(),
			"ledger": web.StatusOK, "mail": web.StatusOK, "history": web.StatusOK,
		},
	}
	if h.Release == "" {
		h.Status, h.Checks["release"] = web.StatusDown, "there is none yet"
	}
	if m.builds.record.behind.Load() {
		h.Checks["history"] = "the last release is not on record yet"
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if m.config.Verification.Ledger.Ping(ctx) != nil {
		h.Status, h.Checks["ledger"] = web.StatusDown, "it cannot be read"
		return h
	}
	if state, err := m.process.Outbox(ctx); err == nil && !state.Oldest.IsZero() {
		if waits := m.config.Build.Clock().Sub(state.Oldest); waits > lateMail {
			h.Checks["mail"] = fmt.Sprintf("%d wait, the oldest for %s", state.Waiting, waits.Round(time.Minute))
		}
	}
	return h
}

// state returns what the metrics are made from.
func (m *monitor) state() metrics.State {
	const longest = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	h := m.health(ctx)
	s := metrics.State{Release: h.Release, RemovalsPending: int(m.builds.unshown.Load()) + m.builds.queue.count()}
	s.Documents, s.Bytes = m.builds.builder.Tree().Summary()
	if x := m.builds.index.live.Current(); x != nil {
		s.Index = x.Release()
	}
	s.Published, s.CopyPending = m.builds.copy.state()
	for part, state := range h.Checks {
		if state != web.StatusOK {
			s.Down = append(s.Down, part)
		}
	}
	slices.Sort(s.Down)
	if box, err := m.process.Outbox(ctx); err == nil {
		s.MailsWaiting = box.Waiting
		if !box.Oldest.IsZero() {
			s.OldestMail = m.config.Build.Clock().Sub(box.Oldest)
		}
	}
	return s
}

// serve answers a Prometheus server until ctx ends; listener is nil where there is
// none.
func (m *monitor) serve(ctx context.Context, listener net.Listener) {
	if listener == nil {
		return
	}
	m.config.Log.Info("metrics", "address", "http://"+listener.Addr().String()+"/metrics")
	server := http.Server{Handler: m.metrics.Handler(), ReadHeaderTimeout: headerTime, WriteTimeout: readTime}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // a scraper that is cut off asks again
	defer stop()
	_ = server.Serve(listener) // it returns once the server is closed
}
