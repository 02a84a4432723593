package main

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/problem"
)

type checkOptions struct {
	content, public, state string
	database               string
	at                     moment
	removals               string
	format                 string
	json                   bool
}

func newCheck(w environment) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find every mistake of the content in one run",
		Long: `Check reads the content folder and prints every mistake, and separately every
warning, as file:line:column: what is wrong (what was meant). Nothing is built.
What the last release has under another slug is told, with the alias that keeps the
former addresses alive.

Exit codes: 0 no mistake (there may be warnings), 1 mistakes, 2 the command line is wrong.`,
		Example: "  souk check --content content\n  souk check --format github",
		Args:    exactArgs(0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runCheck(cmd.Context(), w, o) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *checkOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.content, "content", "content", "the content folder")
	flags.StringVar(&o.public, "public", "public", "the output folder, of whose last release aliases are proposed for what was renamed")
	flags.StringVar(&o.state, "state", "var", "this machine's own state: the cache")
	flags.Var(&o.at, "now", "check as of this moment (RFC 3339); default: the clock")
	flags.StringVar(&o.removals, "removals", "", "YAML or JSON list of removed sellers, for the warnings of a build that is given the same")
	addDatabase(flags, &o.database)
	flags.StringVar(&o.format, "format", "text", "text, or github for annotations in GitHub Actions")
	flags.BoolVar(&o.json, "json", false, "print as JSON")
}

func runCheck(ctx context.Context, w environment, o checkOptions) error {
	if o.format != "text" && o.format != "github" {
		return usagef("--format is text or github, not %q", o.format)
	}
	config := build.Config{Content: o.content, State: o.state, At: o.at.Time, Clock: w.now, Program: fingerprint()}
	shared := buildOptions{state: o.state, database: o.database, removals: o.removals}
	removals, err := shared.removed(ctx)
	if err != nil {
		return err
	}
	market, list, err := build.Checked(ctx, config, removals)
	if err != nil {
		return err
	}
	renamed, err := renamings(market, o.public, o.state)
	if err != nil {
		return err
	}
	list = append(list, renamingWarnings(renamed)...)
	list.Sort()
	mistakes, warnings := list.Split()
	switch {
	case o.json:
		err = printJSON(w.stdout, map[string]any{"mistakes": jsonProblems(mistakes), "warnings": jsonProblems(warnings)})
	case o.format == "github":
		err = printAnnotations(w.stdout, o.content, list)
	default:
		err = printProblems(w.stdout, mistakes, warnings)
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

func printProblems(out io.Writer, mistakes, warnings problem.List) error {
	for _, p := range mistakes {
		if _, err := fmt.Fprintln(out, p); err != nil {
			return err
		}
	}
	for _, p := range warnings {
		p.Text = "warning: " + p.Text
		if _, err := fmt.Fprintln(out, p); err != nil {
			return err
		}
	}
	return nil
}

// printAnnotations prints workflow commands of GitHub Actions, whose data and
// properties each escape their own set of characters.
func printAnnotations(out io.Writer, content string, list problem.List) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, p := range list {
		level := "error"
		if p.Warning {
			level = "warning"
		}
		text := p.Text
		if p.Meant != "" {
			text += " (" + p.Meant + ")"
		}
		file := path.Join(filepath.ToSlash(content), p.File)
		if _, err := fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d::%s\n", level, property.Replace(file), max(p.Line, 1), max(p.Column, 1), data.Replace(text)); err != nil {
			return err
		}
	}
	return nil
}

// mistakesError prints mistakes as data and returns the error that ends a
// command which has reported them.
func mistakesError(w environment, err *problem.Error) error {
	if printed := printJSON(w.stdout, map[string]any{"mistakes": jsonProblems(err.Mistakes)}); printed != nil {
		return printed
	}
	return errReported
}
