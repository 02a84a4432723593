package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A cost is what a step took.
type cost struct {
	Wall   time.Duration `json:"wall"`
	User   time.Duration `json:"user"`
	System time.Duration `json:"system"`
	// Memory is the greatest resident size in bytes; 0 where nobody knows.
	Memory int64 `json:"memory,omitempty"`
}

// median returns the cost with the middle wall time.
func median(costs []cost) cost {
	sorted := slices.SortedFunc(slices.Values(costs), func(a, b cost) int { return cmp.Compare(a.Wall, b.Wall) })
	return sorted[len(sorted)/2]
}

// A report is what `souk build --json` tells.
type report struct {
	Documents int   `json:"documents"`
	Written   int   `json:"written"`
	Unchanged int   `json:"unchanged"`
	Bytes     int64 `json:"bytes"`
}

// Figures are all that is measured at one size; durations are in nanoseconds.
type figures struct {
	Listings    int   `json:"listings"`
	Runs        int   `json:"runs"`
	SourceFiles int   `json:"sourceFiles"`
	SourceBytes int64 `json:"sourceBytes"`
	OutputFiles int   `json:"outputFiles"`
	OutputBytes int64 `json:"outputBytes"`
	Documents   int   `json:"documents"`

	Floor    cost `json:"floor"`
	Cold     cost `json:"cold"`
	Walk     cost `json:"walk"`
	NoChange cost `json:"noChange"`
	OneByCLI cost `json:"oneChangedByCommand"`
	// Edits are the rebuilds of a running Builder.
	Edits []edits `json:"edits"`
	// Twins are cold builds with several --precompress.
	Twins []twins `json:"precompress"`
}

// A bench runs the measurements of all sizes.
type bench struct {
	ctx  context.Context
	work string
	// souk is the program that is measured.
	souk string
	runs int
	// quick leaves out the builds with twins.
	quick bool
}

// newBench compiles the program into the work folder.
func newBench(ctx context.Context, work string, runs int) (*bench, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return nil, fmt.Errorf("find the module: go env GOMOD: %w", err)
	}
	module := strings.TrimSpace(string(out))
	if module == "" || module == os.DevNull {
		return nil, fmt.Errorf("find the module: run this within the repository")
	}
	b := &bench{ctx: ctx, work: work, souk: filepath.Join(work, "souk"), runs: runs}
	build := exec.CommandContext(ctx, "go", "build", "-o", b.souk, "./cmd/souk")
	build.Dir = filepath.Dir(module)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile the program: %w\n%s", err, out)
	}
	return b, nil
}

// say tells on standard error what is being done.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

// A site is the folders of one size.
type site struct {
	*bench
	market  *market
	dir     string
	content string
	runs    int
}

func (s *site) folder(name string) string { return filepath.Join(s.dir, name) }

// measure takes all measurements of one size. Each writes into folders of its
// own, and nothing is deleted in between.
func (b *bench) measure(listings int) (figures, error) {
	s := &site{bench: b, market: newMarket(listings), dir: filepath.Join(b.work, fmt.Sprint(listings)), runs: b.runs}
	if s.content = s.folder("content"); s.runs == 0 {
		s.runs = 1
		if listings <= 10_000 {
			s.runs = 3
		}
	}
	f := figures{Listings: listings, Runs: s.runs}
	say("%d listings: writing the content", listings)
	if err := s.market.write(s.content); err != nil {
		return f, err
	}
	steps := []func(*figures) error{s.coldAndFloor, s.noChange, s.oneChanged, s.watch}
	if !b.quick {
		steps = append(steps, s.precompress)
	}
	for _, step := range steps {
		if err := b.ctx.Err(); err != nil {
			return f, err
		}
		if err := step(&f); err != nil {
			return f, err
		}
	}
	return f, nil
}

// build runs the program on the content and gives what it took and told. name
// tells apart the output folders.
func (s *site) build(name, precompress string) (cost, report, error) {
	var r report
	var out, messages bytes.Buffer
	cmd := exec.CommandContext(s.ctx, s.souk, "build", "--json", "--content", s.content, "--precompress", precompress,
		"--public", s.folder("public-"+name), "--state", s.folder("state-"+name))
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SOUK_") })
	cmd.Stdout, cmd.Stderr = &out, &messages
	settle()
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil {
		return cost{}, r, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, messages.String())
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		return cost{}, r, fmt.Errorf("read what souk build --json tells: %w", err)
	}
	p := cmd.ProcessState
	return cost{Wall: wall, User: p.UserTime(), System: p.SystemTime(), Memory: peak(p)}, r, nil
}

// coldAndFloor measures by turns the first build and the floor, so that both
// meet the same page cache.
func (s *site) coldAndFloor(f *figures) error {
	var colds, floors []cost
	var least floor
	for run := range s.runs {
		say("%d listings: cold build and floor, run %d of %d", s.market.listings, run+1, s.runs)
		c, r, err := s.build(fmt.Sprint(run), "off")
		if err != nil {
			return err
		}
		colds, f.Documents = append(colds, c), r.Documents
		if err := apart(s.ctx, &least, "floor", s.content, s.folder("public-0"), s.folder(fmt.Sprint("floor-", run))); err != nil {
			return err
		}
		floors = append(floors, least.Cost)
	}
	f.Cold, f.Floor = median(colds), median(floors)
	f.SourceFiles, f.SourceBytes = least.Sources, least.SourceBytes
	f.OutputFiles, f.OutputBytes = least.Outputs, least.OutputBytes
	return nil
}

// few is how often short steps are repeated.
const few = 3

// noChange measures by turns a build that finds nothing to do and a bare walk.
func (s *site) noChange(f *figures) error {
	say("%d listings: builds without a change", s.market.listings)
	var builds, walks []cost
	for range few {
		c, r, err := s.build("0", "off")
		if err != nil {
			return err
		}
		if r.Written > 0 {
			return fmt.Errorf("a build without a change wrote %d documents", r.Written)
		}
		builds = append(builds, c)
		if c, err = walk(s.content); err != nil {
			return err
		}
		walks = append(walks, c)
	}
	f.NoChange, f.Walk = median(builds), median(walks)
	return nil
}

// oneChanged measures the command after one product was edited.
func (s *site) oneChanged(f *figures) error {
	say("%d listings: one changed product, by the command", s.market.listings)
	var builds []cost
	for _, file := range s.market.products(few) {
		if err := (edit{"summary", changeSummary}).apply(s.content, file); err != nil {
			return err
		}
		c, r, err := s.build("0", "off")
		if err != nil {
			return err
		}
		if r.Written == 0 {
			return fmt.Errorf("the edit of %s wrote no document", file)
		}
		builds = append(builds, c)
	}
	f.OneByCLI = median(builds)
	return nil
}

// watch measures rebuilds of a running Builder.
func (s *site) watch(f *figures) error {
	say("%d listings: edits while watching", s.market.listings)
	return apart(s.ctx, &f.Edits, "watch", s.content, s.folder("public-0"), s.folder("state-0"), fmt.Sprint(s.market.listings))
}
