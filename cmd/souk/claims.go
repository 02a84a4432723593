package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"souk/build/catalog"
	"souk/build/kit/problem"
	"souk/dynamic/verification"
)

type claimsOptions struct {
	ledgerOptions
	contentOptions
	unclaimed, json bool
}

func newClaims(w environment) *cobra.Command {
	var o claimsOptions
	cmd := &cobra.Command{
		Use:   "claims",
		Short: "List claimed profiles; release or move one",
		Long: `Claims lists the profiles that are attached to a workspace, since when and by whose mailbox,
and the claims that wait for their proof. The public never learns whether a profile is attached.
With --unclaimed it lists the companies of the content that could claim theirs and have not.

Exit codes: 0 listed, 1 the ledger cannot be read, 2 the command line is wrong.`,
		Example: "  souk claims\n  souk claims --unclaimed\n  souk claims release acme --reason \"asked by its board\"\n  souk claims move acme --workspace robotics-team --reason \"two teams became one\"",
		Args:    subcommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runClaims(cmd.Context(), w, o) },
	}
	o.ledgerOptions.add(cmd.Flags())
	addFolder(cmd.Flags(), &o.content, "content", "content", "the content folder, for --unclaimed")
	cmd.Flags().BoolVar(&o.unclaimed, "unclaimed", false, "list the public companies with an official domain and an unclaimed profile")
	cmd.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	cmd.AddCommand(newClaimsRelease(w), newClaimsMove(w))
	return cmd
}

func newClaimsRelease(w environment) *cobra.Command {
	var o decisionOptions
	cmd := &cobra.Command{
		Use:   "release SELLER --reason TEXT",
		Short: "Detach a profile from its workspace, with a reason on record",
		Long: `Release detaches the profile of a seller, named by companySlug, canonical id or official
domain: the next verified claim, of whatever workspace, attaches it. It holds at once for every
server that shares the ledger.

Exit codes: 0 released, 1 no workspace has the profile, 2 the command line is wrong.`,
		Example: "  souk claims release acme --reason \"asked by its board, letter of 12 May\"",
		Args:    exactArgs(1, "one seller"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runClaimsEnd(cmd.Context(), w, o, args[0], "") },
	}
	o.add(cmd.Flags())
	return cmd
}

func newClaimsMove(w environment) *cobra.Command {
	var o decisionOptions
	var workspace string
	cmd := &cobra.Command{
		Use:   "move SELLER --workspace NAME --reason TEXT",
		Short: "Attach a profile to another workspace, with a reason on record",
		Long: `Move detaches the profile of a seller, named by companySlug, canonical id or official domain,
from its workspace, and attaches it to another. The claim that proved it stays on record. It
holds at once for every server that shares the ledger.

Exit codes: 0 moved, 1 no workspace has the profile, or that one has it already;
2 the command line is wrong.`,
		Example: "  souk claims move acme --workspace robotics-team --reason \"two teams became one\"",
		Args:    exactArgs(1, "one seller"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if workspace == "" {
				return usagef("--workspace is missing: name the workspace that the profile moves to")
			}
			return runClaimsEnd(cmd.Context(), w, o, args[0], workspace)
		},
	}
	o.add(cmd.Flags())
	cmd.Flags().StringVar(&workspace, "workspace", "", "the workspace to attach the profile to (required)")
	return cmd
}

// runClaimsEnd releases a profile or, if workspace is set, moves the profile there.
func runClaimsEnd(ctx context.Context, w environment, o decisionOptions, seller, workspace string) error {
	return o.decide(ctx, w, func(p *verification.Process) error {
		var ended verification.Holding
		var err error
		if workspace == "" {
			ended, err = p.ReleaseClaim(ctx, seller, o.reason)
		} else {
			ended, err = p.MoveClaim(ctx, seller, workspace, o.reason)
		}
		if errors.Is(err, &verification.Error{Code: verification.CodeNotFound}) {
			return meantClaim(ctx, p, seller, err)
		}
		if err != nil {
			return forPeople(err)
		}
		switch data := holdingData(ended); {
		case o.json:
			data.MovedTo, data.Reason = workspace, strings.TrimSpace(o.reason)
			return printJSON(w.stdout, data)
		case workspace == "":
			_, err = fmt.Fprintf(w.stdout, "released %s from workspace %s: it can be claimed again\n", data.CompanySlug, data.WorkspaceID)
		default:
			_, err = fmt.Fprintf(w.stdout, "moved %s from workspace %s to %s\n", data.CompanySlug, data.WorkspaceID, workspace)
		}
		return err
	})
}

// meantClaim adds a suggestion to an error: the attached seller with the most similar name.
func meantClaim(ctx context.Context, p *verification.Process, seller string, err error) error {
	attached, _, failed := p.Claims(ctx)
	if failed != nil {
		return failed
	}
	var slugs []string
	for _, a := range attached {
		slugs = append(slugs, a.Seller.Slug)
	}
	if meant := problem.Nearest(seller, slugs); meant != "" {
		return fmt.Errorf("%w (%s)", forPeople(err), meant)
	}
	return forPeople(err)
}

// A holdingJSON is an attached profile. MovedTo and Reason are set if it was detached or
// moved.
type holdingJSON struct {
	ID             string `json:"id"`
	CompanySlug    string `json:"companySlug"`
	WorkspaceID    string `json:"workspaceId"`
	AttachedAt     string `json:"attachedAt"`
	ClaimID        string `json:"claimId"`
	RequesterName  string `json:"requesterName,omitempty"`
	RequesterEmail string `json:"requesterEmail,omitempty"`
	MovedTo        string `json:"movedTo,omitempty"`
	Reason         string `json:"reason,omitempty"`
}

func holdingData(h verification.Holding) holdingJSON {
	data := holdingJSON{
		ID: h.SellerID, CompanySlug: h.Seller.Slug, WorkspaceID: h.Workspace, AttachedAt: stamp(h.AttachedAt), ClaimID: h.ClaimID,
		RequesterName: h.RequesterName,
	}
	if h.Requester != (verification.Address{}) {
		data.RequesterEmail = h.Requester.Mailbox()
	}
	return data
}

type pendingClaimJSON struct {
	ID             string `json:"id"`
	CompanySlug    string `json:"companySlug"`
	ClaimID        string `json:"claimId"`
	StartedAt      string `json:"startedAt"`
	ExpiresAt      string `json:"expiresAt"`
	RequesterName  string `json:"requesterName"`
	RequesterEmail string `json:"requesterEmail"`
}

// An unclaimedJSON is a public company whose profile nobody has claimed.
type unclaimedJSON struct {
	ID             string `json:"id"`
	CompanySlug    string `json:"companySlug"`
	Name           string `json:"name"`
	OfficialDomain string `json:"officialDomain"`
}

// runUnclaimed lists the companies whose profile can be claimed and has not been.
func runUnclaimed(ctx context.Context, w environment, o claimsOptions) error {
	l, err := o.openToRead(ctx)
	return withProcess(w, l, err, func(p *verification.Process) error {
		claimed, _, err := p.Claims(ctx)
		if err != nil {
			return err
		}
		attached := map[string]bool{}
		for _, h := range claimed {
			attached[h.SellerID] = true
		}
		removals, err := l.Removals(ctx, nil, nil)
		if err != nil {
			return err
		}
		market, err := o.read(ctx, w, o.state, removals)
		if err != nil {
			return locatedError(o.content, "", err)
		}
		list := []unclaimedJSON{}
		market.EachSeller(func(n *catalog.Node) {
			if s := n.Item().(*catalog.Seller); n.Live() && s.OfficialDomain != "" && !attached[s.ID] {
				list = append(list, unclaimedJSON{s.ID, s.Ref.Slug, s.Name, s.OfficialDomain})
			}
		})
		slices.SortFunc(list, func(x, y unclaimedJSON) int { return strings.Compare(x.CompanySlug, y.CompanySlug) })
		if o.json {
			return printJSON(w.stdout, map[string]any{"unclaimed": list})
		}
		out := tabwriter.NewWriter(w.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, "SELLER\tNAME\tOFFICIAL DOMAIN")
		for _, s := range list {
			fmt.Fprintf(out, "%s\t%s\t%s\n", s.CompanySlug, s.Name, s.OfficialDomain)
		}
		return out.Flush()
	})
}

func runClaims(ctx context.Context, w environment, o claimsOptions) error {
	if o.unclaimed {
		return runUnclaimed(ctx, w, o)
	}
	l, err := o.openToRead(ctx)
	return withProcess(w, l, err, func(p *verification.Process) error {
		attached, pending, err := p.Claims(ctx)
		if err != nil {
			return err
		}
		list := struct {
			Attached []holdingJSON      `json:"attached"`
			Pending  []pendingClaimJSON `json:"pending"`
		}{[]holdingJSON{}, []pendingClaimJSON{}}
		for _, h := range attached {
			list.Attached = append(list.Attached, holdingData(h))
		}
		for _, c := range pending {
			list.Pending = append(list.Pending, pendingClaimJSON{
				c.SellerID, c.Slug, c.ID, stamp(c.CreatedAt), stamp(c.ExpiresAt), c.RequesterName, c.Requester.Mailbox(),
			})
		}
		if o.json {
			return printJSON(w.stdout, list)
		}
		out := tabwriter.NewWriter(w.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, "SELLER\tSTATUS\tWORKSPACE\tSINCE\tBY")
		line := func(cells ...string) { fmt.Fprintln(out, strings.Join(cells, "\t")) }
		for _, a := range list.Attached {
			line(a.CompanySlug, "attached", a.WorkspaceID, a.AttachedAt, person(a.RequesterName, a.RequesterEmail))
		}
		for _, c := range list.Pending {
			line(c.CompanySlug, "pending", dash(""), c.StartedAt, person(c.RequesterName, c.RequesterEmail))
		}
		return out.Flush()
	})
}

// person formats a requester. Both values are empty if the claim is no longer stored.
func person(name, email string) string {
	return dash(strings.Join(slices.DeleteFunc([]string{name, email}, func(s string) bool { return s == "" }), ", "))
}
