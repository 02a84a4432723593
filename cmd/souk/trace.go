package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/catalog"
	"souk/build/document"
	"souk/build/index"
	"souk/build/kit/problem"
	"souk/build/source"
	"souk/dynamic"
	"souk/dynamic/ledger"
	"souk/dynamic/operator/trace"
	"souk/dynamic/search"
	"souk/dynamic/verification"
)

type traceOptions struct {
	buildOptions
	json bool
}

func newTrace(w environment) *cobra.Command {
	var o traceOptions
	cmd := &cobra.Command{
		Use:   "trace COMPANYSLUG",
		Short: "List every public place where a seller still appears",
		Long: `Trace looks through every file of the public folder, compressed twins and files that
no build wrote among them, and through what search would answer, for a seller's
slugs, names, domains, pictures and addresses. It works for any seller, removed or not.

A warning is a place where somebody else wrote about the seller, as in an article, or where
a page has its name as a word of the site's own, as Search: only an editor can decide whether
the seller is meant, and warnings alone are no reason to exit 1. Where Souk itself names a
domain of the seller, as the home of a format, that is no place: it is said once.

Exit codes: 0 the seller shows nowhere; 1 it shows, or is not known; 2 the command line is wrong.`,
		Example: "  souk trace acme\n  souk trace acme --removals removals.yaml --json",
		Args:    exactArgs(1, "one companySlug"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runTrace(cmd.Context(), w, o, args[0]) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *traceOptions) AddFlags(flags *pflag.FlagSet) {
	o.addContent(flags)
	addFolder(flags, &o.public, "public", "public", "the output folder")
	flags.StringVar(&o.siteURL, "site-url", "", "the --site-url of the build, if it had one")
	flags.BoolVar(&o.json, "json", false, "print as JSON")
}

func runTrace(ctx context.Context, w environment, o traceOptions, slug string) (err error) {
	config, err := o.config(w)
	if err != nil {
		return err
	}
	removals, err := o.removed(ctx, w)
	if err != nil {
		return err
	}
	market, err := build.Read(ctx, config, removals)
	var mistaken *problem.Error
	if errors.As(err, &mistaken) && market.Market() != nil {
		// A trace must work even if the content has mistakes.
		fmt.Fprintf(w.stderr, "souk: the content has %s, so the trace may be incomplete: run 'souk check' to list them\n",
			problem.Count(len(mistaken.Mistakes), "mistake"))
	} else if err != nil {
		return locatedError(o.content, "", err)
	}
	before, err := o.formerly(ctx, w, slug)
	if err != nil {
		return err
	}
	subject, err := traceSubject(o, market, slug, before)
	if err != nil {
		return err
	}
	renderer := document.NewRenderer(market, o.siteURL)
	parts := build.SearchFolder(o.public)
	searched, err := search.Read(ctx, search.Options{Folder: parts})
	if err != nil {
		searched, err = search.Open(ctx, index.Extract(market, renderer), search.Options{})
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, searched.Close()) }()
	written, err := build.Written(renderer.SiteURL(), market.Market().Language)
	if err != nil {
		return err
	}
	traced := trace.Config{
		Public: o.public, Parts: parts, Index: searched, Agent: dynamic.TraceAgent(o.public, searched, renderer.Addresses()), SiteURLs: []string{renderer.SiteURL(), renderer.APIURL()},
		// The marketplace's name is on each of its pages, even if a seller has the same name.
		Texts: func(yield func(string) bool) {
			if yield(market.Market().Name) {
				renderer.Texts().Each(yield)
			}
		},
		Written: maps.All(written),
	}
	all, err := trace.Trace(ctx, subject, traced)
	if err != nil {
		return err
	}
	return reportTrace(w, o, slug, all, trace.Named(subject, traced))
}

// traceSubject returns everything that identifies a seller: from the content, including hidden
// versions, and from its history.
func traceSubject(o traceOptions, market *catalog.Catalog, slug string, before trace.Subject) (trace.Subject, error) {
	subject, known := trace.Of(market, slug)
	// A slug that now belongs to another seller does not count. Nor do the names of a seller
	// that is not removed, if this one is.
	removed := slices.ContainsFunc(before.Slugs, market.Removals().HoldsSlug)
	before.Slugs = slices.DeleteFunc(before.Slugs, func(former string) bool {
		n := market.At(catalog.SellerRef(former))
		if n == nil || former == slug {
			return false
		}
		if !known && (n.Withheld() || !removed) {
			one, _ := trace.Of(market, former)
			subject.Add(one)
			return false
		}
		return !slices.Contains(subject.Slugs, former)
	})
	subject.Add(before)
	if !known && len(before.Slugs) == 0 {
		return subject, noSeller(market, slug)
	}
	for _, one := range subject.Slugs {
		n := market.Node(catalog.SellerRef(one))
		if n == nil || n.Head() == nil {
			continue
		}
		names, err := source.SellerNames(o.content, n.Head().File)
		if err != nil {
			return subject, err
		}
		subject.Add(trace.Subject{Names: names})
	}
	return subject, nil
}

// formerly returns the recorded history of a seller, if there is a ledger.
func (o *traceOptions) formerly(ctx context.Context, w environment, slug string) (before trace.Subject, err error) {
	l, err := o.openToRead(ctx)
	if errors.Is(err, ledger.ErrMissing) && o.database == "" {
		return before, nil
	}
	err = withProcess(w, l, err, func(p *verification.Process) error {
		h, err := p.History(ctx, slug)
		if errors.Is(err, &verification.Error{Code: verification.CodeNotFound}) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, one := range h.Publications {
			before.Add(trace.Subject{Slugs: []string{one.Slug}, Domains: []string{one.Domain}})
		}
		for _, one := range h.Removals {
			before.Add(trace.Subject{Slugs: []string{one.Slug}, Domains: []string{one.Domain}, Names: []string{one.Name}})
		}
		removed, err := l.Removed(ctx)
		for _, one := range removed {
			if slices.Contains(before.Slugs, one.Slug) {
				for _, address := range one.Addresses {
					before.Add(trace.Subject{Addresses: []string{strings.TrimPrefix(address, "/marketplace/")}})
				}
			}
		}
		return err
	})
	return before, err
}

// noSeller returns the error for an unknown slug.
func noSeller(market *catalog.Catalog, slug string) error {
	var slugs []string
	market.EachSeller(func(n *catalog.Node) { slugs = append(slugs, n.Ref().Slug) })
	slices.Sort(slugs)
	if meant := problem.Nearest(slug, slugs); meant != "" {
		return fmt.Errorf("there is no seller %q (%s)", slug, meant)
	}
	return fmt.Errorf("there is no seller %q: give the companySlug, which is the name of its folder in sellers", slug)
}

// reportTrace prints the findings and the domains that Souk itself writes. It returns an error
// if there are findings.
func reportTrace(w environment, o traceOptions, slug string, all trace.Findings, written []string) error {
	found, warnings := all.Split()
	var err error
	if o.json {
		err = printJSON(w.stdout, map[string]any{
			"companySlug": slug,
			"findings":    append(trace.Findings{}, found...), "warnings": append(trace.Findings{}, warnings...),
			"written": append([]string{}, written...),
		})
	} else {
		err = printTrace(w.stdout, all)
	}
	if err != nil {
		return err
	}
	for _, domain := range written {
		fmt.Fprintf(w.stderr, "souk: files mention %s as the home of a format; those places do not count\n", domain)
	}
	fmt.Fprintf(w.stderr, "souk: %s appears in %s; %s\n", slug, problem.Count(len(found), "place"), problem.Count(len(warnings), "warning"))
	if len(found) > 0 {
		return errReported
	}
	return nil
}

// printTrace groups findings by file.
func printTrace(out io.Writer, all trace.Findings) error {
	last := ""
	for _, f := range all {
		file := f.File
		if f.Twin != "" {
			file += "." + f.Twin
		}
		if file != last {
			if _, err := fmt.Fprintln(out, file); err != nil {
				return err
			}
			last = file
		}
		level := ""
		if f.Warning {
			level = "warning: "
		}
		if _, err := fmt.Fprintf(out, "  %s: %s%s: %s\n", f.Where, level, f.What, strings.Map(harmless, f.Excerpt)); err != nil {
			return err
		}
	}
	return nil
}
