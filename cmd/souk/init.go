package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build/source"
)

func newInit(w environment) *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init [DIR] | init --from FORMAT SOURCE [DIR]",
		Short: "Create a small marketplace that builds right away",
		Long: `Writes a small marketplace to begin with: a company with a product and a service,
their categories, an article and a market map, each with comments, and the JSON
Schemas that let an editor help. Without DIR it makes the folder content here; with
DIR it makes DIR/content, a README.md and a .gitignore.

With --from it begins with an import instead: 'souk import --help' explains its flags.

A content folder that holds something already is left as it is.

Exit codes: 0 written, 1 there is content already or it cannot be written,
2 the command line is wrong.`,
		Example: `  souk init my-market && cd my-market && souk serve --preview --watch
  souk init --from csv members.csv --map Company=seller.name --map Town=seller.headquarters.city`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case o.from != "" && (len(args) == 0 || len(args) > 2 || args[0] == ""):
				return usagef("with --from the command takes a source, and one folder at most")
			case o.from != "":
			case len(args) > 1:
				return usagef("the command takes one folder at most, not %s", strings.Join(args, ", "))
			case len(args) == 1 && args[0] == "":
				return usagef("the name of the folder is empty: leave it out to make the folder content here")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.from != "" {
				return runInitFrom(cmd.Context(), w, o, args)
			}
			if len(args) == 1 {
				o.home = args[0]
			}
			return runInit(w, o)
		},
	}
	o.flags(cmd.Flags())
	return cmd
}

type initOptions struct {
	importOptions
	home, from string
}

func (o *initOptions) flags(f *pflag.FlagSet) {
	o.importOptions.flags(f)
	f.Lookup("content").Usage = "the content folder to create, within DIR if one is given"
	f.StringVar(&o.from, "from", "", "begin with an import of this format: csv, xlsx or landscape")
	f.StringVar(&o.name, "as", "", "the name of the import (default: the source's name)")
}

func runInit(w environment, o initOptions) error {
	content, next := o.content, "souk serve --preview --watch"
	if o.home != "" {
		if !filepath.IsLocal(content) {
			return usagef("with DIR, --content is a folder within it, not %s", content)
		}
		content = filepath.Join(o.home, content)
		if filepath.Clean(o.home) != "." {
			next = fmt.Sprintf("cd %s && %s", shellWord(o.home), next)
		}
	}
	if o.content != "content" {
		next += " --content " + shellWord(o.content)
	}
	written, kept, err := source.Init(content, o.home)
	if err != nil {
		return err
	}
	for _, file := range kept {
		fmt.Fprintf(w.stderr, "souk: %s already exists and was left as it is\n", file)
	}
	fmt.Fprintf(w.stderr, "souk: next: %s\n", next)
	if o.json {
		return printJSON(w.stdout, struct {
			Written []string `json:"written"`
			Next    string   `json:"next"`
		}{written, next})
	}
	return printLines(w.stdout, written)
}

// shellWord quotes a text so that a shell reads it as one word.
func shellWord(text string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:-\\"
	if strings.Trim(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
