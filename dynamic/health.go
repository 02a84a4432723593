package dynamic

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"souk/build/document"
	"souk/dynamic/operator/metrics"
	"souk/dynamic/operator/notify"
	"souk/dynamic/operator/searches"
	"souk/dynamic/verification"
	"souk/dynamic/web"
)

// A monitor reports the state of the parts to health checks and to a Prometheus server.
type monitor struct {
	config  Config
	process *verification.Process
	origin  observed
	leases  *leases
	notify  *notify.Notifier
	// searches counts searches.
	searches *searches.Log
	metrics  *metrics.Metrics
	// asking merges concurrent reads of the ledger.
	asking singleflight.Group
}

func newMonitor(c Config, p *verification.Process, from observed, leases *leases, n *notify.Notifier, s *searches.Log) *monitor {
	m := &monitor{config: c, process: p, origin: from, leases: leases, notify: n, searches: s}
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

// health returns the answer of /health.
func (m *monitor) health(ctx context.Context) document.Health {
	h, _, _ := m.look(ctx)
	return h
}

// look reads the state of each part once.
func (m *monitor) look(ctx context.Context) (h document.Health, now state, box verification.OutboxState) {
	from, now := m.origin.sources(), m.origin.state()
	h = document.Health{Status: web.StatusOK, Version: m.config.Version, Release: from.ID(), Checks: now.checks}
	h.Checks["ledger"], h.Checks["mail"] = web.StatusOK, web.StatusOK
	switch {
	case h.Release == "":
		h.Status, h.Checks["release"] = web.StatusDown, "there is none yet"
	case !readable(from):
		h.Status, h.Checks["release"] = web.StatusDown, "its files cannot be read"
	}
	if lease := m.leases.check(); lease != "" {
		if h.Checks["lease"] = lease; lease != web.StatusOK {
			h.Status = web.StatusDown
		}
	}
	if len(m.notify.Addresses) > 0 {
		h.Checks["notify"] = cmp.Or(m.notify.State(), web.StatusOK)
	}
	box, err := m.outbox(ctx)
	if err != nil {
		h.Status, h.Checks["ledger"] = web.StatusDown, "it cannot be read"
		return h, now, verification.OutboxState{}
	}
	if waits := m.waits(box); waits > lateMail {
		h.Checks["mail"] = fmt.Sprintf("%d waiting, the oldest for %s", box.Waiting, waits.Round(time.Minute))
	}
	return h, now, box
}

// waits returns how long the oldest mail has been waiting.
func (m *monitor) waits(box verification.OutboxState) time.Duration {
	if box.Oldest.IsZero() {
		return 0
	}
	return m.config.Build.Clock().Sub(box.Oldest)
}

// readable reports whether a release's files can be opened. If the folder was deleted or
// unmounted, no document can be served, whatever is in memory.
func readable(from sources) bool {
	f, err := from.OpenFile(document.ReleaseFile)
	if err != nil {
		return false
	}
	_ = f.Close() // it was only read
	return true
}

// ledgerTime is how long health waits for the ledger.
const ledgerTime = 2 * time.Second

// outbox reads the state of the outbox. It uses one ledger connection however many callers
// there are.
func (m *monitor) outbox(ctx context.Context) (verification.OutboxState, error) {
	read := m.asking.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ledgerTime)
		defer cancel()
		return m.process.Outbox(ctx)
	})
	select {
	case <-ctx.Done():
		return verification.OutboxState{}, ctx.Err()
	case got := <-read:
		return got.Val.(verification.OutboxState), got.Err
	}
}

// state returns the state for the metrics.
func (m *monitor) state() metrics.State {
	const longest = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	h, now, box := m.look(ctx)
	from := m.origin.sources()
	s := metrics.State{
		Release: h.Release, RemovalsPending: now.pending, Published: now.copied, CopyPending: now.copyPending,
		MailsWaiting: box.Waiting, OldestMail: m.waits(box),
	}
	s.Searches, s.EmptySearches = m.searches.Counts()
	s.Documents, s.Bytes = from.Summary()
	if h.Release != "" {
		s.Made, _ = from.BuiltFrom()
	}
	if x := from.live.Current(); x != nil {
		s.Index = x.Release()
	}
	for part, state := range h.Checks {
		if state != web.StatusOK {
			s.Down = append(s.Down, part)
		}
	}
	slices.Sort(s.Down)
	if m.leases.keeper != nil {
		has := m.leases.state()
		s.Lease = &metrics.Lease{Left: m.leases.keeper.Remaining(), Withheld: has.Withheld, Made: has.Built}
	}
	return s
}

// serve answers a Prometheus server until ctx ends. It does nothing if listener is nil.
func (m *monitor) serve(ctx context.Context, listener net.Listener) {
	if listener == nil {
		return
	}
	server := http.Server{Handler: m.metrics.Handler(), ReadHeaderTimeout: headerTime, WriteTimeout: readTime}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // a scraper retries
	defer stop()
	_ = server.Serve(listener) // it returns once the server is closed
}
