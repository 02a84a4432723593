package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/catalog"
	"souk/build/release"
	"souk/dynamic"
)

type mcpOptions struct {
	buildOptions
	logLevel logLevel
}

func newMCP(w environment) *cobra.Command {
	var o mcpOptions
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent on standard input and output (MCP)",
		Long: `Mcp reads the content folder and answers the Model Context Protocol on standard input and
output, for an agent that starts programs by itself: the six read-only tools that souk serve
answers at /mcp. It builds into the folder mcp of --state, so that nothing public is touched.
Who is removed is looked up before each call; edits of the content count from the next start.
Messages go to stderr.

Exit codes: 0 the agent closed its end, 1 the content is wrong or the ledger cannot be read, 2 the command line is wrong.`,
		Example: "  souk mcp --content content\n  npx @modelcontextprotocol/inspector --cli souk mcp --content content --method tools/list\n  claude mcp add market -- souk mcp --content /srv/market/content --state /srv/market/var",
		Args:    exactArgs(0, "no argument"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), w, o) },
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

func (o *mcpOptions) AddFlags(flags *pflag.FlagSet) {
	o.addContent(flags)
	flags.StringVar(&o.siteURL, "site-url", "", "use this siteUrl instead of the content's, for a preview")
	flags.Var(&o.logLevel, "log-level", "the lowest level to log: debug, info, warn or error")
}

func runMCP(ctx context.Context, w environment, o mcpOptions) error {
	log, _, err := logging(w, "text", o.logLevel.Level)
	if err != nil {
		return err
	}
	o.public = filepath.Join(o.state, "mcp", "public")
	config, err := o.config(w)
	if err != nil {
		return err
	}
	config.State, config.Precompress = filepath.Join(o.state, "mcp", "var"), release.NoPrecompress
	config.Waiting = func() { fmt.Fprintf(w.stderr, "souk: waiting for another souk mcp that is writing to %s\n", o.public) }
	err = dynamic.ServeAgents(ctx, dynamic.AgentsConfig{
		Build: config, Version: version(), Log: log,
		Removals: func(ctx context.Context) (*catalog.Removals, error) { return o.removed(ctx, w) },
	}, io.NopCloser(w.stdin), unclosed{w.stdout})
	if errors.Is(err, build.ErrFolders) { // it has no --public
		return fmt.Errorf("%w: --content %s and --state %s must not contain one another", build.ErrFolders, o.content, o.state)
	}
	return locatedError(o.content, "", err)
}

// unclosed is a stream that is closed elsewhere.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
