package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build/document"
	"souk/dynamic"
	"souk/dynamic/search"
	"souk/dynamic/search/fault"
)

type searchOptions struct {
	buildOptions
	limit, offset  int
	filters        map[string]*[]string
	currency, sort string
	literal        bool
	companies      bool
	json           bool
}

func newSearch(w environment) *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search TEXT",
		Short: "Search the content from the terminal",
		Long: `Search reads the content folder and prints the Products and Services that match a
text, the best first, with the exact total, and beside them what was understood of
the text. Nothing is built or published.

Exit codes: 0 done, also where nothing is found; 1 the content is wrong or the ledger cannot be read; 2 the command line is wrong.`,
		Example: "  souk search \"robot arm\"\n  souk search arm --category product/robots --json\n  souk search \"welders in Stuttgart\" --companies\n  souk search arm --attribute \"Payload:5..20 kg\" --price ..9000 --currency EUR",
		Args:    exactArgs(1, "one text"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runSearch(cmd.Context(), w, o, args[0]) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *searchOptions) AddFlags(flags *pflag.FlagSet) {
	o.addContent(flags)
	flags.StringVar(&o.siteURL, "site-url", "", "use this siteUrl instead of the content's, for a preview")
	flags.IntVar(&o.limit, "limit", search.DefaultLimit, "how many listings to print; 0 prints only the counts")
	flags.IntVar(&o.offset, "offset", 0, "how many listings to skip")
	o.filters = map[string]*[]string{}
	for _, filter := range document.SearchFilters() {
		o.filters[filter] = flags.StringArray(searchFlag(filter), nil, filterUsage[filter])
	}
	flags.StringVar(&o.currency, "currency", "", "the currency of --price and of --sort price, as in EUR")
	flags.StringVar(&o.sort, "sort", document.SortRelevance, "relevance, name, newest, or price with --currency")
	flags.BoolVar(&o.literal, "literal", false, "match only the words of the text, without interpreting them")
	flags.BoolVar(&o.companies, "companies", false, "search companies, by category, country, city, language and proof")
	o.filters[document.FilterCity] = flags.StringArray(document.FilterCity, nil, "only companies of a city, with --companies; may repeat")
	flags.BoolVar(&o.json, "json", false, "print the whole answer as JSON")
}

// searchFlag returns the flag of a parameter of the API.
func searchFlag(parameter string) string {
	return strings.ToLower(strings.ReplaceAll(parameter, "U", "-u"))
}

// filterUsage is the help of each filter.
var filterUsage = map[string]string{
	document.FilterKind:         "only product or service",
	document.FilterCategory:     "only a category, as in product/robots; may repeat",
	document.FilterSeller:       "only a seller, by companySlug; may repeat",
	document.FilterCountry:      "only sellers of a country; may repeat",
	document.FilterAvailability: "only products that are inStock, outOfStock, preOrder, onRequest or discontinued; may repeat",
	document.FilterDelivery:     "only services that are remote, onsite or hybrid; may repeat",
	document.FilterRegion:       "only services offered in a region; may repeat",
	document.FilterLanguage:     "only sellers who speak a language, as in de; may repeat",
	document.FilterProof:        "only listings with a kind of proof, as in certification; may repeat",
	document.FilterPriceUnit:    "only prices for a unit, as in hour; may repeat",
	document.FilterPrice:        "only prices from MIN..MAX in --currency; either may be left out; MIN<.. and ..<MAX exclude the bound",
	document.FilterAttribute:    "only an attribute, as Name:value or \"Name:MIN..MAX unit\", where MIN<.. and ..<MAX exclude the bound; may repeat",
}

func runSearch(ctx context.Context, w environment, o searchOptions, text string) (err error) {
	config, err := o.config(w)
	if err != nil {
		return err
	}
	removals, err := o.removed(ctx, w)
	if err != nil {
		return err
	}
	index, err := dynamic.OpenIndex(ctx, config, removals, config.InState("search-command"))
	if err != nil {
		return locatedError(o.content, "", err)
	}
	defer func() { err = errors.Join(err, index.Close()) }()
	q := search.Query{
		Text: text, Limit: o.limit, Offset: o.offset,
		Filters: map[string][]string{}, Currency: o.currency, Sort: o.sort, Literal: o.literal,
	}
	for filter, values := range o.filters {
		q.Filters[filter] = *values
	}
	for filter, values := range q.Filters {
		switch {
		case len(values) == 0:
			delete(q.Filters, filter)
		case o.companies && !slices.Contains(document.CompanyFilters(), filter):
			return usagef("--%s narrows listings, not companies", searchFlag(filter))
		case !o.companies && filter == document.FilterCity:
			return usagef("--city narrows companies: add --companies")
		}
	}
	var invalid *fault.Error
	if o.companies {
		result, err := index.Companies(ctx, q)
		if errors.As(err, &invalid) {
			return wrongSearch(invalid)
		}
		if err != nil {
			return err
		}
		if o.json {
			return printJSON(w.stdout, result)
		}
		printUnderstood(w, result.Interpreted)
		return printCompanies(w.stdout, result)
	}
	if err := index.Check(q); errors.As(err, &invalid) {
		return wrongSearch(invalid)
	}
	result, err := index.Search(ctx, q)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(w.stdout, result)
	}
	printUnderstood(w, result.Interpreted)
	return printHits(w.stdout, result)
}

func printUnderstood(w environment, interpreted []document.Interpretation) {
	for _, i := range interpreted {
		fmt.Fprintf(w.stderr, "souk: interpreted %q as %s%s\n", i.Text, i.As, readAs(i))
	}
}

// wrongSearch returns the first fault of a query as a usage error.
func wrongSearch(invalid *fault.Error) error {
	wrong := invalid.Errors[0]
	if wrong.Field == "q" {
		return usagef("TEXT: %s", wrong.Message)
	}
	return usagef("--%s: %s", searchFlag(wrong.Field), wrong.Message)
}

func printCompanies(out io.Writer, result *document.CompanyResult) error {
	for _, hit := range result.Companies {
		line := fmt.Sprintf("seller:%s  %s", hit.Slug, hit.Name)
		if h := hit.Headquarters; h != nil {
			line += " – " + strings.Trim(h.City+", "+h.Country, ", ")
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%d of %d\n", len(result.Companies), result.Total)
	return err
}

// readAs returns what a part of the text was replaced by, after a colon.
func readAs(i document.Interpretation) string {
	parts := slices.Clone(i.To)
	if i.Filter != "" {
		parts = append(parts, strings.TrimSpace(i.Filter+" "+i.Value+" "+i.Currency))
	}
	if i.Link != nil {
		parts = append(parts, i.Link.Name)
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

func printHits(out io.Writer, result *document.SearchResult) error {
	for _, hit := range result.Listings {
		line := fmt.Sprintf("%s:%s/%s  %s – %s", hit.Kind, hit.CompanySlug, hit.Slug, hit.Name, hit.Seller.Name)
		if m := hit.Matched; m != nil {
			line += fmt.Sprintf("  (%s)", strings.TrimSpace(m.Variant+" "+m.SKU))
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "%d of %d\n", len(result.Listings), result.Total)
	return err
}
