package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"souk/build/catalog"
	"souk/build/release"
	"souk/build/stub"
	"souk/dynamic/ledger"
)

// A withdrawnOptions holds the flags of the commands that carry a release to the
// public, and compare it first with who is removed.
type withdrawnOptions struct {
	ledgerOptions
	removals string
}

func (o *withdrawnOptions) add(flags *pflag.FlagSet) {
	o.ledgerOptions.add(flags)
	flags.StringVar(&o.removals, "removals", "", "YAML or JSON list of removed sellers, as 'souk removals --export' writes it; beside the ledger, or in its place")
}

// removed returns who is removed, or nil if there is neither a ledger nor a list.
func (o *withdrawnOptions) removed(ctx context.Context) (*catalog.Removals, error) {
	shared := buildOptions{state: o.state, database: o.database, removals: o.removals}
	return shared.removed(ctx)
}

// warnUnowned says that a release has lost whose its companySlugs are, which is in its
// folder: who is removed is then told by addresses alone.
func warnUnowned(w environment, tree *release.Tree, removals *catalog.Removals) {
	owned := false
	tree.EachOwner(func(string, release.Owner) { owned = true })
	if !owned && !removals.Empty() && tree.ID() != "" {
		fmt.Fprintln(w.stderr, "souk: the folder beside the public one, which a build keeps there, is missing or new: who is removed is compared by companySlug and address alone, and not by id and domain")
	}
}

// notLookedAt says that there is neither a ledger nor a list.
func (o *ledgerOptions) notLookedAt() string {
	return fmt.Sprintf("removals were not looked at: there is no ledger at %s and no list of --removals", ledger.Redacted(o.target()))
}

// advise adds to an error that says that a release would bring somebody back how
// that is mended.
func (o *withdrawnOptions) advise(err error) error {
	at := ledger.Redacted(o.target())
	switch {
	case errors.As(err, new(*stub.WithdrawnError)):
		return fmt.Errorf("%w\n  nothing was done: build again with the ledger (%s) or the list that has these removals, by --state, --database or --removals, and give this command the --state of that build; souk restore undoes a removal", err, at)
	case errors.As(err, new(*stub.UnexplainedError)):
		return fmt.Errorf("%w\n  nothing was done, and neither the ledger %s nor a list has them: name the ledger that does with --state or --database, or the list with --removals, for 'souk build' and again here; --forget with a companySlug or an address lets them be deleted", err, at)
	}
	return err
}
