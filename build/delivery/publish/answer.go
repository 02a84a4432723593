package publish

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"souk/build/document"
	"souk/build/release"
)

// A RefusedError means that removals are not published because the host would not answer
// them with 410 or 404. Nothing was changed.
type RefusedError struct {
	// Removals is the number of addresses.
	Removals int
	// Reason says what is wrong and how to fix it.
	Reason string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("refused to publish %d removed addresses: %s", e.Removals, e.Reason)
}

// A NotGoneError names removed addresses that still answer.
type NotGoneError struct {
	// Answers maps each address to its last answer.
	Answers map[string]string
}

func (e *NotGoneError) Error() string {
	const most = 20
	var b strings.Builder
	fmt.Fprintf(&b, "%d removed addresses do not answer 410 or 404; purge the caches and check the host's rules; the next run checks again:", len(e.Answers))
	for i, address := range slices.Sorted(maps.Keys(e.Answers)) {
		if i == most {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Answers)-most)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s", address, e.Answers[address])
	}
	return b.String()
}

func isGoneStatus(status int) bool { return status == http.StatusGone || status == http.StatusNotFound }

// refuse checks, before anything is changed, whether removals would take effect.
func (p *Publisher) refuse(ctx context.Context, s sites, d *difference) error {
	_, isFolder := p.store.(*folderStore)
	n := len(d.removed)
	switch {
	case n == 0:
		return nil
	case s.base != "":
		return p.probe(ctx, s, n)
	case isGoneStatus(p.options.Host.Gone), p.options.Host.Gone == 0 && isFolder:
		return nil
	case p.options.Host.Gone != 0:
		return &RefusedError{n, fmt.Sprintf("the host answers %d for them. Use one that can answer 410 or 404", p.options.Host.Gone)}
	default:
		return &RefusedError{n, "it is unknown what the host of " + p.name +
			" answers for removed addresses. Give the public address with --base-url, so that it can be checked, or the kind of host with --host"}
	}
}

// probe requests an address that never existed. If a host answers with anything but 404 or
// 410, for example with a start page for all unknown addresses, it would do the same for a
// removed company.
func (p *Publisher) probe(ctx context.Context, s sites, removals int) error {
	address := s.publicURL(document.SellerFile("never-was-" + strings.ToLower(rand.Text())))
	var status int
	err := p.ask(ctx, address, func(got int) bool {
		status = got
		return got < 500
	})
	if err != nil {
		return fmt.Errorf("check how %s answers unknown addresses: %w", hostOf(address), err)
	}
	if !isGoneStatus(status) {
		return &RefusedError{removals, fmt.Sprintf(
			"%s answers %d for an unknown address, but must answer 404 or 410. Check the host's rules and --base-url", hostOf(address), status)}
	}
	return nil
}

// ask requests an address until accept accepts the status, for at most the configured
// number of attempts.
func (p *Publisher) ask(ctx context.Context, address string, accept func(status int) bool) error {
	return retrier(p.options, func(error) bool { return false })(ctx, 0, func(ctx context.Context) error {
		status, err := p.statusOf(ctx, address)
		if err == nil && !accept(status) {
			err = fmt.Errorf("it answers %d", status)
		}
		return err
	})
}

// statusOf sends one request. It does not follow redirects.
func (p *Publisher) statusOf(ctx context.Context, address string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	response, err := p.client.Do(request)
	if err != nil {
		return 0, withoutURL(err)
	}
	_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	return response.StatusCode, errors.Join(err, response.Body.Close())
}

// withoutURL removes the URL from an error of net/http.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// verify requests every removed address until it is gone. It returns how many are confirmed
// to be gone.
func (p *Publisher) verify(ctx context.Context, s sites, entries map[string]release.Entry) (int, error) {
	if s.base == "" {
		return 0, nil
	}
	var asked, back []string
	for _, file := range slices.Sorted(maps.Keys(p.state.pending[taskVerify])) {
		if _, gone := entries[document.GoneFile(file)]; gone {
			asked = append(asked, file)
		} else {
			back = append(back, file)
		}
	}
	until := p.options.Now().Add(p.options.Host.VerifyTimeout)
	var mu sync.Mutex
	answers := map[string]string{}
	var group errgroup.Group
	group.SetLimit(p.options.Requests.Parallel)
	for _, file := range asked {
		group.Go(func() error {
			for try := 0; ; try++ {
				status, err := p.statusOf(ctx, s.publicURL(file))
				if err == nil && isGoneStatus(status) {
					mu.Lock()
					defer mu.Unlock()
					back = append(back, file)
					return nil
				}
				if p.options.Now().After(until) {
					mu.Lock()
					defer mu.Unlock()
					answers[s.publicURL(file)] = fmt.Sprint(status)
					if err != nil {
						answers[s.publicURL(file)] = err.Error()
					}
					return nil
				}
				if err := p.options.Sleep(ctx, pause(try)); err != nil {
					return err
				}
			}
		})
	}
	err := group.Wait()
	paid := p.note(ctx, true, inBatches(back, func(part []string) note { return note{Task: taskVerify, Paid: part} })...)
	if err := errors.Join(err, paid); err != nil {
		return 0, err
	}
	if len(answers) > 0 {
		return len(asked) - len(answers), &NotGoneError{answers}
	}
	return len(asked), nil
}
