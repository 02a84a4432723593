package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

type tokenOptions struct {
	ledgerOptions
	workspace string
	json      bool
}

func newToken(w environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Create, list and revoke the bearer tokens that verify claims",
		Long: `Token manages the bearer tokens with which a workspace verifies its claims. The ledger
keeps only a hash of each, so that a token is shown once. A running server that shares the
ledger accepts a new token, and refuses a revoked one, at once.

Exit codes: 0 done, 1 it failed, 2 the command line is wrong.`,
		Example: "  souk token new --workspace robotics-team\n  souk token list\n  souk token revoke TOKEN-ID",
		Args:    subcommand,
		RunE:    func(*cobra.Command, []string) error { return usagef("souk token takes new, list or revoke") },
	}
	cmd.AddCommand(newTokenNew(w), newTokenList(w), newTokenRevoke(w))
	return cmd
}

func newTokenNew(w environment) *cobra.Command {
	var o tokenOptions
	cmd := &cobra.Command{
		Use:   "new --workspace NAME",
		Short: "Create a token for a workspace and print it once",
		Long: `New prints a bearer token. It cannot be shown again.

Exit codes: 0 made, 1 it failed, 2 the command line is wrong.`,
		Example: "  souk token new --workspace robotics-team",
		Args:    exactArgs(0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTokenNew(cmd.Context(), w, o) },
	}
	o.add(cmd.Flags())
	cmd.Flags().StringVar(&o.workspace, "workspace", "", "the workspace that profiles are attached to (required)")
	cmd.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return cmd
}

func runTokenNew(ctx context.Context, w environment, o tokenOptions) error {
	if o.workspace == "" {
		return usagef("--workspace is missing: the token is for one workspace")
	}
	l, err := o.openOrCreate(ctx)
	return withProcess(w, l, err, func(p *verification.Process) error {
		made, secret, err := p.NewAPIToken(ctx, o.workspace)
		if err != nil {
			return forPeople(err)
		}
		if o.json {
			return printJSON(w.stdout, struct {
				tokenJSON
				Token string `json:"token"`
			}{tokenData(made), secret.Reveal()})
		}
		fmt.Fprintf(w.stderr, "souk: token %s for workspace %s; this is the only time it is shown\n", made.ID, made.Workspace)
		_, err = fmt.Fprintln(w.stdout, secret.Reveal())
		return err
	})
}

func newTokenList(w environment) *cobra.Command {
	var o tokenOptions
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the tokens, with their last use",
		Long: `List prints every token, revoked ones included, oldest first. Secrets are not stored.

Exit codes: 0 listed, 1 it failed, 2 the command line is wrong.`,
		Example: "  souk token list --json",
		Args:    exactArgs(0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTokenList(cmd.Context(), w, o) },
	}
	o.add(cmd.Flags())
	cmd.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return cmd
}

func runTokenList(ctx context.Context, w environment, o tokenOptions) error {
	l, err := o.openToRead(ctx)
	return withProcess(w, l, err, func(p *verification.Process) error {
		list, err := p.APITokens(ctx)
		if err != nil {
			return err
		}
		all := make([]tokenJSON, 0, len(list))
		for _, t := range list {
			all = append(all, tokenData(t))
		}
		if o.json {
			return printJSON(w.stdout, all)
		}
		out := tabwriter.NewWriter(w.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(out, "ID\tWORKSPACE\tMADE\tLAST USED\tREVOKED")
		for _, t := range all {
			fmt.Fprintln(out, strings.Join([]string{t.ID, t.Workspace, t.CreatedAt, dash(t.LastUsedAt), dash(t.RevokedAt)}, "\t"))
		}
		return out.Flush()
	})
}

func newTokenRevoke(w environment) *cobra.Command {
	var o tokenOptions
	cmd := &cobra.Command{
		Use:   "revoke TOKEN-ID",
		Short: "Revoke a token on every server that shares the ledger",
		Long: `Revoke ends the token with an id, as souk token list shows it.

Exit codes: 0 revoked, 1 there is no such token, 2 the command line is wrong.`,
		Example: "  souk token revoke token-k3x9w2",
		Args:    exactArgs(1, "the id of one token"),
		RunE:    func(cmd *cobra.Command, args []string) error { return runTokenRevoke(cmd.Context(), w, o, args[0]) },
	}
	o.add(cmd.Flags())
	cmd.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return cmd
}

func runTokenRevoke(ctx context.Context, w environment, o tokenOptions, id string) error {
	l, err := o.openExisting(ctx)
	return withProcess(w, l, err, func(p *verification.Process) error {
		revoked, err := p.RevokeAPIToken(ctx, id)
		if err != nil {
			return forPeople(err)
		}
		if o.json {
			return printJSON(w.stdout, tokenData(revoked))
		}
		_, err = fmt.Fprintf(w.stdout, "token %s of workspace %s is revoked\n", revoked.ID, revoked.Workspace)
		return err
	})
}

// withProcess calls a function with the operations that need no marketplace.
func withProcess(w environment, l *ledger.Ledger, err error, use func(*verification.Process) error) error {
	return withLedger(l, err, func(l *ledger.Ledger) error {
		p, err := verification.New(verification.Config{Ledger: l, Now: w.now, Random: rand.Reader})
		if err != nil {
			return err
		}
		return use(p)
	})
}

// forPeople rewords an error of verification for operators.
func forPeople(err error) error {
	var e *verification.Error
	if !errors.As(err, &e) {
		return err
	}
	text := e.Detail
	for _, f := range e.Fields {
		text = f.Field + ": " + f.Message
	}
	return errors.New(text)
}

type tokenJSON struct {
	ID         string `json:"id"`
	Workspace  string `json:"workspace"`
	CreatedAt  string `json:"createdAt"`
	LastUsedAt string `json:"lastUsedAt,omitempty"`
	RevokedAt  string `json:"revokedAt,omitempty"`
}

func tokenData(t verification.APIToken) tokenJSON {
	return tokenJSON{t.ID, t.Workspace, stamp(t.CreatedAt), stamp(t.LastUsedAt), stamp(t.RevokedAt)}
}

// stamp formats a time, or returns "" for the zero time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
