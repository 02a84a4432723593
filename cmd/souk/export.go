package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/kit/durable"
	"souk/build/kit/problem"
)

type exportOptions struct {
	buildOptions
	output     string
	categories bool
	logos      string
}

func newExport(w environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export parts of the marketplace to other formats",
		Long: `Export writes what is public of the content as files for use apart from the site.

Exit codes: 0 done, 1 the content or the request is wrong, 2 the command line is wrong.`,
		Example: "  souk export map who-does-what --output map.svg\n  souk export merchant --output feed.tsv",
		Args:    subcommand,
		RunE: func(*cobra.Command, []string) error {
			return usagef("souk export takes csv, map, schemaorg or merchant")
		},
	}
	cmd.AddCommand(newExportMap(w), newExportSchemaOrg(w), newExportMerchant(w), newExportCSV(w))
	return cmd
}

func newExportMap(w environment) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "map [SLUG]",
		Short: "Draw a market map as one SVG file with its logos in it",
		Long: `Map draws a market map, or all categories with their listings, as one SVG file that can
be shown, printed and passed on by itself: its links are whole addresses of the site, and its
logos are in it, without metadata. A logo above 512 KB, one beyond 32 MB in all, and one at an
address elsewhere is left out, and an initial shown. Nothing is built or published.
Sellers that a removal withholds are in no map.

Exit codes: 0 written; 1 the content is wrong, or there is no such map; 2 the command line is wrong.`,
		Example: "  souk export map who-does-what --output map.svg\n  souk export map --categories --logos address > market.svg",
		// --categories may come from the environment, which is read after arguments are
		// checked.
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.categories != (len(args) == 0) || len(args) > 1 || slices.Contains(args, "") {
				return usagef("the command takes the slug of one market map, or --categories for all categories")
			}
			slug := ""
			if !o.categories {
				slug = args[0]
			}
			return runExportMap(cmd.Context(), w, o, slug)
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *exportOptions) addOutput(flags *pflag.FlagSet) {
	o.addContent(flags)
	flags.StringVar(&o.siteURL, "site-url", "", "use this siteUrl instead of the content's")
	flags.StringVar(&o.output, "output", "", "the file to write; default: stdout")
}

func (o *exportOptions) AddFlags(flags *pflag.FlagSet) {
	o.addOutput(flags)
	flags.BoolVar(&o.categories, "categories", false, "draw all categories with their listings instead of a market map")
	flags.StringVar(&o.logos, "logos", "inline", "inline embeds logos in the file, address links to them on the site, none shows initials")
}

// logoWays are the values of --logos.
var logoWays = map[string]build.Logos{"inline": build.LogosInline, "address": build.LogosByAddress, "none": build.LogosNone}

func runExportMap(ctx context.Context, w environment, o exportOptions, slug string) error {
	way, known := logoWays[o.logos]
	if !known {
		return usagef("--logos is inline, address or none, not %q", o.logos)
	}
	config, err := o.config(w)
	if err != nil {
		return err
	}
	removals, err := o.removed(ctx, w)
	if err != nil {
		return err
	}
	made, err := build.ExportMap(ctx, config, removals, build.Export{Slug: slug, Logos: way})
	if err != nil {
		return locatedError(o.content, o.theme, err)
	}
	if made.LeftOut > 0 {
		fmt.Fprintf(w.stderr, "souk: %s shown as initials, because the picture is above 512 KB, is on another site, or would take the file above 32 MB\n", problem.Count(made.LeftOut, "logo"))
	}
	if o.output == "" {
		_, err = w.stdout.Write(made.SVG)
		return err
	}
	if err := durable.Output(o.output, 0o644, made.SVG); err != nil {
		return fmt.Errorf("write the map: %w", err)
	}
	return nil
}
