package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"souk/build/catalog"
	"souk/build/intake"
	"souk/build/source"
)

func newRename(w environment) *cobra.Command {
	var content string
	var json bool
	cmd := &cobra.Command{
		Use:   "rename REFERENCE SLUG",
		Short: "Change a slug and update everything that refers to it",
		Long: `Rename moves a company, product, service, category, article or market map to another slug.
It adds the alias that keeps the former addresses alive, and mends every Reference and
Markdown link to it, all in one step or not at all. A company without an id gets its old
slug as id, so that its removals and claims stay its own. If the file or folder was
renamed by hand already, it does the rest.

Exit codes: 0 done, 1 there is no such thing or the slug is taken, 2 the command line is wrong.`,
		Example: "  souk rename seller:acme acme-robotics\n  souk rename category:product/arms robot-arms",
		Args:    exactArgs(2, "a Reference and a slug, as in 'souk rename seller:acme acme-robotics'"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, err := catalog.ParseRef(args[0])
			if err != nil {
				return usageError{err}
			}
			return runRename(cmd.Context(), w, content, ref, args[1], json)
		},
	}
	addFolder(cmd.Flags(), &content, "content", "content", "the content folder")
	cmd.Flags().BoolVar(&json, "json", false, "print the files as JSON")
	return cmd
}

func runRename(ctx context.Context, w environment, content string, ref catalog.Ref, slug string, json bool) (err error) {
	unlock, err := lockContent(ctx, w, content)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	changed, err := intake.Rename(content, ref, slug, source.Mistakes)
	if err != nil {
		return fmt.Errorf("rename %s: %w", ref, err)
	}
	for i, file := range changed {
		changed[i] = filepath.Join(content, filepath.FromSlash(file))
	}
	if json {
		return printJSON(w.stdout, map[string][]string{"written": changed})
	}
	return printLines(w.stdout, changed)
}
