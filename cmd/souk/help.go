package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandGroups are the headings of 'souk --help', with the commands below each.
var commandGroups = []cobra.Group{
	{ID: "init new import rename check schema", Title: "Write content:"},
	{ID: "build serve search mcp", Title: "Build and try:"},
	{ID: "publish hosts probe diff export", Title: "Publish:"},
	{ID: "claims token remove removals restore trace history", Title: "Claims and removals:"},
	{ID: "ledger servers version completion help", Title: "Operate:"},
}

// groupCommands lists the commands of root under their headings.
func groupCommands(root *cobra.Command) {
	for _, g := range commandGroups {
		root.AddGroup(&g)
		for _, c := range root.Commands() {
			if slices.Contains(strings.Fields(g.ID), c.Name()) {
				c.GroupID = g.ID
			}
		}
	}
	root.SetHelpCommandGroupID(commandGroups[len(commandGroups)-1].ID)
}

// flagSubjects are the headings of 'souk serve --help', with the flags below each.
var flagSubjects = []struct{ title, flags string }{
	{"Flags", "content public state listen watch preview drafts database smtp publish help"},
	{"Server", "from search metrics-listen search-log search-log-min trusted-proxy mcp-host log-format log-level"},
	{"Build", "site-url pages theme snapshot precompress now removals forget"},
	{"Claims and removals", "mail-from link-lifetime oidc-issuer oidc-audience workspace-claim notify no-rate-limit"},
	{"With --publish", "record host base-url encoding extensionless for-servers adopt parallel attempts request-timeout verify-timeout purge-command purge-url purge-batch indexnow-key indexnow-endpoint"},
}

func init() { cobra.AddTemplateFunc("flagsBySubject", flagsBySubject) }

// groupFlags lists the flags of cmd under headings.
func groupFlags(cmd *cobra.Command) {
	cmd.SetUsageTemplate(strings.Replace(cmd.UsageTemplate(), "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{flagsBySubject .LocalFlags}}", 1))
}

// flagsBySubject returns the usage of flags under the headings of flagSubjects.
func flagsBySubject(flags *pflag.FlagSet) string {
	var sections []string
	for _, subject := range flagSubjects {
		section := pflag.NewFlagSet("", pflag.ContinueOnError)
		section.SortFlags = false
		for _, name := range strings.Fields(subject.flags) {
			section.AddFlag(flags.Lookup(name))
		}
		sections = append(sections, subject.title+":\n"+strings.TrimRight(section.FlagUsages(), "\n"))
	}
	return strings.Join(sections, "\n\n")
}
