package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"souk/dynamic/ledger"
)

type serversOptions struct {
	ledgerOptions
	json bool
}

func newServers(w environment) *cobra.Command {
	var o serversOptions
	cmd := &cobra.Command{
		Use:   "servers",
		Short: "List the servers that share a ledger ('serve' starts one)",
		Long: `Servers lists the servers on a ledger in PostgreSQL: how long the lease of each holds, the
revision of the removals that it withholds, and its release with the revision that it was made
with. A server without a lease answers 503 until it has what is settled: the revision of the
last removal that was answered. Below them are those who build, each with its target.

Exit codes: 0 listed, 1 the ledger cannot be read, 2 the command line is wrong, or the ledger is
none that several machines share.`,
		Example: "  souk servers --database postgres://souk@db/souk\n  souk servers --database postgres://souk@db/souk --json",
		Args:    exactArgs(0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runServers(cmd.Context(), w, o) },
	}
	o.add(cmd.Flags())
	cmd.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return cmd
}

// A serverJSON is a server as --json prints it.
type serverJSON struct {
	Name string `json:"name"`
	// Seconds is how long the lease is still valid; negative if it has expired.
	Seconds float64 `json:"seconds"`
	// State is answering, behind, or gone.
	State    string `json:"state"`
	Withheld uint64 `json:"withheldRevision"`
	Made     uint64 `json:"releaseRevision"`
	Release  string `json:"release,omitempty"`
}

type builderJSON struct {
	Name    string  `json:"name"`
	Target  string  `json:"target"`
	Seconds float64 `json:"seconds"`
	State   string  `json:"state"`
}

type serversJSON struct {
	Revision uint64        `json:"revision"`
	Settled  uint64        `json:"settled"`
	Servers  []serverJSON  `json:"servers"`
	Builders []builderJSON `json:"builders"`
}

// The states of servers and builders. A server that is behind keeps answering until its lease
// expires.
const (
	stateAnswering = "answering"
	stateBehind    = "behind"
	stateGone      = "gone"
	stateBuilding  = "building"
)

func serversData(all ledger.Servers) serversJSON {
	list := serversJSON{Revision: all.Revision, Settled: all.Settled, Servers: []serverJSON{}, Builders: []builderJSON{}}
	for _, s := range all.Servers {
		one := serverJSON{s.Name, s.Remaining.Round(time.Millisecond).Seconds(), stateAnswering, s.Withheld, s.Built, s.Release}
		switch {
		// A live server that is refused a lease keeps asking.
		case s.Remaining <= -ledger.LeaseTime:
			one.State = stateGone
		case s.Withheld < all.Revision || s.Built < all.Revision:
			one.State = stateBehind
		case s.Remaining <= 0:
			one.State = stateGone
		}
		list.Servers = append(list.Servers, one)
	}
	for _, b := range all.Builders {
		one := builderJSON{b.Name, b.Place, b.Remaining.Round(time.Millisecond).Seconds(), stateBuilding}
		if b.Remaining <= 0 {
			one.State = stateGone
		}
		list.Builders = append(list.Builders, one)
	}
	return list
}

func runServers(ctx context.Context, w environment, o serversOptions) error {
	if !ledger.IsShared(o.database) {
		return usagef("only servers on --database postgres://… have leases: a SQLite ledger belongs to one machine, whose servers need none")
	}
	l, err := o.openExisting(ctx)
	return withLedger(l, err, func(l *ledger.Ledger) error {
		all, err := l.Servers(ctx)
		if err != nil {
			return err
		}
		list := serversData(all)
		if o.json {
			return printJSON(w.stdout, list)
		}
		fmt.Fprintf(w.stdout, "removals on record: revision %d; answered: %d\n\n", list.Revision, list.Settled)
		out := tabwriter.NewWriter(w.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, "SERVER\tSTATE\tLEASE\tWITHHOLDS\tRELEASE OF\tRELEASE")
		number := func(n uint64) string { return strconv.FormatUint(n, 10) }
		for _, s := range list.Servers {
			fmt.Fprintln(out, strings.Join([]string{s.Name, s.State, left(s.Seconds), number(s.Withheld), number(s.Made), dash(s.Release)}, "\t"))
		}
		if len(list.Builders) > 0 {
			fmt.Fprintln(out, "\nBUILDER\tSTATE\tLEASE\tTARGET")
		}
		for _, b := range list.Builders {
			fmt.Fprintln(out, strings.Join([]string{b.Name, b.State, left(b.Seconds), b.Target}, "\t"))
		}
		return out.Flush()
	})
}

// left formats the time until a lease expires.
func left(seconds float64) string {
	if seconds <= 0 {
		return fmt.Sprintf("expired %.0f s ago", -seconds)
	}
	return fmt.Sprintf("%.1f s", seconds)
}
