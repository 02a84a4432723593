package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"souk/build"
	"souk/build/index"
	"souk/build/kit/problem"
	beside "souk/build/release/market"
	"souk/dynamic"
	"souk/dynamic/ledger"
)

type buildCommandOptions struct {
	buildOptions
	json        bool
	searchParts onOff
}

func newBuild(w environment) *cobra.Command {
	var o buildCommandOptions
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Render the content into the public folder",
		Long: `Build renders the content folder into versioned JSON documents, sitemaps and pictures.
Only what changed is written; all of it becomes public at once, or nothing does.
A seller that was removed, by the ledger or the list of --removals, is withheld everywhere,
and its addresses are gone: they answer 410. A ledger that cannot be read fails the build.

Exit codes: 0 built, 1 the content is wrong or the output could not be written,
2 the command line is wrong.`,
		Example: "  souk build --content content --public public\n  souk build --removals removals.yaml --now 2026-01-31T00:00:00Z",
		Args:    exactArgs(0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runBuild(cmd.Context(), w, o) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *buildCommandOptions) AddFlags(flags *pflag.FlagSet) {
	o.add(flags)
	flags.BoolVar(&o.json, "json", false, "print the summary as JSON")
	o.searchParts = true
	flags.Var(&o.searchParts, "search-parts", "write the search data of 'souk serve --from' beside the public folder: on or off")
}

func runBuild(ctx context.Context, w environment, o buildCommandOptions) error {
	config, err := o.config(w)
	if err != nil {
		return err
	}
	config.Waiting = func() {
		fmt.Fprintf(w.stderr, "souk: waiting for another build that is writing to %s\n", o.public)
	}
	if !o.json && isTerminal(w.stderr) {
		config.Progress = progress(w, "rendering")
	}
	roomForGarbage(w)
	began := w.now()
	report, err := buildOnce(ctx, w, o, config)
	err = locatedError(o.content, o.theme, err)
	var mistakes *problem.Error
	if errors.As(err, &mistakes) && o.json {
		return mistakesError(w, mistakes)
	}
	if err != nil {
		return err
	}
	notices(w, &o.buildOptions, report)
	warnPlaceholders(w, o.public)
	seconds := w.now().Sub(began).Seconds()
	if o.json {
		return printJSON(w.stdout, reportData(report, seconds))
	}
	_, err = fmt.Fprintln(w.stdout, summary(report, seconds))
	return err
}

// buildOnce builds with the ledger and records the release in it.
func buildOnce(ctx context.Context, w environment, o buildCommandOptions, config build.Config) (report build.Report, err error) {
	// Check the command line before creating a ledger.
	var held building
	config.Permit = held.begin
	b, err := build.New(config)
	if err != nil {
		return report, err
	}
	listed, err := o.listedRemovals(w)
	if err != nil {
		return report, err
	}
	l, err := o.openForBuild(ctx)
	err = withLedger(l, err, func(l *ledger.Ledger) (err error) {
		defer held.close()
		if err := held.folder(ctx, w, l, o.public); err != nil {
			return err
		}
		turn, err := b.Begin(ctx)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, turn.End()) }()
		record := dynamic.NewRecord(l, listed)
		removals, err := record.Removals(ctx)
		if err != nil {
			return err
		}
		if report, err = turn.Build(ctx, removals); err != nil {
			return o.unexplained(err)
		}
		search := turn.DropSearch
		if o.searchParts {
			search = func() error { return turn.WriteSearch(ctx, index.Options{Removals: record.Removals}) }
		}
		// Writing the history takes one processor; writing the search parts takes all of them.
		var after errgroup.Group
		after.Go(search)
		after.Go(func() error { return record.Released(ctx, b, report, config.Clock()) })
		err = after.Wait()
		if errors.Is(err, context.Canceled) {
			fmt.Fprintln(w.stderr, "souk: interrupted: the release is complete, and the next build adds the search data and history that are missing")
			return errReported
		}
		if err != nil {
			return fmt.Errorf("the release was written, but %w", err)
		}
		// Servers that miss the announcement find the release by polling.
		_ = l.Announce(ctx)
		return nil
	})
	return report, err
}

// notices prints what else the operator should know.
func notices(w environment, o *buildOptions, r build.Report) {
	const most = 5
	if n := len(r.Foreign); n > 0 {
		names := strings.Join(r.Foreign[:min(n, most)], ", ")
		if n > most {
			names += ", …"
		}
		fmt.Fprintf(w.stderr, "souk: kept in %s: %s that souk did not write: %s\n", o.public, problem.Count(n, "file"), names)
	}
	for _, p := range located(o.content, o.theme, r.Withheld) {
		fmt.Fprintln(w.stderr, p)
	}
	for _, u := range r.Unmatched {
		fmt.Fprintf(w.stderr, "souk: the removal of %q matches no seller: check that it is the seller's id or official domain\n", cmp.Or(u.ID, u.Domain))
	}
	if r.Unsaved != nil {
		fmt.Fprintf(w.stderr, "souk: the release was written, but not the cache for the next build: %v\n", r.Unsaved)
	}
	if r.Warnings > 0 {
		check := "souk check"
		if o.removals != "" {
			check += " --removals " + o.removals
		}
		fmt.Fprintf(w.stderr, "souk: %s: run '%s' to list them\n", problem.Count(r.Warnings, "warning"), check)
	}
}

// warnPlaceholders warns of what 'souk init' wrote and nobody has changed in a release.
func warnPlaceholders(w environment, public string) {
	m, err := beside.Read(public)
	if err != nil || len(m.Placeholders) == 0 {
		return
	}
	fmt.Fprintf(w.stderr, "souk: warning: still as 'souk init' wrote it: %s: replace or delete it before people see it\n", strings.Join(m.Placeholders, ", "))
}

func summary(r build.Report, seconds float64) string {
	return fmt.Sprintf("release %s: %s written, %d unchanged, %d removed; %s in %.2f s",
		r.ID, problem.Count(r.Written, "document"), r.Unchanged, r.Removed, size(r.Bytes), seconds)
}

// size formats a number of bytes for people.
func size(bytes int64) string {
	switch {
	case bytes >= 10<<20:
		return fmt.Sprintf("%d MB", bytes>>20)
	case bytes >= 10<<10:
		return fmt.Sprintf("%d KB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// A reportJSON is a report as --json prints it.
type reportJSON struct {
	Release   string   `json:"release"`
	Written   int      `json:"written"`
	Unchanged int      `json:"unchanged"`
	Removed   int      `json:"removed"`
	Documents int      `json:"documents"`
	Bytes     int64    `json:"bytes"`
	Seconds   float64  `json:"seconds"`
	Warnings  int      `json:"warnings"`
	Foreign   []string `json:"foreign"`
	Next      string   `json:"next,omitempty"`
}

func reportData(r build.Report, seconds float64) reportJSON {
	data := reportJSON{
		Release: r.ID, Written: r.Written, Unchanged: r.Unchanged, Removed: r.Removed, Documents: r.Documents,
		Bytes: r.Bytes, Seconds: seconds, Warnings: r.Warnings, Foreign: append([]string{}, r.Foreign...),
	}
	if !r.Next.IsZero() {
		data.Next = r.Next.UTC().Format(time.RFC3339)
	}
	return data
}
