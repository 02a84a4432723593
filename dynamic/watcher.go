package dynamic

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"souk/build/document"
	"souk/dynamic/metrics"
	"souk/dynamic/web"
)

// A watcher tells how the parts do: to health, and to a Prometheus server.
type watcher struct {
	config    Config
	rebuilder *Rebuilder
	indexer   *indexer
	office    *office
	metrics   *metrics.Metrics
	answered  func(route, method string, status int, took time.Duration)
}

func newWatcher(c Config, r *Rebuilder, x *indexer, o *office) *watcher {
	w := &watcher{config: c, rebuilder: r, indexer: x, office: o}
	if c.Metrics != "" {
		w.metrics = metrics.New(c.Version, w.state)
		w.answered = w.metrics.Answered
	}
	return w
}

// health tells what /health answers.
func (w *watcher) health(ctx context.Context) document.Health {
	h := document.Health{
		Status: web.StatusOK, Version: w.config.Version, Release: w.rebuilder.builder.Tree().ID(),
		Checks: map[string]string{
			"content": cmp.Or(w.rebuilder.failure(), web.StatusOK), "release": web.StatusOK, "search": w.indexer.ready(),
		},
	}
	if h.Release == "" {
		h.Status, h.Checks["release"] = web.StatusDown, "there is none yet"
	}
	if w.office.health(ctx, h.Checks) {
		h.Status = web.StatusDown
	}
	return h
}

// state tells what the metrics are.
func (w *watcher) state() metrics.State {
	const longest = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	h := w.health(ctx)
	s := metrics.State{Release: h.Release, RemovalsPending: w.office.pending()}
	s.Documents, s.Bytes = w.rebuilder.builder.Tree().Summary()
	if x := w.indexer.live.Current(); x != nil {
		s.Index = x.Release()
	}
	s.Published, s.CopyPending = w.office.copier.state()
	for part, state := range h.Checks {
		if state != web.StatusOK {
			s.Down = append(s.Down, part)
		}
	}
	slices.Sort(s.Down)
	if box, err := w.office.process.Outbox(ctx); err == nil {
		s.MailsWaiting = box.Waiting
		if !box.Oldest.IsZero() {
			s.OldestMail = w.config.Build.Clock().Sub(box.Oldest)
		}
	}
	return s
}

// serve takes the address of the metrics and gives what answers there until a
// context ends.
func (w *watcher) serve(ctx context.Context, c Config) (func(context.Context), error) {
	if w.metrics == nil {
		return func(context.Context) {}, nil
	}
	listener, err := listen(ctx, c.Metrics)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	c.Log.Info("metrics", "address", "http://"+listener.Addr().String()+"/metrics")
	return func(ctx context.Context) {
		server := http.Server{Handler: w.metrics.Handler(), ReadHeaderTimeout: headerTime, WriteTimeout: readTime}
		stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // whoever asks then asks again
		defer stop()
		_ = server.Serve(listener) // it ends when it is closed
	}, nil
}
