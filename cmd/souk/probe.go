package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build/inspect/probe"
	"souk/build/kit/problem"
)

type probeOptions struct {
	public string
	sample int
	seed   uint64
	wait   time.Duration
	json   bool
}

func newProbe(w environment) *cobra.Command {
	var o probeOptions
	cmd := &cobra.Command{
		Use:   "probe URL",
		Short: "Request every file of a release from a live host and report wrong answers",
		Long: `Probe asks a host for every document and page of the release in --public, and for every
address that was removed from it, in each way that matters: GET and HEAD, with and without a
slash, in each coding, with an ETag and with an Origin; and for addresses where nothing
exists, some with deceptive spellings. It reports each answer that is not what the
API promises.

Behind a shared cache what was published is seen when the cache has forgotten the release
before, after two minutes with the lifetimes of 'souk hosts': with --wait all is asked again
until then.

It changes nothing. A release of 100,000 documents takes over a million requests:
--sample asks for some of them.

Exit codes: 0 all answers are right, 1 some are not or the host cannot be reached,
2 the command line is wrong.`,
		Example: "  souk probe https://market.example --public public\n  souk probe http://127.0.0.1:8080 --sample 200 --json",
		Args:    exactArgs(1, "the web address of a host"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runProbe(cmd.Context(), w, o, args[0]) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *probeOptions) AddFlags(flags *pflag.FlagSet) {
	addFolder(flags, &o.public, "public", "public", "the folder of the release that the host serves")
	flags.IntVar(&o.sample, "sample", 0, "request only this many documents and as many removed addresses; 0 for all")
	flags.Uint64Var(&o.seed, "seed", 1, "the seed of the sample; another one draws another sample")
	flags.DurationVar(&o.wait, "wait", 0, "keep retrying wrong answers for this long, such as 3m: a cache may still hold the last release")
	flags.BoolVar(&o.json, "json", false, "print the report as JSON")
}

func runProbe(ctx context.Context, w environment, o probeOptions, base string) error {
	if o.sample < 0 {
		return usagef("--sample %d is not a number of documents: give at least 1, or 0 for all", o.sample)
	}
	c := probe.Config{Base: base, Public: o.public, Sample: o.sample, Seed: o.seed}
	if isTerminal(w.stderr) {
		c.Progress = progress(w, "probing")
	}
	report, err := probeUntil(ctx, c, w.now().Add(o.wait), w.now)
	if errors.Is(err, probe.ErrBase) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if o.json {
		err = printJSON(w.stdout, report)
	} else {
		err = printReport(w, report)
	}
	if err == nil && len(report.Mismatches) > 0 {
		return errReported
	}
	return err
}

// probeUntil repeats the probe until all answers are right or the time is up.
func probeUntil(ctx context.Context, c probe.Config, end time.Time, now func() time.Time) (probe.Report, error) {
	const pause = 5 * time.Second
	for {
		report, err := probe.Run(ctx, c)
		left := end.Sub(now())
		if err == nil && len(report.Mismatches) == 0 || errors.Is(err, probe.ErrBase) || left <= 0 {
			return report, err
		}
		select {
		case <-ctx.Done():
			return report, ctx.Err()
		case <-time.After(min(pause, left)):
		}
	}
}

// printReport prints a report for people.
func printReport(w environment, r probe.Report) error {
	// One wrong setting affects every address, so a few of each kind are enough.
	const most = 10
	seen := map[string]int{}
	for _, m := range r.Mismatches {
		if seen[m.Check]++; seen[m.Check] <= most {
			fmt.Fprintln(w.stdout, m)
		}
	}
	for _, check := range slices.Sorted(maps.Keys(seen)) {
		if more := seen[check] - most; more > 0 {
			fmt.Fprintf(w.stdout, "%s: %d more; --json prints them\n", check, more)
		}
	}
	if r.Foreign > 0 {
		fmt.Fprintf(w.stderr, "souk: skipped %s of your own, such as those of site/\n", problem.Count(r.Foreign, "file"))
	}
	var codings []string
	for _, coding := range []string{"gzip", "br"} {
		codings = append(codings, fmt.Sprintf("%d came as %s", r.Encoded[coding], coding))
	}
	_, err := fmt.Fprintf(w.stdout, "release %s: %s asked for (%s), %d removed, in %s: %s\n", r.Release, problem.Count(r.Documents, "document"),
		strings.Join(codings, ", "), r.Removed, problem.Count(r.Requests, "request"), verdict(len(r.Mismatches)))
	return err
}

func verdict(mismatches int) string {
	if mismatches == 0 {
		return "all answers are right"
	}
	return fmt.Sprintf("%d wrong", mismatches)
}
