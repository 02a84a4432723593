package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/internal/testing/docsection"
)

// TestReferenceListsEveryFlag compares docs/reference/commands.md
// with the commands.
func TestReferenceListsEveryFlag(t *testing.T) {
	root := newRoot(environment{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, lookupenv: none, now: time.Now})
	var b strings.Builder
	b.WriteString("\n| command | does |\n|---|---|\n")
	commands := commandsBelow(root)
	for _, c := range commands {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.UseLine(), cell(c.Short))
	}
	b.WriteString("\n")
	for _, c := range commands {
		writeFlags(&b, c)
	}
	docsection.Hold(t, "../../docs/reference/commands.md", "<!-- commands -->\n", "<!-- /commands -->", b.String(), *update)
}

// commandsBelow returns the commands that can be run, sorted by name.
func commandsBelow(c *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.Name() == "help" {
			continue
		}
		if list = append(list, commandsBelow(sub)...); sub.HasSubCommands() && !sub.Flags().HasFlags() {
			continue // it only groups its subcommands
		}
		list = append(list, sub)
	}
	slices.SortFunc(list, func(a, b *cobra.Command) int { return strings.Compare(a.CommandPath(), b.CommandPath()) })
	return list
}

func writeFlags(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, "### %s\n\n| flag | default | meaning |\n|---|---|---|\n", c.CommandPath())
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value := f.DefValue
		switch {
		case value == "" || value == "[]" || f.Value.Type() == "bool" && value == "false":
			value = ""
		default:
			value = "`" + value + "`"
		}
		fmt.Fprintf(b, "| `--%s` | %s | %s |\n", f.Name, value, cell(f.Usage))
	})
	b.WriteString("\n")
}

// cell escapes characters that would end a table cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
