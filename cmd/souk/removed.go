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

// A removedOptions holds the flags that say which sellers are removed: a ledger and a list.
type removedOptions struct {
	ledgerOptions
	removals string
}

// add adds the flags of the commands that publish or judge a release and first compare it with
// the removals.
func (o *removedOptions) add(flags *pflag.FlagSet) {
	o.ledgerOptions.add(flags)
	flags.Var((*needed)(&o.removals), "removals", "a YAML or JSON list of removed sellers, as 'souk removals --export' writes it, in addition to the ledger or instead of it")
}

// listedRemovals returns the removals of --removals, or nil if the flag is not set.
func (o *removedOptions) listedRemovals(w environment) (*catalog.Removals, error) {
	if o.removals == "" {
		return nil, nil
	}
	return source.ReadRemovals(o.removals, w.now())
}

// removed returns the removals in the list and, if there is one, in the ledger, for a command
// that only reads. It returns nil if there is neither.
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

// removedIfReadable returns the removals for a command that only reports mistakes in the
// content. An unreadable ledger that no flag names does not stop it. Without a ledger and a
// list, no seller is removed.
func (o *removedOptions) removedIfReadable(ctx context.Context, w environment) (*catalog.Removals, error) {
	removals, err := o.removed(ctx, w)
	if err == nil || o.database != "" || ctx.Err() != nil {
		return removals, err
	}
	listed, wrong := o.listedRemovals(w)
	if wrong != nil {
		return nil, wrong
	}
	fmt.Fprintf(w.stderr, "souk: removals were not checked: %v\n", err)
	return listed, nil
}

// warnUnowned warns that the release metadata does not say which seller each companySlug
// belongs to. Removals can then be compared by address only.
func warnUnowned(w environment, tree *release.Tree, removals *catalog.Removals) {
	owned := false
	tree.EachOwner(func(string, release.Owner) { owned = true })
	if !owned && !removals.Empty() && tree.ID() != "" {
		fmt.Fprintln(w.stderr, "souk: the release metadata is missing or new: removals are compared by companySlug and address only, not by id and domain")
	}
}

// notLookedAt says that there is neither a ledger nor a list.
func (o *ledgerOptions) notLookedAt() string {
	return fmt.Sprintf("removals were not checked: there is no ledger at %s, and --removals names no list", ledger.Redacted(o.target()))
}

// advise adds advice to an error about a release that would bring a removed seller back.
func (o *removedOptions) advise(err error) error {
	at := ledger.Redacted(o.target())
	switch {
	case errors.As(err, new(*stub.WithdrawnError)):
		return fmt.Errorf("%w\n  nothing was done: build again with the ledger (%s) or the list that has these removals (--state, --database or --removals), then run this command with the --state of that build; to undo a removal, use 'souk restore'", err, at)
	case errors.As(err, new(*stub.UnexplainedError)):
		return fmt.Errorf("%w\n  nothing was done, because neither the ledger %s nor a list has these removals: name the right ledger with --state or --database, or the list with --removals, for 'souk build' and again here; to delete the 410 answers, name their companySlug or address with --forget", err, at)
	}
	return err
}
