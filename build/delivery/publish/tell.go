package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"

	"souk/build/release"
)

// settle does everything that remains after uploading: it purges caches first, since they
// would still answer, and notifies search engines last, and of removals only once these are
// confirmed to be gone.
func (p *Publisher) settle(ctx context.Context, s sites, entries map[string]release.Entry, report *Report) error {
	purged, purgeErr := p.purge(ctx, s, slices.Sorted(maps.Keys(p.state.pending[taskPurge])))
	report.Purged += purged
	verified, err := p.verify(ctx, s, entries)
	report.Verified = verified
	if err != nil {
		return errors.Join(purgeErr, err)
	}
	report.Announced, err = p.announce(ctx, s)
	return errors.Join(purgeErr, err)
}

// purge notifies the caches of changed files, if necessary, and returns the number of URLs.
func (p *Publisher) purge(ctx context.Context, s sites, files []string) (told int, err error) {
	if p.options.Purge.Command == "" && p.options.Purge.URL == "" {
		return 0, nil
	}
	owed := p.state.pending[taskPurge]
	files = slices.DeleteFunc(slices.Clone(files), func(file string) bool { return !owed[file] })
	// A file has at most two URLs.
	for part := range slices.Chunk(files, max(1, p.options.Purge.Batch/2)) {
		urls := s.urls(p.layout, part)
		if err := p.purgeBatch(ctx, urls); err != nil {
			return told, err
		}
		told += len(urls)
		if err := p.note(ctx, true, note{Task: taskPurge, Paid: part}); err != nil {
			return told, err
		}
	}
	return told, nil
}

func (p *Publisher) purgeBatch(ctx context.Context, urls []string) error {
	if p.options.Purge.Command != "" {
		err := retrier(p.options, func(error) bool { return false })(ctx, 0, func(ctx context.Context) error {
			return p.runPurge(ctx, urls)
		})
		if err != nil {
			return fmt.Errorf("purge %d URLs with --purge-command: %w", len(urls), err)
		}
	}
	if p.options.Purge.URL == "" {
		return nil
	}
	body := struct {
		URLs []string `json:"urls"`
	}{urls}
	if err := p.post(ctx, p.options.Purge.URL, body); err != nil {
		return fmt.Errorf("purge %d URLs with --purge-url: %w", len(urls), err)
	}
	return nil
}

func (p *Publisher) runPurge(ctx context.Context, urls []string) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", p.options.Purge.Command)
	cmd.Stdin = strings.NewReader(strings.Join(urls, "\n") + "\n")
	cmd.Stdout, cmd.Stderr = p.options.Output, p.options.Output
	return cmd.Run()
}

// A statusError means that a webhook did not answer with success.
type statusError struct {
	host   string
	status int
}

func (e *statusError) Error() string { return fmt.Sprintf("%s answered %d", e.host, e.status) }

// post sends a value as JSON until it is accepted. A request that was rejected as invalid
// is not repeated.
func (p *Publisher) post(ctx context.Context, address string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	permanent := func(err error) bool {
		var s *statusError
		return errors.As(err, &s) && s.status < 500 && s.status != http.StatusTooManyRequests && s.status != http.StatusRequestTimeout
	}
	return retrier(p.options, permanent)(ctx, len(data), func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(data))
		if err != nil {
			return errors.New("it is not a URL")
		}
		request.Header.Set("Content-Type", "application/json; charset=utf-8")
		response, err := p.client.Do(request)
		if err != nil {
			return fmt.Errorf("%s: %w", hostOf(address), withoutURL(err))
		}
		_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
		err = errors.Join(err, response.Body.Close())
		if response.StatusCode >= 300 {
			return &statusError{hostOf(address), response.StatusCode}
		}
		return err
	})
}

// mostAnnounced is the maximum number of URLs in one request of the IndexNow protocol.
const mostAnnounced = 10_000

// announce notifies search engines of new, changed and removed pages; see
// https://www.indexnow.org/documentation.
func (p *Publisher) announce(ctx context.Context, s sites) (told int, err error) {
	if p.options.IndexNow.Key == "" {
		return 0, nil
	}
	u, err := url.Parse(s.site)
	if err != nil {
		return 0, err
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(p.state.pending[taskAnnounce])), mostAnnounced) {
		body := struct {
			Host    string   `json:"host"`
			Key     string   `json:"key"`
			URLList []string `json:"urlList"`
		}{Host: u.Host, Key: p.options.IndexNow.Key}
		for _, file := range part {
			body.URLList = append(body.URLList, s.site+"/"+pageOf(file))
		}
		if err := p.post(ctx, p.options.IndexNow.Endpoint, body); err != nil {
			return told, fmt.Errorf("announce %d pages to search engines: %w", len(part), err)
		}
		told += len(part)
		notes := inBatches(part, func(part []string) note { return note{Task: taskAnnounce, Paid: part} })
		if err := p.note(ctx, true, notes...); err != nil {
			return told, err
		}
	}
	return told, nil
}
