package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build/catalog"
	"souk/build/delivery/hosts"
	"souk/build/document"
	"souk/build/source"
)

func newCompletion(w environment) *cobra.Command {
	shells := map[string]func(*cobra.Command) error{
		"bash":       func(root *cobra.Command) error { return root.GenBashCompletionV2(w.stdout, true) },
		"fish":       func(root *cobra.Command) error { return root.GenFishCompletion(w.stdout, true) },
		"powershell": func(root *cobra.Command) error { return root.GenPowerShellCompletionWithDesc(w.stdout) },
		"zsh":        func(root *cobra.Command) error { return root.GenZshCompletion(w.stdout) },
	}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a shell completion script",
		Long: `Completion writes a script for bash, fish, powershell or zsh. With it the shell completes
commands, flags, the values of flags, hosts, and the sellers and categories of the content
folder. It takes effect in a new shell.

  bash        souk completion bash > ~/.local/share/bash-completion/completions/souk
              (with the package bash-completion)
  zsh         souk completion zsh > "${fpath[1]}/_souk"
              (with 'autoload -U compinit; compinit' in ~/.zshrc)
  fish        souk completion fish > ~/.config/fish/completions/souk.fish
  powershell  souk completion powershell >> $PROFILE`,
		Example:   "  souk completion bash > souk.bash",
		ValidArgs: []string{"bash", "fish", "powershell", "zsh"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || shells[args[0]] == nil {
				return usagef("the command takes one shell: bash, fish, powershell or zsh")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return shells[args[0]](cmd.Root()) },
	}
}

// A completer proposes what a word of the command line may be.
type completer func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective)

// oneOf proposes fixed words.
func oneOf(words ...string) completer {
	return func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return beginning(word, words), cobra.ShellCompDirectiveNoFileComp
	}
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// first proposes values for the first argument only.
func first(c completer) completer {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return c(cmd, args, word)
	}
}

// completions registers the completion of flags, by their names, and of each command's
// arguments. A flag that a command lacks is skipped.
func completions(root *cobra.Command, getenv func(string) string) {
	content, onOrOff := contentCompleter{getenv}, oneOf("on", "off")
	byFlag := map[string]completer{
		"content": folders, "public": folders, "state": folders, "record": folders, "theme": folders,
		"format": oneOf("text", "github"), "log-format": oneOf("text", "json"), "log-level": oneOf("debug", "info", "warn", "error"),
		"precompress": oneOf("off", "all", "4KB"), "pages": onOrOff, "snapshot": onOrOff, "search-parts": onOrOff, "host": oneOf(hostNames()...),
		"encoding": oneOf("identity", "gzip"), "encodings": oneOf("none", "gzip", "br", "gzip,br"), "dynamic": oneOf("none", defaultServe), "logos": oneOf("inline", "address", "none"),
		"kind": oneOf("product", "service"), "category": content.categories, "seller": content.sellers, "forget": content.sellers,
		"sort":         oneOf(document.SortRelevance, document.SortName, document.SortNewest, document.SortPrice),
		"availability": oneOf(document.Availabilities()...), "delivery": oneOf(document.Deliveries()...), "proof": oneOf(document.ProofKinds()...),
	}
	seller := first(content.sellers)
	byCommand := map[string]completer{
		"claims move": seller, "claims release": seller, "diff": folders, "history": seller, "hosts": first(oneOf(hosts.Names()...)),
		"init": first(folders), "new": content.places, "publish": first(folders), "remove": seller, "restore": seller, "trace": seller,
	}
	var each func(*cobra.Command)
	each = func(cmd *cobra.Command) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if c := byFlag[f.Name]; c != nil {
				// Registering fails if the flag already has a completion, which then stays.
				_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.CompletionFunc(c))
			}
		})
		if c := byCommand[strings.TrimPrefix(cmd.CommandPath(), root.Name()+" ")]; c != nil {
			cmd.ValidArgs, cmd.ValidArgsFunction = nil, cobra.CompletionFunc(c)
		} else if cmd.ValidArgs == nil && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
		for _, sub := range cmd.Commands() {
			each(sub)
		}
	}
	each(root)
}

// A contentCompleter proposes names from the content folder. It lists files and reads none.
type contentCompleter struct{ getenv func(string) string }

// in returns a folder below the content folder that the command line selects.
func (c contentCompleter) in(cmd *cobra.Command, below ...string) string {
	content := ""
	if f := cmd.Flags().Lookup("content"); f != nil && f.Changed {
		content = f.Value.String()
	}
	return filepath.Join(append([]string{cmp.Or(content, c.getenv("SOUK_CONTENT"), "content")}, below...)...)
}

// slugs returns the slugs that the entries of a folder are named after.
func slugs(folder string) (list []string) {
	entries, _ := os.ReadDir(folder) // an unreadable folder has no proposals
	for _, e := range entries {
		slug := strings.TrimSuffix(strings.TrimSuffix(e.Name(), ".yaml"), ".md")
		if catalog.CheckSlug(slug) == nil {
			list = append(list, slug)
		}
	}
	return slices.Compact(list)
}

func (c contentCompleter) sellers(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	return beginning(word, slugs(c.in(cmd, "sellers"))), cobra.ShellCompDirectiveNoFileComp
}

func (c contentCompleter) categories(cmd *cobra.Command, _ []string, word string) (list []string, _ cobra.ShellCompDirective) {
	for _, root := range catalog.Roots {
		for _, slug := range slugs(c.in(cmd, "categories", root.String())) {
			list = append(list, root.String()+"/"+slug)
		}
	}
	return beginning(word, list), cobra.ShellCompDirectiveNoFileComp
}

// places proposes the kind of a new file, then the beginning of its path.
func (c contentCompleter) places(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var list []string
	switch {
	case len(args) == 0:
		return oneOf(source.NewKinds()...)(cmd, args, word)
	case len(args) > 1:
	case args[0] == "product" || args[0] == "service":
		list = slugs(c.in(cmd, "sellers"))
	case args[0] == "category":
		list = []string{"product", "service"}
	}
	for i := range list {
		list[i] += "/"
	}
	return beginning(word, list), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// beginning returns the words that start with a prefix.
func beginning(word string, words []string) (list []string) {
	for _, one := range words {
		if strings.HasPrefix(one, word) {
			list = append(list, one)
		}
	}
	return list
}
