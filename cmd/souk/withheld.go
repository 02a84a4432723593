package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/dynamic/ledger"
)

// A contentOptions holds the flag of the commands that list which sellers in the content a
// removal hides.
type contentOptions struct{ content string }

func (o *contentOptions) add(flags *pflag.FlagSet) {
	addFolder(flags, &o.content, "content", "content", "the content folder, to list the sellers that each removal hides")
}

// A withheldJSON is a seller in the content that a removal hides.
type withheldJSON struct {
	CompanySlug    string `json:"companySlug"`
	ID             string `json:"id"`
	OfficialDomain string `json:"officialDomain"`
	// By is what the seller has in common with the removal: id, officialDomain, formerDomain,
	// alias, companySlug or website.
	By   string `json:"by"`
	File string `json:"file"`
}

// addWithheld adds to removals in force the sellers in the content that each hides, and the
// sellers it does not cover. If the content cannot be read, it prints a message.
func (o *contentOptions) addWithheld(ctx context.Context, w environment, state string, l *ledger.Ledger, list []removalJSON) error {
	inForce := func(r removalJSON) bool { return r.RestoredAt == "" }
	if !slices.ContainsFunc(list, inForce) {
		return nil
	}
	removals, err := l.Removals(ctx, nil, nil)
	if err != nil {
		return err
	}
	at := map[removalKey]*removalJSON{}
	for i, r := range list {
		if inForce(r) {
			at[removalKey{r.ID, r.CompanySlug, catalog.BareDomain(r.OfficialDomain)}] = &list[i]
		}
	}
	of := func(r catalog.Removal) *removalJSON { return at[removalKey{r.ID, r.Slug, r.Domain}] }
	for _, one := range removals.List() {
		if r := of(one); r != nil && !one.Restored() {
			r.Beside = one.SeparateIDs
		}
	}
	market, err := o.read(ctx, w, state, removals)
	if err != nil {
		fmt.Fprintf(w.stderr, "souk: could not read the content to see which sellers removals hide: %v\n", err)
		return nil
	}
	for _, r := range at {
		r.Withholds = &[]withheldJSON{}
	}
	market.EachSeller(func(n *catalog.Node) {
		s := n.Item().(*catalog.Seller)
		for hold := range removals.Holding(s.Company()) {
			if r := of(hold.Removal); r != nil {
				*r.Withholds = append(*r.Withholds, withheldJSON{s.Ref.Slug, s.ID, s.OfficialDomain, camelCase(string(hold.By)), s.File})
			}
		}
	})
	for _, r := range at {
		slices.SortFunc(*r.Withholds, func(x, y withheldJSON) int { return cmp.Compare(x.CompanySlug, y.CompanySlug) })
	}
	return nil
}

// A removalKey identifies a removal in force.
type removalKey struct{ id, slug, domain string }

// withheldElsewhere extends an error about a seller without a record if the removal of another
// seller hides it.
func (o *contentOptions) withheldElsewhere(ctx context.Context, w environment, state string, l *ledger.Ledger, seller string, err error) error {
	removals, cannot := l.Removals(ctx, nil, nil)
	if cannot != nil || removals.Empty() {
		return err
	}
	market, cannot := o.read(ctx, w, state, removals)
	if cannot != nil {
		return err
	}
	market.EachSeller(func(n *catalog.Node) {
		s := n.Item().(*catalog.Seller)
		if !slices.Contains([]string{s.Ref.Slug, s.ID, s.OfficialDomain}, seller) {
			return
		}
		for hold := range removals.Holding(s.Company()) {
			err = fmt.Errorf("%w\n  %s: hidden by the removal of %s, because of its %s: see 'souk history %s'", err, s.File, hold.Removal.Slug, hold.By, hold.Removal.Slug)
		}
	})
	return err
}

// camelCase joins words to the name of a JSON field.
func camelCase(words string) string {
	parts := strings.Fields(words)
	for i, part := range parts[1:] {
		parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
	}
	return strings.Join(parts, "")
}

// read reads the content. If it has mistakes, read returns the parts that are readable.
func (o *contentOptions) read(ctx context.Context, w environment, state string, removals *catalog.Removals) (*catalog.Catalog, error) {
	config := build.Config{Content: o.content, State: state, Clock: w.now, Program: fingerprint()}
	market, err := build.Read(ctx, config, removals)
	var mistakes *problem.Error
	if errors.As(err, &mistakes) && market != nil {
		fmt.Fprintf(w.stderr, "souk: the content has %s: hidden sellers may be missing from this list\n", problem.Count(len(mistakes.Mistakes), "mistake"))
		return market, nil
	}
	return market, err
}

// printWithheld prints the sellers that removals hide, one per line, and the sellers they do
// not cover.
func printWithheld(w environment, list []removalJSON) error {
	if !slices.ContainsFunc(list, func(r removalJSON) bool { return r.Withholds != nil || len(r.Beside) > 0 }) {
		return nil
	}
	out := tabwriter.NewWriter(w.stdout, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { fmt.Fprintln(out, strings.Join(cells, "\t")) }
	row("\nREMOVAL OF", "SELLER", "WITHHELD BY", "FILE")
	for _, r := range list {
		held := map[string]bool{}
		if r.Withholds != nil {
			for _, one := range *r.Withholds {
				held[one.ID] = true
				row(r.CompanySlug, one.CompanySlug, one.By, one.File)
			}
			if len(held) == 0 {
				row(r.CompanySlug, "none in the content", dash(""), dash(""))
			}
		}
		for _, id := range r.Beside {
			if !held[id] {
				row(r.CompanySlug, id, "not hidden: public at the removal", dash(""))
			}
		}
	}
	return out.Flush()
}
