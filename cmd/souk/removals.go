package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"souk/build/kit/durable"
	"souk/build/kit/problem"
	"souk/dynamic/verification"
)

type removalsOptions struct {
	ledgerOptions
	contentOptions
	export    string
	all, json bool
}

func newRemovals(w environment) *cobra.Command {
	var o removalsOptions
	cmd := &cobra.Command{
		Use:   "removals",
		Short: "List or export the removed sellers ('remove' removes one)",
		Long: `Removals lists the removed sellers, which are withheld everywhere, and everybody in the
content whom each removal withholds, and by what: its id, its official domain, a former
domain, an alias, its companySlug or its website. Who stood beside a removed seller, with its
domain among the former ones or at a companySlug that it had before, is not withheld. With
--export it writes
the list to a file (- is stdout), completely or not at all, for 'souk build --removals FILE' on
a machine without the ledger.

Exit codes: 0 listed or written, 1 the ledger cannot be read, 2 the command line is wrong.`,
		Example: "  souk removals --all\n  souk removals --export removals.json && souk build --removals removals.json",
		Args:    exactArgs(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.export == "" && cmd.Flags().Changed("export") {
				// The value may come from an unset variable.
				return usagef("--export is empty: name a file")
			}
			return runRemovals(cmd.Context(), w, o)
		},
	}
	o.ledgerOptions.add(cmd.Flags())
	o.contentOptions.add(cmd.Flags())
	cmd.Flags().StringVar(&o.export, "export", "", "write the list that 'souk build --removals' reads to this file")
	cmd.Flags().BoolVar(&o.all, "all", false, "include restored ones")
	cmd.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return cmd
}

// A removalJSON is a removal as --json and --export have it.
type removalJSON struct {
	ID             string `json:"id"`
	OfficialDomain string `json:"officialDomain"`
	CompanySlug    string `json:"companySlug"`
	RemovedAt      string `json:"removedAt"`
	// RemovedBy is "operator" if the operator removed the seller, and RemovalReason is the
	// operator's reason. Both are absent if the company removed itself.
	RemovedBy     string `json:"removedBy,omitempty"`
	RemovalReason string `json:"removalReason,omitempty"`
	RestoredAt    string `json:"restoredAt,omitempty"`
	// Reason is why the seller was restored.
	Reason string `json:"reason,omitempty"`
	// Beside lists the ids of sellers that the removal does not cover because they were public
	// when it was made. It is set for removals in force.
	Beside []string `json:"beside,omitempty"`
	// FormerIDs lists the seller's former ids, in --export.
	FormerIDs []string `json:"formerIds,omitempty"`
	// Withholds lists the sellers in the content that the removal hides. It is nil if the
	// content was not read or the seller was restored.
	Withholds *[]withheldJSON `json:"withholds,omitempty"`
	// Addresses lists all addresses that the seller ever had, in --export. A build without the
	// history needs them to answer 410.
	Addresses []string `json:"addresses,omitzero"`
}

func removalData(r verification.Removal) removalJSON {
	data := removalJSON{ID: r.SellerID, OfficialDomain: r.Domain, CompanySlug: r.Slug, RemovedAt: stamp(r.RemovedAt)}
	if r.RequestID == "" {
		data.RemovedBy, data.RemovalReason = "operator", r.Reason
	}
	if r.Restored != nil {
		data.RestoredAt, data.Reason = stamp(r.Restored.At), r.Restored.Reason
	}
	return data
}

func runRemovals(ctx context.Context, w environment, o removalsOptions) error {
	if o.export != "" && o.all {
		return usagef("--export lists removals in force only: leave --all out")
	}
	l, err := o.openToRead(ctx)
	return withProcess(w, l, err, func(p *verification.Process) error {
		list, err := p.ListRemovals(ctx, o.all)
		if err != nil {
			return err
		}
		all := make([]removalJSON, 0, len(list))
		for _, r := range list {
			all = append(all, removalData(r))
		}
		if o.export != "" {
			removed, err := l.Removed(ctx)
			if err != nil {
				return err
			}
			all = all[:0]
			for _, r := range removed {
				data := removalData(r.Removal)
				data.Addresses, data.Beside, data.FormerIDs = r.Addresses, r.SeparateIDs, r.FormerIDs
				// The operator's reason stays in the ledger; the list goes to other machines.
				data.RemovedBy, data.RemovalReason = "", ""
				all = append(all, data)
			}
			return exportRemovals(w, o.export, all)
		}
		if err := o.addWithheld(ctx, w, o.state, l, all); err != nil {
			return err
		}
		if o.json {
			return printJSON(w.stdout, all)
		}
		out := tabwriter.NewWriter(w.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, "SELLER\tDOMAIN\tID\tREMOVED\tRESTORED")
		for _, r := range all {
			fmt.Fprintln(out, strings.Join([]string{r.CompanySlug, dash(r.OfficialDomain), r.ID, r.RemovedAt, dash(r.RestoredAt)}, "\t"))
		}
		if err := out.Flush(); err != nil {
			return err
		}
		return printWithheld(w, all)
	})
}

// exportRemovals writes the list. It replaces the file only once the whole list is on disk: a
// build that read half of it would bring sellers back.
func exportRemovals(w environment, file string, all []removalJSON) error {
	var list bytes.Buffer
	if err := printJSON(&list, all); err != nil {
		return err
	}
	data := escapeControls(list.Bytes())
	if file == "-" {
		_, err := w.stdout.Write(data)
		return err
	}
	if err := durable.Output(file, 0o644, data); err != nil {
		return fmt.Errorf("export the removals: %w", err)
	}
	_, err := fmt.Fprintf(w.stderr, "souk: wrote %s to %s\n", problem.Count(len(all), "removal"), file)
	return err
}

// escapeControls escapes control characters that JSON allows and YAML readers reject.
func escapeControls(data []byte) []byte {
	var out []byte
	for _, r := range string(data) {
		if r >= 0x7f && unicode.IsControl(r) {
			out = fmt.Appendf(out, "\\u%04x", r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}
