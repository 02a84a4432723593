package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/kit/problem"
)

type checkOptions struct {
	removedOptions
	content, public string
	at              moment
	theme           string
	pages           onOff
	stale           days
	format          string
	json            bool
}

func newCheck(w environment) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find every mistake in the content",
		Long: `Check reads the content folder and prints every mistake, and separately every
warning, as file:line:column: what is wrong (what was meant). The file is a path from the
working folder, or an absolute one where it is elsewhere; on a terminal its line is shown,
in colour unless NO_COLOR is set. Nothing is built, and nothing has to be writable.
Where there is a ledger, or a list of --removals, each seller that a removal withholds is a
warning. Annotations count these warnings and name nobody, since others may read the log.
What the last release has under another slug is told, with the alias that keeps the
former addresses alive. With --stale, each file whose updatedAt is longer ago is a warning.

Exit codes: 0 no mistake (there may be warnings), 1 mistakes, 2 the command line is wrong.`,
		Example: "  souk check --content content\n  souk check --format github\n  souk check --stale 365d",
		Args:    exactArgs(0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runCheck(cmd.Context(), w, o) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *checkOptions) AddFlags(flags *pflag.FlagSet) {
	addFolder(flags, &o.content, "content", "content", "the content folder")
	addFolder(flags, &o.public, "public", "public", "the output folder; its last release is used to propose aliases for what was renamed")
	addFolder(flags, &o.state, "state", "var", "this machine's own state: the cache")
	flags.Var(&o.at, "now", "check as of this date or RFC 3339 time (default: now)")
	flags.Var((*needed)(&o.removals), "removals", "a YAML or JSON list of removed sellers; warn as a build with the same list would")
	addPages(flags, &o.pages)
	addTheme(flags, &o.theme)
	addDatabase(flags, &o.database)
	flags.Var(&o.stale, "stale", "warn about files whose updatedAt is longer ago than this, as in 365d (default: off)")
	flags.StringVar(&o.format, "format", "text", "text, or github for annotations in GitHub Actions")
	flags.BoolVar(&o.json, "json", false, "print as JSON")
}

func runCheck(ctx context.Context, w environment, o checkOptions) error {
	if o.format != "text" && o.format != "github" {
		return usagef("--format is text or github, not %q", o.format)
	}
	config := build.Config{Content: o.content, State: o.state, At: o.at.Time, Clock: w.now, Program: fingerprint(), Pages: bool(o.pages), Theme: o.theme}
	removals, err := o.removedIfReadable(ctx, w)
	if err != nil {
		return err
	}
	market, list, err := build.Check(ctx, config, removals)
	if err != nil {
		return err
	}
	renamed, err := renamings(market, o.public)
	if err != nil {
		fmt.Fprintf(w.stderr, "souk: could not check what was renamed since the last release: %v\n", err)
	}
	list = append(withRenamings(list, renamed), stale(market, o.stale)...)
	list.Sort()
	list = located(o.content, o.theme, list)
	mistakes, warnings := list.Split()
	switch {
	case o.json:
		err = printJSON(w.stdout, map[string]any{"mistakes": jsonProblems(mistakes), "warnings": jsonProblems(warnings)})
	case o.format == "github":
		err = printAnnotations(w.stdout, list)
	default:
		err = printProblems(w, w.stdout, append(mistakes, warnings...))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w.stderr, "souk: %s, %s\n", problem.Count(len(mistakes), "mistake"), problem.Count(len(warnings), "warning"))
	if len(mistakes) > 0 {
		return errReported
	}
	return nil
}
