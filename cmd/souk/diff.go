package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/inspect/diff"
	"souk/build/kit/problem"
	"souk/build/source"
)

type diffOptions struct {
	buildOptions
	list, json bool
}

func newDiff(w environment) *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare two releases and explain what disappeared",
		Long: `Diff compares two releases, each a public folder or the web address of a host, and prints
what was added, changed and removed. A file may vanish only if a release of the content no longer
has it. Whatever a removed seller had has to answer 410, and may reappear only if the content and
the removals say so. Anything else is a fault. What came back under another slug is told, with
the alias that keeps the former addresses alive.

Exit codes: 0 compared, and everything is explained; 1 something is not, or a release cannot be
read; 2 the command line is wrong.`,
		Example: "  souk diff last/public public\n  souk diff https://market.example public --removals removals.json",
		Args:    exactArgs(2, "two releases"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runDiff(cmd.Context(), w, o, args) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *diffOptions) AddFlags(flags *pflag.FlagSet) {
	o.addContent(flags)
	flags.BoolVar(&o.list, "list", false, "print every file, not just the numbers")
	flags.BoolVar(&o.json, "json", false, "print as JSON, with every file")
}

func runDiff(ctx context.Context, w environment, o diffOptions, args []string) error {
	before, after, err := trees(ctx, args)
	if err != nil {
		return err
	}
	d := diff.Compare(before, after)
	judged, err := o.judge(ctx, w, d, args[0], before, after)
	if err != nil {
		return err
	}
	faults := judged.faults
	if o.json {
		err = printJSON(w.stdout, diffData(d, judged))
	} else {
		err = printDiff(w.stdout, d, judged, o.list)
	}
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("neither the content nor the removals explain %s: find out why before you publish", problem.Count(len(faults), "change"))
	}
	return err
}

// trees opens both releases. A remote host cannot list its files, so it is asked for the files
// of the other release.
func trees(ctx context.Context, names []string) (before, after diff.Tree, err error) {
	read := func(name string, other diff.Tree) (diff.Tree, error) {
		if isHost(name) {
			return diff.Live(ctx, name, other)
		}
		return diff.Folder(ctx, name)
	}
	if isHost(names[0]) && isHost(names[1]) {
		return nil, nil, usagef("one of the two releases must be a folder")
	}
	if isHost(names[1]) {
		if before, err = read(names[0], nil); err == nil {
			after, err = read(names[1], before)
		}
		return before, after, err
	}
	if after, err = read(names[1], nil); err == nil {
		before, err = read(names[0], after)
	}
	return before, after, err
}

func isHost(name string) bool { return strings.Contains(name, "://") && source.IsWebAddress(name) }

// A judgement says whether the content and the removals explain a difference.
type judgement struct {
	faults  []diff.Fault
	renamed []diff.Renaming
}

// judge compares the addresses that vanished or reappeared with the content and the removals.
func (o *diffOptions) judge(ctx context.Context, w environment, d diff.Difference, name string, before, after diff.Tree) (j judgement, err error) {
	if len(d.Vanished)+len(d.Gone)+len(d.Returned)+len(d.Lost) == 0 {
		return j, nil
	}
	config, err := o.config(w)
	if err != nil {
		return j, err
	}
	removals, err := o.removed(ctx, w)
	if err != nil {
		return j, err
	}
	market, err := build.Read(ctx, config, removals)
	if err != nil {
		return j, locatedError(o.content, "", err)
	}
	has, err := build.Files(market, config.SiteURL, after.HasPages())
	if err != nil {
		return j, err
	}
	j.faults = d.Unexplained(market, has)
	if len(d.Vanished) > 0 && len(d.Added) > 0 {
		j.renamed = renamedBetween(ctx, market, name, before)
	}
	return j, nil
}

type diffJSON struct {
	Added    []string      `json:"added"`
	Changed  []string      `json:"changed"`
	Vanished []string      `json:"vanished"`
	Gone     []string      `json:"gone"`
	Returned []string      `json:"returned"`
	Lost     []string      `json:"lost"`
	Faults   []diff.Fault  `json:"faults"`
	Renamed  []renamedJSON `json:"renamed"`
}

// A renamedJSON is a file that seems to be a renamed one, with its former Reference.
type renamedJSON struct {
	File  string `json:"file"`
	Alias string `json:"alias"`
}

func diffData(d diff.Difference, j judgement) diffJSON {
	list := func(files []string) []string { return append([]string{}, files...) }
	renamed := []renamedJSON{}
	for _, r := range j.renamed {
		renamed = append(renamed, renamedJSON{r.Now.Head().File, r.Former.String()})
	}
	return diffJSON{
		list(d.Added), list(d.Changed), list(d.Vanished), list(d.Gone), list(d.Returned), list(d.Lost), append([]diff.Fault{}, j.faults...), renamed,
	}
}

func printDiff(out io.Writer, d diff.Difference, j judgement, list bool) error {
	var b strings.Builder
	for _, part := range []struct {
		mark, name string
		files      []string
	}{
		{"+", "added", d.Added}, {"~", "changed", d.Changed}, {"-", "vanished", d.Vanished},
		{"x", "gone (410)", d.Gone}, {"!", "back from 410", d.Returned}, {"?", "no longer 410", d.Lost},
	} {
		if list {
			for _, file := range part.files {
				fmt.Fprintf(&b, "%s %s\n", part.mark, file)
			}
		} else if len(part.files) > 0 {
			fmt.Fprintf(&b, "%s %d %s\n", part.mark, len(part.files), part.name)
		}
	}
	if d.Empty() {
		b.WriteString("no difference\n")
	}
	for _, r := range j.renamed {
		file, line := aliasLine(r)
		fmt.Fprintf(&b, "renamed: %s seems to be the former %s: %s\n", file, r.Former, line)
	}
	for _, f := range j.faults {
		fmt.Fprintf(&b, "fault: %s: %s\n", f.File, f.Reason)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
