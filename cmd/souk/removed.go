package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"souk/build/catalog"
	"souk/build/release"
	"souk/build/release/stub"
	"souk/build/source"
	"souk/dynamic/ledger"
)

// A removedOptions holds the flags that say who is removed: by a ledger and by a list.
type removedOptions struct {
	ledgerOptions
	removals string
}

// add adds the flags of the commands that carry a release to the public, and compare
// it first with who is removed.
func (o *removedOptions) add(flags *pflag.FlagSet) {
	o.ledgerOptions.add(flags)
	flags.Var((*needed)(&o.removals), "removals", "a YAML or JSON list of removed sellers, as 'souk removals --export' writes it, in addition to the ledger or instead of it")
}

// listedRemovals returns the removals of --removals, nil if the flag is not given.
func (o *removedOptions) listedRemovals(w environment) (*catalog.Removals, error) {
	if o.removals == "" {
		return nil, nil
	}
	return source.ReadRemovals(o.removals, w.now())
}

// removed returns who is removed, for a command that only reads: by the list
// and, if there is one, by the ledger; nil if there is neither.
func (o *removedOptions) removed(ctx context.Context, w environment) (removals *catalog.Removals, err error) {
	also, err := o.listedRemovals(w)
	if err != nil {
		return nil, err
	}
	l, err := o.openToRead(ctx)
	if errors.Is(err, ledger.ErrMissing) && o.database == "" {
		return also, nil
	}
	err = withLedger(l, err, func(l *ledger.Ledger) error {
		removals, err = l.Removals(ctx, nil, also)
		return err
	})
	return removals, err
}

// removedIfReadable returns who is removed, for a command that shows nothing but what
// is wrong with the content: a ledger of somebody else's, which nobody named, keeps it
// from nothing. Before there is a ledger or a list nobody was removed.
func (o *removedOptions) removedIfReadable(ctx context.Context, w environment) (*catalog.Removals, error) {
	removals, err := o.removed(ctx, w)
	if err == nil || o.database != "" || ctx.Err() != nil {
		return removals, err
	}
	listed, wrong := o.listedRemovals(w)
	if wrong != nil {
		return nil, wrong
	}
	fmt.Fprintf(w.stderr, "souk: who was removed was not looked at: %v\n", err)
	return listed, nil
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
func (o *removedOptions) advise(err error) error {
	at := ledger.Redacted(o.target())
	switch {
	case errors.As(err, new(*stub.WithdrawnError)):
		return fmt.Errorf("%w\n  nothing was done: build again with the ledger (%s) or the list that has these removals, by --state, --database or --removals, and give this command the --state of that build; souk restore undoes a removal", err, at)
	case errors.As(err, new(*stub.UnexplainedError)):
		return fmt.Errorf("%w\n  nothing was done, and neither the ledger %s nor a list has them: name the ledger that does with --state or --database, or the list with --removals, for 'souk build' and again here; --forget with a companySlug or an address lets them be deleted", err, at)
	}
	return err
}
