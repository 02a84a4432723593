package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"souk/build/kit/problem"
	"souk/dynamic/ledger"
)

func newLedger(w environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Back up the ledger of claims and removals, or restore a backup",
		Long: `Ledger copies the ledger in SQLite while servers use it, and puts a copy back without losing
a removal. A ledger in PostgreSQL is backed up by PostgreSQL's own tools.

Exit codes: 0 shown, 2 the command line is wrong.`,
		Example: "  souk ledger backup /backup/ledger-2026-11-29.db\n  souk ledger restore /backup/ledger-2026-11-29.db",
		Args:    subcommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLedgerBackup(w), newLedgerRestore(w))
	return cmd
}

func newLedgerBackup(w environment) *cobra.Command {
	var o ledgerOptions
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the ledger into a new file while servers use it",
		Long: `Backup copies the ledger in SQLite, as it is at one moment, into a new file that only you can
read. Servers go on meanwhile. The file contains names and mail addresses: keep it private.

Exit codes: 0 copied, 1 the ledger cannot be read, or the file exists or cannot be written,
2 the command line is wrong, or the ledger is in PostgreSQL.`,
		Example: "  souk ledger backup /backup/ledger-2026-11-29.db",
		Args:    exactArgs(1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if err := o.inSQLite(args[0]); err != nil {
				return err
			}
			l, err := o.openToRead(ctx)
			err = withLedger(l, err, func(l *ledger.Ledger) error { return l.Backup(ctx, args[0]) })
			if err == nil {
				_, err = fmt.Fprintf(w.stdout, "copied the ledger to %s\n", args[0])
			}
			return err
		},
	}
	o.add(cmd.Flags())
	return cmd
}

func newLedgerRestore(w environment) *cobra.Command {
	var o struct {
		ledgerOptions
		json bool
	}
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup of the ledger back without losing a removal",
		Long: `Restore puts a backup in the place of the ledger in SQLite, all of it or nothing. Removals that
the present ledger has and the backup lacks, or has as restored, are kept and listed. Claims
and requests that are newer than the backup are gone. Mails stay as they are, so that none is
sent twice. The backup itself stays unchanged. Servers may go on.

Exit codes: 0 restored, 1 the backup or the ledger cannot be read, 2 the command line is wrong,
or the ledger is in PostgreSQL.`,
		Example: "  souk ledger restore /backup/ledger-2026-11-29.db",
		Args:    exactArgs(1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.inSQLite(args[0]); err != nil {
				return err
			}
			return runLedgerRestore(cmd.Context(), w, &o.ledgerOptions, args[0], o.json)
		},
	}
	o.add(cmd.Flags())
	cmd.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return cmd
}

// inSQLite refuses a ledger in PostgreSQL, and a file without a name.
func (o *ledgerOptions) inSQLite(file string) error {
	switch {
	case ledger.IsShared(o.target()):
		return usageError{ledger.ErrPostgres}
	case file == "":
		return usagef("the name of the file is empty")
	}
	return nil
}

func runLedgerRestore(ctx context.Context, w environment, o *ledgerOptions, file string, asJSON bool) error {
	// A backup that is missing must not create a ledger.
	if err := ledger.CheckBackup(ctx, file); err != nil {
		return err
	}
	l, err := o.openOrCreate(ctx)
	if err != nil {
		return fmt.Errorf("%w\n  nothing was restored: if the ledger is lost, move it away together with its -wal and -shm, and give servers and builds a list of --removals as well", err)
	}
	return withLedger(l, nil, func(l *ledger.Ledger) error {
		removals, lost, err := l.Restore(ctx, file, w.now())
		if err != nil {
			return fmt.Errorf("%w\n  nothing was restored", err)
		}
		type kept struct {
			CompanySlug    string `json:"companySlug"`
			OfficialDomain string `json:"officialDomain,omitempty"`
			RemovedAt      string `json:"removedAt"`
		}
		list := []kept{}
		for _, one := range removals {
			list = append(list, kept{one.Slug, one.Domain, stamp(one.RemovedAt)})
		}
		if lost != (ledger.Lost{}) {
			fmt.Fprintf(w.stderr, "souk: newer than the backup, and gone: %s and %s\n",
				problem.Count(lost.Attached, "claimed profile"), problem.Count(lost.Pending, "pending request"))
		}
		if asJSON {
			return printJSON(w.stdout, map[string]any{"kept": list})
		}
		var failed error
		for i, one := range list {
			_, err := fmt.Fprintf(w.stdout, "kept the removal of %s, of %s\n", removals[i].Named(), one.RemovedAt)
			failed = errors.Join(failed, err)
		}
		_, err = fmt.Fprintf(w.stdout, "restored the ledger from %s, and kept %s that it lacks\n", file, problem.Count(len(list), "removal"))
		return errors.Join(failed, err)
	})
}
