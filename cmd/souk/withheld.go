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

// A contentOptions holds the flag of the commands that tell whom of the content a
// removal withholds.
type contentOptions struct{ content string }

func (o *contentOptions) add(flags *pflag.FlagSet) {
	addFolder(flags, &o.content, "content", "content", "the content folder, to tell whom each removal withholds; without one that is not told")
}

// A withheldJSON is a seller of the content that a removal withholds.
type withheldJSON struct {
	CompanySlug    string `json:"companySlug"`
	ID             string `json:"id"`
	OfficialDomain string `json:"officialDomain"`
	// By is what the removal has in common with it: id, officialDomain, formerDomain, alias,
	// companySlug, website.
	By   string `json:"by"`
	File string `json:"file"`
}

// addWithheld adds to removals in force whom of the content each of them withholds,
// and who stood beside it. Where the content cannot be read it says so.
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
		fmt.Fprintf(w.stderr, "souk: whom a removal withholds was not looked at: %v\n", err)
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

// A removalKey tells one removal in force from the others.
type removalKey struct{ id, slug, domain string }

// withheldElsewhere adds to an error about a seller of which nothing is on record
// whose removal withholds it.
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
			err = fmt.Errorf("%w\n  %s: the removal of %s withholds it, by its %s: see 'souk history %s'", err, s.File, hold.Removal.Slug, hold.By, hold.Removal.Slug)
		}
	})
	return err
}

// camelCase writes words as the field of JSON that they name.
func camelCase(words string) string {
	parts := strings.Fields(words)
	for i, part := range parts[1:] {
		parts[i+1] = strings.ToUpper(part[:1]) + part[1:]
	}
	return strings.Join(parts, "")
}

// read reads the content. Of content with mistakes it returns what can be read.
func (o *contentOptions) read(ctx context.Context, w environment, state string, removals *catalog.Removals) (*catalog.Catalog, error) {
	config := build.Config{Content: o.content, State: state, Clock: w.now, Program: fingerprint()}
	market, err := build.Read(ctx, config, removals)
	var mistakes *problem.Error
	if errors.As(err, &mistakes) && market != nil {
		fmt.Fprintf(w.stderr, "souk: the content has %s: who is withheld may be missed\n", problem.Count(len(mistakes.Mistakes), "mistake"))
		return market, nil
	}
	return market, err
}

// printWithheld prints whom removals withhold, a line each, and who stood beside.
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
				row(r.CompanySlug, "no one in the content", dash(""), dash(""))
			}
		}
		for _, id := range r.Beside {
			if !held[id] {
				row(r.CompanySlug, id, "not withheld: stood beside", dash(""))
			}
		}
	}
	return out.Flush()
}
