package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"souk/dynamic/verification"
)

func newRestore(w environment) *cobra.Command {
	var o decisionOptions
	cmd := &cobra.Command{
		Use:   "restore SELLER --reason TEXT",
		Short: "Undo a removal, with a reason on record",
		Long: `Restore makes a removed seller, named by companySlug, canonical id or official domain,
public again with the next build; a running server that shares the ledger builds within a second.
Pending removal requests expire, with their links. The reason goes on record.

Where two companies that were removed have one name, because one took the companySlug of the
other, neither is restored: name one by its official domain.

Exit codes: 0 restored, 1 no removal holds for the seller, or several companies are called so, 2 the command line is wrong.`,
		Example: "  souk restore acme --reason \"asked by its board, letter of 12 May\"",
		Args:    exactArgs(1, "one seller"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runRestore(cmd.Context(), w, o, args[0]) },
	}
	o.add(cmd.Flags())
	return cmd
}

func runRestore(ctx context.Context, w environment, o decisionOptions, seller string) error {
	return o.decide(ctx, w, func(p *verification.Process) error {
		restored, err := p.Restore(ctx, seller, o.reason)
		if err != nil {
			return forPeople(err)
		}
		all := make([]removalJSON, 0, len(restored))
		for _, r := range restored {
			all = append(all, removalData(r))
		}
		if o.json {
			return printJSON(w.stdout, all)
		}
		for _, r := range restored {
			if _, err := fmt.Fprintf(w.stdout, "restored %s, removed at %s: it reappears with the next build, or within a second if a running server shares the ledger\n", r.Named(), stamp(r.RemovedAt)); err != nil {
				return err
			}
		}
		return nil
	})
}
