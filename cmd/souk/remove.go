package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"souk/build"
	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/dynamic"
	"souk/dynamic/verification"
)

type removeOptions struct {
	decisionOptions
	content string
}

func newRemove(w environment) *cobra.Command {
	var o removeOptions
	cmd := &cobra.Command{
		Use:   "remove SELLER --reason TEXT",
		Short: "Remove a seller by the operator's decision ('removals' lists removed sellers)",
		Long: `Remove puts a removal on record as if the seller, named by companySlug, canonical id or
official domain, had asked for it by mail: for a legal letter, or a company without a mailbox.
The next build withholds the seller everywhere, with a 410 at each of its addresses. A running
server that shares the ledger answers 410 and finds it nowhere within a second, and builds.
No mail is sent. souk restore undoes it.

Exit codes: 0 removed; 1 there is no such seller, or it is removed already;
2 the command line is wrong.`,
		Example: "  souk remove acme --reason \"letter of its lawyers, 12 May\" && souk build",
		Args:    exactArgs(1, "one seller"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runRemove(cmd.Context(), w, o, args[0]) },
	}
	o.add(cmd.Flags())
	addFolder(cmd.Flags(), &o.content, "content", "content", "the content folder")
	return cmd
}

func runRemove(ctx context.Context, w environment, o removeOptions, name string) error {
	return o.decide(ctx, w, func(p *verification.Process) error {
		market, err := o.market(ctx, w)
		if err != nil {
			return err
		}
		seller, found := dynamic.FindSeller(market, name)
		if !found {
			if err := p.RemovedAlready(ctx, name); err != nil {
				return forPeople(err)
			}
			if seller, found, err = p.Published(ctx, name); err != nil {
				return err
			}
		}
		if !found {
			return noSeller(market, name)
		}
		made, err := p.Remove(ctx, dynamic.SellersOf(market), seller, o.reason)
		if err != nil {
			return forPeople(err)
		}
		return o.print(w, made)
	})
}

// market reads the content, which identifies the seller and its neighbours. Mistakes in the
// content do not delay a removal.
func (o *removeOptions) market(ctx context.Context, w environment) (*catalog.Catalog, error) {
	market, err := build.Read(ctx, build.Config{Content: o.content, State: o.state, Clock: w.now, Program: fingerprint()}, nil)
	var mistaken *problem.Error
	if errors.As(err, &mistaken) && market.Market() != nil {
		fmt.Fprintf(w.stderr, "souk: the content has %s: run 'souk check' to list them\n", problem.Count(len(mistaken.Mistakes), "mistake"))
		err = nil
	}
	return market, locatedError(o.content, "", err)
}

func (o *removeOptions) print(w environment, made verification.Removal) error {
	if o.json {
		return printJSON(w.stdout, removalData(made))
	}
	_, err := fmt.Fprintf(w.stdout, "removed %s: it disappears with the next build, or within a second if a running server shares the ledger\n", made.Named())
	return err
}
