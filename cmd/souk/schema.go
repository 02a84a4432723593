package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build/source"
)

func newSchema(w environment) *cobra.Command {
	var o schemaOptions
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Write the JSON Schemas of the content files",
		Long: `Writes a JSON Schema (draft 2020-12) for each kind of content file: for a .yaml file
as a whole, for a .md file its front matter. They stand in the folder .schemas of the
content folder, where the files that 'souk init' and 'souk new' write refer to them;
those of an earlier version are replaced.

Exit codes: 0 written, 1 they cannot be written, 2 the command line is wrong.`,
		Example: "  souk schema --out build/schemas",
		Args:    exactArgs(0, "no arguments"),
		RunE:    func(*cobra.Command, []string) error { return runSchema(w, o) },
	}
	o.flags(cmd.Flags())
	return cmd
}

type schemaOptions struct {
	content string
	out     string
	json    bool
}

func (o *schemaOptions) flags(f *pflag.FlagSet) {
	addFolder(f, &o.content, "content", "content", "the content folder")
	f.StringVar(&o.out, "out", "", "the folder to write to (default .schemas in the content folder)")
	f.BoolVar(&o.json, "json", false, "print what was written as JSON")
}

func runSchema(w environment, o schemaOptions) error {
	// A misspelled content folder must not be created.
	if _, err := os.Stat(o.content); o.out == "" && err != nil {
		return fmt.Errorf("find the content folder: %w", err)
	}
	written, err := source.WriteSchemas(cmp.Or(o.out, filepath.Join(o.content, source.SchemaDir)))
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(w.stdout, struct {
			Written []string `json:"written"`
		}{written})
	}
	return printLines(w.stdout, written)
}
