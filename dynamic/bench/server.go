package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"souk/build"
	"souk/build/release"
	"souk/dynamic"
	"souk/dynamic/ledger"
	"souk/dynamic/mail"
)

// generate writes a synthetic content folder.
func generate(ctx context.Context, content string, listings int) error {
	out, err := exec.CommandContext(ctx, "go", "run", "souk/build/bench", "-generate", content, "-listings", fmt.Sprint(listings)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("write the content: %w\n%s", err, out)
	}
	return nil
}

// A server is one that runs in this process.
type server struct {
	base, folder string
	sellers      []string
	removed      []string
	client       *http.Client
	mails        *box
	releases     *releases
	stop         func()
	ended        chan error
	ledger       *ledger.Ledger
	dir          string
}

// A box keeps the tokens that are mailed.
type box struct{ tokens chan token }

type token struct{ id, text string }

// Send is that of mail.Sender.
func (b *box) Send(_ context.Context, l mail.Letter) error {
	_, rest, found := strings.Cut(l.Text, "#id=")
	if !found {
		return nil
	}
	id, rest, _ := strings.Cut(rest, "&token=")
	b.tokens <- token{id, strings.Fields(rest)[0]}
	return nil
}

// A releases is a log that keeps what each release wrote.
type releases struct{ made chan made }

type made struct{ written, deleted int }

func (r *releases) Enabled(context.Context, slog.Level) bool { return true }
func (r *releases) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r *releases) WithGroup(string) slog.Handler            { return r }
func (r *releases) Handle(_ context.Context, l slog.Record) error {
	if l.Level >= slog.LevelWarn {
		fmt.Fprintln(os.Stderr, "bench:", l.Message)
		l.Attrs(func(a slog.Attr) bool { fmt.Fprintln(os.Stderr, "   ", a); return true })
	}
	if l.Message != "rebuilt" {
		return nil
	}
	var m made
	l.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "written":
			m.written = int(a.Value.Int64())
		case "removed":
			m.deleted = int(a.Value.Int64())
		}
		return true
	})
	r.made <- m
	return nil
}

// open builds the content and serves it.
func open(ctx context.Context, content, dir string, precompress release.Precompress) (*server, error) {
	entries, err := os.ReadDir(filepath.Join(content, "sellers"))
	if err != nil {
		return nil, err
	}
	s := &server{
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}, dir: dir, folder: filepath.Join(dir, "public"),
		mails: &box{make(chan token, 1<<20)}, releases: &releases{make(chan made, 1000)}, ended: make(chan error, 1),
	}
	for _, e := range entries {
		s.sellers = append(s.sellers, e.Name())
	}
	state := filepath.Join(dir, "state")
	if err := os.MkdirAll(state, 0o755); err != nil {
		return nil, err
	}
	if s.ledger, err = ledger.Open(ctx, filepath.Join(state, "ledger.db")); err != nil {
		return nil, err
	}
	serving := make(chan string, 1)
	ctx, s.stop = context.WithCancel(ctx)
	fmt.Fprintf(os.Stderr, "bench: building %s\n", content)
	go func() {
		s.ended <- dynamic.Run(ctx, dynamic.Config{
			Build: build.Config{
				Content: content, Public: s.folder, State: state, Clock: time.Now,
				Precompress: precompress, Program: "bench",
			},
			Verification: dynamic.VerificationConfig{Ledger: s.ledger, Sender: s.mails, From: "bench@market.example", Unlimited: true},
			Listen:       "127.0.0.1:0", Version: "bench", Log: slog.New(s.releases),
			Serving: func(a net.Addr, _ string) { serving <- "http://" + a.String() + "/api/v1/marketplace" },
		})
	}()
	select {
	case s.base = <-serving:
		<-s.releases.made
		s.sellers = slices.DeleteFunc(s.sellers, func(slug string) bool { return !s.public(ctx, slug) })
		return s, nil
	case err := <-s.ended:
		return nil, errors.Join(err, s.ledger.Close())
	}
}

// public reports whether a seller is: some of the content are drafts.
func (s *server) public(ctx context.Context, slug string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, s.base+"/companies/"+slug, nil)
	if err != nil {
		return false
	}
	response, err := s.client.Do(r)
	if err != nil {
		return false
	}
	return response.Body.Close() == nil && response.StatusCode == http.StatusOK
}

func (s *server) close() error {
	s.stop()
	return errors.Join(<-s.ended, s.ledger.Close())
}

// post sends a body and wants a status.
func (s *server) post(ctx context.Context, address string, status int, body string) (map[string]any, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != status {
		return nil, fmt.Errorf("%s answers %s: %s", address, response.Status, text)
	}
	var fields map[string]any
	return fields, json.NewDecoder(bytes.NewReader(text)).Decode(&fields)
}

// start starts a removal and gives its id.
func (s *server) start(ctx context.Context, slug string) (string, error) {
	fields, err := s.post(ctx, "/companies/"+slug+"/removal-requests", http.StatusAccepted,
		fmt.Sprintf(`{"requesterName":"Jane Doe","requesterEmail":"jane@%s.example"}`, slug))
	id, _ := fields["requestId"].(string)
	return id, err
}

// spread returns so many sellers of all.
func (s *server) spread(count int) []string {
	count = min(count, len(s.sellers))
	var all []string
	for i := range count {
		all = append(all, s.sellers[i*len(s.sellers)/count])
	}
	return all
}

// middle returns the median.
func middle[T int | time.Duration](all []T) T { return percentile(all, 50) }

func percentile[T int | time.Duration](all []T, n int) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)*n/100, len(sorted)-1)]
}
