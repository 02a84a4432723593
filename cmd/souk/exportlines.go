package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"souk/build"
	"souk/build/catalog"
	"souk/build/kit/durable"
)

// An exportLines writes public items as lines.
type exportLines func(context.Context, build.Config, *catalog.Removals, io.Writer) (build.Without, error)

func newExportSchemaOrg(w environment) *cobra.Command {
	return newExportLines(w, build.ExportSchemaOrg, &cobra.Command{
		Use:   "schemaorg",
		Short: "Write sellers, products and services as lines of JSON-LD",
		Long: `Schemaorg writes each public seller, product and service in terms of schema.org, one a line,
as JSON-LD 1.1: the same that its page says. What of a document has no place there is counted
on stderr. Nothing is built or published. Sellers that a removal withholds are left out.

Exit codes: 0 written; 1 the content is wrong; 2 the command line is wrong.`,
		Example: "  souk export schemaorg --output market.jsonl\n  souk export schemaorg | grep '\"@type\":\"Product\"'",
	})
}

func newExportMerchant(w environment) *cobra.Command {
	return newExportLines(w, build.ExportMerchant, &cobra.Command{
		Use:   "merchant",
		Short: "Write products as a feed for Google Merchant Center",
		Long: `Merchant writes the public products as tab-separated text, as Google Merchant Center reads it:
a row for each product, or for each of its variants. It says nothing that the content does not
say: availability, condition and shipping are set where the feed is loaded. What has no place
in the feed is counted on stderr, such as services and products without a price or a picture.
Nothing is built or published. Sellers that a removal withholds are left out.

Exit codes: 0 written; 1 the content is wrong; 2 the command line is wrong.`,
		Example: "  souk export merchant --output feed.tsv\n  souk export merchant --site-url https://market.example > feed.tsv",
	})
}

func newExportCSV(w environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "csv",
		Short: "Write companies, products, services or categories as a table",
		Long: `Csv writes what is public of one kind as a table that spreadsheets read and 'souk import csv'
reads back without a mapping. Lists of several fields are JSON, and pictures are the addresses
where the site publishes them. What has no place in a table is counted on stderr. Sellers that
a removal withholds are left out.

Exit codes: 0 written; 1 the content is wrong; 2 the command line is wrong.`,
		Example: "  souk export csv companies --output companies.csv\n  souk export csv products",
		Args:    subcommand,
		RunE: func(*cobra.Command, []string) error {
			return usagef("souk export csv takes companies, products, services or categories")
		},
	}
	for _, name := range []string{"companies", "products", "services", "categories"} {
		cmd.AddCommand(newExportLines(w, build.ExportSheet(name), &cobra.Command{
			Use:     name,
			Short:   "Write " + name + " as a table",
			Example: "  souk export csv " + name + " --output " + name + ".csv",
		}))
	}
	return cmd
}

func newExportLines(w environment, export exportLines, cmd *cobra.Command) *cobra.Command {
	var o exportOptions
	cmd.Args = exactArgs(0, "no argument")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return runExportLines(cmd.Context(), w, o, export) }
	o.addOutput(cmd.Flags())
	return cmd
}

func runExportLines(ctx context.Context, w environment, o exportOptions, export exportLines) error {
	config, err := o.config(w)
	if err != nil {
		return err
	}
	removals, err := o.removed(ctx, w)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	without, err := export(ctx, config, removals, &b)
	if err != nil {
		return locatedError(o.content, o.theme, err)
	}
	if o.output == "" {
		if _, err := w.stdout.Write(b.Bytes()); err != nil {
			return err
		}
	} else if err := durable.Output(o.output, 0o644, b.Bytes()); err != nil {
		return fmt.Errorf("write the export: %w", err)
	}
	if len(without) > 0 {
		fmt.Fprintln(w.stderr, "souk: not in this format, so left out:")
	}
	for _, what := range slices.Sorted(maps.Keys(without)) {
		fmt.Fprintf(w.stderr, "  %d %s\n", without[what], what)
	}
	return nil
}
