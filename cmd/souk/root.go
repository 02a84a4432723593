package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/kit/problem"
	"souk/build/source"
)

// An environment is the surroundings of a command: streams, variables and the clock.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	lookupenv      func(string) (value string, set bool)
	now            func() time.Time
}

// getenv returns a variable, or "" if it is not set.
func (w environment) getenv(name string) string {
	value, _ := w.lookupenv(name)
	return value
}

// Exit codes, which each command's help explains.
const (
	exitDone  = 0
	exitWrong = 1
	exitUsage = 2
)

// A usageError means that the command line is wrong.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errReported ends a command whose output already says what is wrong.
var errReported = errors.New("already reported")

// run runs the program.
func run(args []string, w environment) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal starts a graceful shutdown; a second one ends the
	// process at once.
	context.AfterFunc(ctx, stop)
	root := newRoot(w)
	root.SetArgs(args)
	root.SetIn(w.stdin)
	root.SetOut(w.stdout)
	root.SetErr(w.stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil && cmd.HasSubCommands() {
		err = subcommand(cmd, cmd.Flags().Args()) // help skips the check of arguments
	}
	return exitCode(w, cmd.CommandPath(), err)
}

// exitCode prints an error's message and returns the exit code. command is the command that
// the command line selects, as far as it could be parsed.
func exitCode(w environment, command string, err error) int {
	stderr := w.stderr
	var usage usageError
	var mistakes *problem.Error
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errReported):
		return exitWrong
	case errors.As(err, &usage), errors.Is(err, build.ErrFolders):
		fmt.Fprintf(stderr, "souk: %s\nsouk: see '%s --help'\n", plainly(err), command)
		return exitUsage
	case errors.As(err, &mistakes):
		_ = printProblems(w, stderr, mistakes.Mistakes) // as below, a failed write to stderr cannot be reported
		fmt.Fprintf(stderr, "souk: %v: nothing was written\n", err)
		return exitWrong
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "souk: interrupted; nothing was changed")
		return exitWrong
	default:
		fmt.Fprintf(stderr, "souk: %s\n", plainly(err))
		return exitWrong
	}
}

func newRoot(w environment) *cobra.Command {
	root := &cobra.Command{
		Use:   "souk",
		Short: "A marketplace from Markdown and YAML, rendered to versioned JSON",
		Long: `Souk turns a folder of Markdown and YAML into a marketplace: versioned JSON
documents and sitemaps that any static host serves, and a small server for the rest.

Every flag is also an environment variable: --site-url is SOUK_SITE_URL.
Results go to stdout, messages to stderr.
Exit codes: 0 done, 1 the content or the request is wrong, 2 the command line is wrong.`,
		Example:       "  souk init my-market && cd my-market && souk serve --preview --watch",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return flagsFromEnvironment(cmd.Flags(), w.lookupenv)
		},
		Args: subcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{flagError(cmd.Flags(), err)} })
	root.SetHelpCommand(newHelp())
	root.AddCommand(
		newInit(w), newNew(w), newImport(w), newRename(w), newCheck(w), newBuild(w), newHosts(w), newProbe(w), newPublish(w), newServe(w), newSearch(w), newMCP(w), newSchema(w),
		newDiff(w), newRemovals(w), newRemove(w), newRestore(w), newHistory(w), newServers(w), newTrace(w), newExport(w), newClaims(w), newToken(w), newLedger(w), newVersion(w), newCompletion(w),
	)
	groupCommands(root)
	completions(root, w.getenv)
	return root
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Explain a command and its flags",
		Example: "  souk help build",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if about, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				names = subcommands(about)
			}
			return beginning(word, names), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(cmd.Root(), strings.Join(args, " "))
			}
			return about.Help()
		},
	}
}

// subcommand rejects an unknown subcommand.
func subcommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return noCommand(cmd, args[0])
	}
	return nil
}

// subcommands returns the names of a command's subcommands.
func subcommands(cmd *cobra.Command) (names []string) {
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// noCommand returns the error for an unknown command.
func noCommand(root *cobra.Command, name string) error {
	if meant := problem.Nearest(name, subcommands(root)); meant != "" {
		return usagef("there is no command %q (%s)", name, meant)
	}
	return usagef("there is no command %q", name)
}

// flagsFromEnvironment sets each flag that is not on the command line from its environment
// variable. An empty variable counts as unset, unless the flag must not be empty.
func flagsFromEnvironment(flags *pflag.FlagSet, lookupenv func(string) (string, bool)) error {
	var first error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "SOUK_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, set := lookupenv(name)
		switch f.Value.(type) {
		case *needed, neededLedger:
		default:
			set = set && value != ""
		}
		if f.Changed || !set || first != nil || f.Name == "help" || f.Name == "version" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			first = usagef("the environment variable %s is wrong: %w", name, flagError(flags, err))
		}
	})
	return first
}

// exactArgs rejects any other number of arguments as a usage error.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		hint := ""
		if n == 0 && cmd.Flags().Lookup("content") != nil {
			hint = " (--content names the folder)" // other programs take it as an argument
		}
		return usagef("the command takes %s, not %s%s", what, problem.Count(len(args), "argument"), hint)
	}
}

// printJSON prints a value as indented JSON.
func printJSON(out io.Writer, value any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

// printLines prints the names of written files, one per line.
func printLines(out io.Writer, files []string) error {
	for _, file := range files {
		if _, err := fmt.Fprintln(out, file); err != nil {
			return err
		}
	}
	return nil
}

// moment is a flag that takes an RFC 3339 time.
type moment struct{ time.Time }

func (m *moment) String() string {
	if m.IsZero() {
		return ""
	}
	return m.Format(time.RFC3339)
}

func (m *moment) Type() string { return "time" }

func (m *moment) Set(text string) error {
	at, err := source.ParseDate(text)
	if err != nil {
		return fmt.Errorf("%q is neither a date nor an RFC 3339 time, as in 2026-01-31 or 2026-01-31T09:30:00Z", text)
	}
	m.Time = at.Time
	return nil
}
