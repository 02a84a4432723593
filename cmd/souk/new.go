package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build/source"
)

func newNew(w environment) *cobra.Command {
	var o newOptions
	cmd := &cobra.Command{
		Use:   "new KIND PATH",
		Short: "Write a new content file with every field explained",
		Long: `Writes a draft of a new thing to its place in the content folder. Every field that
its kind has is explained there; those that are not required are commented out. A draft
is not public: taking its status line out publishes it.

KIND and PATH are one of

  souk new seller      lumen
  souk new product     lumen/beacon
  souk new service     lumen/repair
  souk new category    product/lamps
  souk new article     my-title
  souk new market-map  lamps
  souk new page        imprint
  souk new texts       nl

A page is one of your own, such as /imprint or /about/team. Texts are no thing but the
site's own texts in a language: all of them are there in English, commented out.

A file that is there already is never changed.

Exit codes: 0 written, 1 it is there already or cannot be written, 2 the command line
is wrong.`,
		Example:   "  souk new product lumen/lantern --markdown",
		ValidArgs: source.NewKinds(),
		Args:      exactArgs(2, "a kind and a path, as in 'souk new product lumen/beacon'"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.kind, o.path = args[0], args[1]
			return runNew(w, o)
		},
	}
	o.flags(cmd.Flags())
	return cmd
}

type newOptions struct {
	kind, path string
	content    string
	markdown   bool
	json       bool
}

func (o *newOptions) flags(f *pflag.FlagSet) {
	addFolder(f, &o.content, "content", "content", "the content folder")
	f.BoolVar(&o.markdown, "markdown", false, "write a .md file, with room for a description below the fields")
	f.BoolVar(&o.json, "json", false, "print what was written as JSON")
}

func runNew(w environment, o newOptions) error {
	made, err := o.write()
	if err != nil {
		return err
	}
	for _, hint := range made.Hints {
		fmt.Fprintf(w.stderr, "souk: %s\n", hint)
	}
	if o.json {
		return printJSON(w.stdout, struct {
			Path    string   `json:"path"`
			Written []string `json:"written"`
		}{made.Path, append([]string{made.Path}, made.Schemas...)})
	}
	if len(made.Schemas) > 0 {
		fmt.Fprintf(w.stderr, "souk: the schemas for editors were written to %s\n", filepath.Dir(made.Schemas[0]))
	}
	return printLines(w.stdout, []string{made.Path})
}

// write writes the new file.
func (o newOptions) write() (*source.Scaffolded, error) {
	if o.kind == source.NewTexts {
		if err := source.CheckTextsTag(o.path); err != nil {
			return nil, usageError{err}
		}
		return source.ScaffoldTexts(o.content, o.path)
	}
	ref, err := source.ParseNew(o.kind, o.path)
	if err != nil {
		return nil, usageError{err}
	}
	return source.Scaffold(o.content, ref, o.markdown)
}
