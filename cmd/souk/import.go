package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build/catalog"
	"souk/build/intake"
	"souk/build/intake/formats"
	"souk/build/intake/merge"
	"souk/build/kit/durable"
	"souk/build/kit/journal"
	"souk/build/kit/problem"
	"souk/build/source"
)

type importOptions struct {
	removedOptions
	content, name          string
	mapping, set           []string
	services               []string
	members, pictures      string
	accept                 merge.Accept
	allowShrink, keepGoing bool
	dryRun, json, fetch    bool
}

func newImport(w environment) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import FORMAT SOURCE --as NAME | import NAME",
		Short: "Bring a table, a shop's export or a landscape into the content",
		Long: `Import writes content files from a source, and merges what the source changes later
into what people edited. FORMAT is csv or xlsx (any table by --map, and the exports of
Shopify, WooCommerce and souk by themselves) or landscape (a landscape.yml). --as gives
the import a name: imports/NAME.yaml keeps its settings and imports/NAME.base.jsonl what
it wrote, both for Git. With the name alone the import runs again.

--dry-run prints each column or key, where it goes, three values, and what has no place.
What a person edited stays, and what the source changed comes. If both changed a field,
yours stays and both are printed, unless --accept decides. What the source no longer has
becomes unpublished, and is never deleted. Companies that were removed stay removed.

Exit codes: 0 done, 1 rows cannot be imported or fields were changed by both,
2 the command line is wrong.`,
		Example: `  souk import csv members.csv --as members --map Company=seller.name --map Town=seller.headquarters.city
  souk import members
  souk import landscape landscape.yml --as landscape --dry-run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 || slices.Contains(args, "") {
				return usagef("the command takes a format and a source with --as NAME, or the name of an import to run again")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.settings(args)
			if err != nil {
				return err
			}
			return runImport(cmd.Context(), w, o, s)
		},
	}
	o.flags(cmd.Flags())
	cmd.Flags().StringVar(&o.name, "as", "", "the name of the import: lower-case letters, digits and hyphens")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "write nothing, and print where each column goes")
	return cmd
}

func (o *importOptions) flags(f *pflag.FlagSet) {
	addFolder(f, &o.content, "content", "content", "the content folder")
	o.removedOptions.add(f)
	f.StringArrayVar(&o.mapping, "map", nil, "COLUMN=FIELD, as in Town=seller.headquarters.city; - leaves the column out; may repeat")
	f.StringArrayVar(&o.set, "set", nil, "FIELD=VALUE for all rows without one, as in product.price.currency=EUR; may repeat")
	f.StringArrayVar(&o.services, "services", nil, "a category of a landscape whose items are services; may repeat")
	f.StringVar(&o.members, "members", "", "the category of a landscape whose items are companies")
	f.StringVar(&o.pictures, "pictures", "", "the folder or zip archive of the source's pictures")
	f.BoolVar(&o.fetch, "fetch", false, "download pictures at public web addresses: at most 5,000, each of at most 32 MB and 20 seconds")
	f.Func("accept", "who wins where a person and the source changed a field: `ours|theirs`, the person or the source", func(side string) (err error) {
		if o.accept = map[string]merge.Accept{"ours": merge.Ours, "theirs": merge.Theirs}[side]; o.accept == merge.Neither {
			err = errors.New("it must be ours or theirs")
		}
		return err
	})
	f.BoolVar(&o.allowShrink, "allow-shrink", false, "unpublish even more than a fifth of what was imported")
	f.BoolVar(&o.keepGoing, "keep-going", false, "import the rest even if some rows cannot be imported")
	f.BoolVar(&o.json, "json", false, "print the report as JSON")
}

// settings returns the settings of an import, from its file and the command line.
func (o *importOptions) settings(args []string) (s formats.Settings, err error) {
	if len(args) == 1 {
		if o.name != "" {
			return s, usagef("--as needs a format and a source")
		}
		o.name = args[0]
	}
	if err := catalog.CheckSlug(o.name); err != nil {
		return s, usagef("--as names the import, as in --as members: %w", err)
	}
	s, err = formats.Load(o.content, o.name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(args) == 1:
		return s, fmt.Errorf("there is no import %q: run 'souk import FORMAT SOURCE --as %s' to create it", o.name, o.name)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return s, err
	}
	if len(args) == 2 {
		if !slices.Contains(formats.Names, args[0]) {
			return s, usagef("there is no format %q: use one of %s", args[0], strings.Join(formats.Names, ", "))
		}
		s.Format, s.Source = args[0], formats.Relative(o.content, args[1])
	}
	for _, flag := range []struct {
		name  string
		pairs []string
		to    *map[string]string
	}{{"map", o.mapping, &s.Mapping}, {"set", o.set, &s.Set}} {
		given := map[string]bool{}
		for _, pair := range flag.pairs {
			// A column's name and a value may contain =; a field's name cannot.
			at := strings.IndexByte(pair, '=')
			if flag.name == "map" {
				at = strings.LastIndexByte(pair, '=')
			}
			if at <= 0 || at == len(pair)-1 {
				return s, usagef("--%s %q must be two parts with = between them", flag.name, pair)
			}
			if given[pair[:at]] {
				return s, usagef("--%s names %q twice", flag.name, pair[:at])
			}
			if given[pair[:at]] = true; *flag.to == nil {
				*flag.to = map[string]string{}
			}
			(*flag.to)[pair[:at]] = pair[at+1:]
		}
	}
	if len(o.services) > 0 {
		s.Services = o.services
	}
	if o.members != "" {
		s.Members = o.members
	}
	s.Fetch = s.Fetch || o.fetch
	if o.pictures != "" {
		s.Pictures = formats.Relative(o.content, o.pictures)
	}
	return s, nil
}

// lockContent locks the content against other imports and renames, and finishes an interrupted
// one.
func lockContent(ctx context.Context, w environment, content string) (unlock func() error, err error) {
	if err := source.Find(content); err != nil {
		return nil, err
	}
	unlock, err = durable.LockFolder(ctx, content, func() {
		fmt.Fprintln(w.stderr, "souk: waiting for another import or rename of this content")
	})
	if err != nil {
		return nil, err
	}
	finished, err := journal.Finish(content)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	if finished {
		fmt.Fprintln(w.stderr, "souk: finished an import or a rename that was interrupted")
	}
	return unlock, nil
}

func runImport(ctx context.Context, w environment, o importOptions, s formats.Settings) (err error) {
	if w.getenv("GOGC") == "" {
		debug.SetGCPercent(50) // all things are in memory at once
	}
	unlock, err := lockContent(ctx, w, o.content)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	removals, err := o.removed(ctx, w)
	if err != nil {
		return err
	}
	batch, err := s.Read(o.content)
	if err != nil {
		return err
	}
	pictures, done, err := s.Picture(ctx, o.content)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	settings, err := s.Bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", formats.Path(o.content, o.name), err)
	}
	report, err := intake.Run(ctx, batch, intake.Options{
		Content: o.content, Name: o.name, Accept: o.accept, AllowShrink: o.allowShrink, KeepGoing: o.keepGoing,
		DryRun: o.dryRun, Removals: removals, Mistakes: source.Mistakes, Picture: pictures, Fetch: s.Fetch, Settings: settings,
	})
	if o.json {
		if printed := printJSON(w.stdout, report); printed != nil {
			return printed
		}
		if err != nil {
			return errReported
		}
		return nil
	}
	printImport(w, o, report)
	return err
}

// printImport prints the result of an import: file names on stdout, everything else on stderr.
func printImport(w environment, o importOptions, r *intake.Report) {
	out := w.stderr
	if o.dryRun {
		out = w.stdout
		for _, c := range r.Columns {
			target := c.Target
			if target == "" {
				target = "(left out)"
			}
			fmt.Fprintf(out, "%s → %s, %s", c.Name, target, problem.Count(c.Count, "value"))
			for _, sample := range c.Samples {
				fmt.Fprintf(out, ", %s", problem.Quoted(sample))
			}
			fmt.Fprintln(out)
		}
	} else {
		for _, file := range r.Written {
			fmt.Fprintln(w.stdout, filepath.Join(o.content, filepath.FromSlash(file)))
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(w.stderr, "souk: %s\n", p)
	}
	for _, c := range r.Conflicts {
		fmt.Fprintf(w.stderr, "souk: %s: %s: yours is %s, the source has %s\n", filepath.Join(o.content, filepath.FromSlash(c.File)), c.Field, problem.Quoted(c.Yours), problem.Quoted(c.Source))
	}
	if len(r.Lost) > 0 {
		fmt.Fprintln(out, "left out, because content has no field for it:")
	}
	for _, l := range r.Lost {
		fmt.Fprintf(out, "  %d %s, from line %d on: %s\n", l.Count, l.Field, l.Line, l.Reason)
	}
	for _, note := range slices.Sorted(maps.Keys(r.Notes)) {
		fmt.Fprintf(out, "  %d times: %s\n", r.Notes[note], note)
	}
	if r.Withheld > 0 {
		fmt.Fprintf(out, "%s left out, because removed before\n", problem.Count(r.Withheld, "seller"))
	}
	fmt.Fprintf(out, "%d values: %d carried, %d lost, %d withheld\n", r.Values.Found, r.Values.Carried, r.Values.Lost, r.Values.Withheld)
	if r.Sellers > 0 {
		fmt.Fprintf(out, "%d of %s have an official domain, and can be claimed or removed by mail\n", r.ByMail, problem.Count(r.Sellers, "seller"))
	}
	fmt.Fprintf(out, "%d created, %d changed, %d unpublished\n", r.Created, r.Changed, r.Unpublished)
	if o.dryRun {
		fmt.Fprintln(w.stderr, "souk: nothing was written")
	}
}
