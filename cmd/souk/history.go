package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"souk/dynamic/verification"
)

type historyOptions struct {
	ledgerOptions
	contentOptions
	json bool
}

func newHistory(w environment) *cobra.Command {
	var o historyOptions
	cmd := &cobra.Command{
		Use:   "history SELLER",
		Short: "Show when a seller was published, claimed, removed and restored",
		Long: `History shows what is on record about a seller, named by its canonical id, any companySlug
that it ever had, or a domain: which releases published it, from when to when, its removals and
the workspaces that had its profile, with the operator's reasons. Of a removal in force it names
everybody in the content whom it withholds, and by what. It names no requester.

Exit codes: 0 shown, 1 nothing is on record, 2 the command line is wrong.`,
		Example: "  souk history acme\n  souk history acme.example --json",
		Args:    exactArgs(1, "one seller"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runHistory(cmd.Context(), w, o, args[0]) },
	}
	o.ledgerOptions.add(cmd.Flags())
	o.contentOptions.add(cmd.Flags())
	cmd.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return cmd
}

type publicationJSON struct {
	ID             string `json:"id"`
	CompanySlug    string `json:"companySlug"`
	OfficialDomain string `json:"officialDomain"`
	From           string `json:"from"`
	FromRelease    string `json:"fromRelease"`
	Until          string `json:"until,omitempty"`
	UntilRelease   string `json:"untilRelease,omitempty"`
}

type attachmentJSON struct {
	WorkspaceID string `json:"workspaceId"`
	AttachedAt  string `json:"attachedAt"`
	// EndedAt and Reason are set if the operator released the profile or moved it to another
	// workspace, MovedTo.
	EndedAt string `json:"endedAt,omitempty"`
	MovedTo string `json:"movedTo,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

type historyJSON struct {
	Publications []publicationJSON `json:"publications"`
	Addresses    int               `json:"addresses"`
	Removals     []removalJSON     `json:"removals"`
	Attachments  []attachmentJSON  `json:"attachments"`
}

func runHistory(ctx context.Context, w environment, o historyOptions, seller string) error {
	l, err := o.openToRead(ctx)
	return withProcess(w, l, err, func(p *verification.Process) error {
		h, err := p.History(ctx, seller)
		if err != nil {
			return o.withheldElsewhere(ctx, w, o.state, l, seller, forPeople(err))
		}
		data := historyData(h)
		if err := o.addWithheld(ctx, w, o.state, l, data.Removals); err != nil {
			return err
		}
		if o.json {
			return printJSON(w.stdout, data)
		}
		return printHistory(w, h, data)
	})
}

func historyData(h verification.History) historyJSON {
	data := historyJSON{Publications: []publicationJSON{}, Addresses: h.Addresses, Removals: []removalJSON{}, Attachments: []attachmentJSON{}}
	for _, p := range h.Publications {
		data.Publications = append(data.Publications, publicationJSON{
			p.SellerID, p.Slug, p.Domain, stamp(p.From), p.FromRelease, stamp(p.Until), p.UntilRelease,
		})
	}
	for _, r := range h.Removals {
		data.Removals = append(data.Removals, removalData(r))
	}
	for _, d := range h.Detachments {
		data.Attachments = append(data.Attachments, attachmentJSON{d.Workspace, stamp(d.AttachedAt), stamp(d.At), d.MovedTo, d.Reason})
	}
	for _, a := range h.Attachments {
		data.Attachments = append(data.Attachments, attachmentJSON{WorkspaceID: a.Workspace, AttachedAt: stamp(a.AttachedAt)})
	}
	return data
}

// printHistory prints a history in chronological order. Times are compared in full and printed
// to the second.
func printHistory(w environment, h verification.History, data historyJSON) error {
	type line struct {
		at   time.Time
		text string
	}
	var lines []line
	add := func(at time.Time, text string, args ...any) {
		if !at.IsZero() {
			lines = append(lines, line{at, fmt.Sprintf(text, args...)})
		}
	}
	// Events at the same time are listed with causes before effects.
	for _, p := range h.Publications {
		add(p.From, "published as %s (%s, id %s) by release %s", p.Slug, p.Domain, p.SellerID, p.FromRelease)
	}
	for _, d := range h.Detachments {
		add(d.AttachedAt, "attached to workspace %s", d.Workspace)
		if d.MovedTo != "" {
			add(d.At, "moved from workspace %s to %s: %s", d.Workspace, d.MovedTo, d.Reason)
		} else {
			add(d.At, "released from workspace %s: %s", d.Workspace, d.Reason)
		}
	}
	for _, a := range h.Attachments {
		add(a.AttachedAt, "attached to workspace %s", a.Workspace)
	}
	for i, r := range h.Removals {
		if by := data.Removals[i].RemovedBy; by != "" {
			add(r.RemovedAt, "removed by the %s: %s (%s): %s", by, r.Slug, r.Domain, r.Reason)
		} else {
			add(r.RemovedAt, "removed: %s (%s)", r.Slug, r.Domain)
		}
		if r.Restored != nil {
			add(r.Restored.At, "restored: %s (%s): %s", r.Slug, r.Domain, r.Restored.Reason)
		}
	}
	for _, p := range h.Publications {
		add(p.Until, "no longer published as %s since release %s", p.Slug, p.UntilRelease)
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.at.Compare(b.at) })
	for _, line := range lines {
		if _, err := fmt.Fprintf(w.stdout, "%s  %s\n", stamp(line.at), strings.Map(harmless, line.text)); err != nil {
			return err
		}
	}
	addresses := "addresses"
	if h.Addresses == 1 {
		addresses = "address"
	}
	if _, err := fmt.Fprintf(w.stdout, "%d %s in all\n", h.Addresses, addresses); err != nil {
		return err
	}
	return printWithheld(w, data.Removals)
}
