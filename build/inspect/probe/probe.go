package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"souk/build/document"
	"souk/build/kit/verbatim"
)

// Config says what to probe. Base and Public are required.
type Config struct {
	// Base is the web address of the host: scheme and host, no path.
	Base string
	// Public is the folder of the release that the host should serve.
	Public string
	// Sample is the maximum number of documents, and of removed addresses, to request; 0
	// means all.
	Sample int
	// Seed determines the sample.
	Seed uint64
	// Workers is the number of concurrent requests; default 8.
	Workers int
	// Progress is called with the number of addresses done, from several goroutines.
	Progress func(done, total int)
}

// ErrBase means that Config.Base is not the address of a host.
var ErrBase = errors.New("not the web address of a host, as in https://market.example")

// A Report is the result of a run.
type Report struct {
	// Release is the id of the release in the folder.
	Release string `json:"release"`
	// Documents and Removed are the numbers of requested addresses; Requests is the number
	// of requests.
	Documents int `json:"documents"`
	Removed   int `json:"removed"`
	Requests  int `json:"requests"`
	// Foreign is the number of files that no build wrote. They were skipped, since nothing
	// in a file shows whether it is from site/ or was put there by hand.
	Foreign int `json:"foreign"`
	// Encoded counts the documents that were sent in the requested coding.
	Encoded map[string]int `json:"encoded"`
	// Mismatches are the wrong answers, sorted by address: those of removed addresses
	// first, then those of documents.
	Mismatches []Mismatch `json:"mismatches"`
}

// A Mismatch is one mistake in one answer.
type Mismatch struct {
	// Request contains the method, the path as sent, and other properties of the request.
	Request string `json:"request"`
	// Check names what was checked: answer, status, body, type, cors, cache,
	// etag, encoding, vary, unchanged, head, problem, policy, allow, leads.
	Check string `json:"check"`
	Want  string `json:"want"`
	Got   string `json:"got"`
}

func (m Mismatch) String() string {
	return fmt.Sprintf("%s: %s: want %s, got %s", m.Request, m.Check, m.Want, m.Got)
}

// most is how many requests may remain unanswered before the host counts as down.
const most = 20

// A prober is one run.
type prober struct {
	config Config
	client *http.Client
	base   url.URL
	folder folder
	// release is the release in the folder, read before the first request.
	release published

	requests, failures atomic.Int64
	mu                 sync.Mutex
	encoded            map[string]int
	foreign            int
}

// Run probes a host. It fails if the folder has no release, or if the host cannot
// be reached or serves another release; wrong answers are in the Report.
func Run(ctx context.Context, c Config) (Report, error) {
	base, err := url.Parse(c.Base)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.Path != "" && base.Path != "/" ||
		base.RawQuery != "" || base.Fragment != "" || base.User != nil {
		return Report{}, fmt.Errorf("%q: %w", c.Base, ErrBase)
	}
	c.Workers = cmp.Or(c.Workers, 8)
	p := &prober{config: c, client: verbatim.Client(30 * time.Second), base: *base, folder: folder(c.Public), encoded: map[string]int{}}
	r, err := p.list()
	if err != nil {
		return Report{}, err
	}
	p.release = r
	if err := p.sameRelease(ctx, r.id); err != nil {
		return Report{}, err
	}
	report := Report{
		Release: r.id, Documents: min(len(r.documents), sampleSize(c.Sample, len(r.documents))),
		Removed: min(len(r.removed), sampleSize(c.Sample, len(r.removed))),
	}
	all, err := p.run(ctx, p.tasks(r))
	report.Mismatches, report.Requests = all, int(p.requests.Load())
	report.Encoded, report.Foreign = p.encoded, p.foreign
	report.Documents -= p.foreign
	return report, err
}

// A task sends requests that belong together.
type task func(ctx context.Context) *findings

// tasks returns all tasks, in order.
func (p *prober) tasks(r published) []task {
	var all []task
	for _, file := range sampled(r.removed, p.config.Sample, p.config.Seed) {
		all = append(all, func(ctx context.Context) *findings { return p.removed(ctx, file) })
	}
	for _, file := range sampled(r.documents, p.config.Sample, p.config.Seed) {
		all = append(all, func(ctx context.Context) *findings { return p.document(ctx, file) })
	}
	for _, path := range append(nowhere(r), hostile(r)...) {
		all = append(all, func(ctx context.Context) *findings { return p.nowhere(ctx, path) })
	}
	for _, path := range nowhere(r) {
		all = append(all, func(ctx context.Context) *findings { return p.preflightMissing(ctx, path) })
	}
	for _, path := range above(r) {
		all = append(all, func(ctx context.Context) *findings { return p.outside(ctx, path) })
	}
	for _, file := range inner(r.documents) {
		all = append(all, func(ctx context.Context) *findings { return p.methods(ctx, document.Address(file)) })
	}
	if r.missing != nil {
		all = append(all, p.filled)
	}
	for _, file := range []string{document.VerifyClaimFile, document.VerifyRemovalFile} {
		all = append(all, func(ctx context.Context) *findings { return p.linked(ctx, file) })
	}
	return append(all, p.health, func(ctx context.Context) *findings { return p.bodiless(ctx, r) })
}

// run runs tasks and returns their findings, in order.
func (p *prober) run(ctx context.Context, tasks []task) ([]Mismatch, error) {
	found := make([]*findings, len(tasks))
	var done atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.config.Workers)
	for i, one := range tasks {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			found[i] = one(ctx)
			if p.config.Progress != nil {
				p.config.Progress(int(done.Add(1)), len(tasks))
			}
			if p.failures.Load() > most {
				return fmt.Errorf("%s stopped answering: %d requests failed, the last one with: %s: check its log, and probe again", p.config.Base, p.failures.Load(), found[i].last())
			}
			return ctx.Err()
		})
	}
	err := group.Wait()
	all := []Mismatch{}
	for _, f := range found {
		if f != nil {
			all = append(all, f.all...)
		}
	}
	return all, err
}

// findings are the mismatches of a task.
type findings struct{ all []Mismatch }

func (f *findings) add(q question, check, want, got string) {
	f.all = append(f.all, Mismatch{Request: q.String(), Check: check, Want: want, Got: got})
}

func (f *findings) last() string {
	if len(f.all) == 0 {
		return "no answer"
	}
	return f.all[len(f.all)-1].Got
}
