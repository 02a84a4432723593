package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"souk/build/delivery/hosts"
	"souk/build/delivery/publish"
	"souk/build/kit/durable"
	"souk/build/kit/problem"
	"souk/build/release"
	"souk/build/release/stub"
)

type hostsOptions struct {
	removedOptions
	public, bind, serverName, dynamic string
	encodings                         string
	output                            string
	json                              bool
}

func newHosts(w environment) *cobra.Command {
	var o hostsOptions
	cmd := &cobra.Command{
		Use:   "hosts [NAME]",
		Short: "Write configuration files for a web host ('publish' uploads)",
		Long: `Hosts writes the configuration with which another server or service keeps what the API
promises: an address answers with its .json file; if there is a .gone.json instead, with
410; otherwise with 404; with the same headers and lifetimes as 'souk serve'. Where the
release has pages, /x answers with x.html, and errors are pages too. Search and whatever
else needs a program is passed on to --dynamic.

Without a name it lists the hosts and what each can and cannot do. For a host with a
list, the configuration contains the removed addresses, of the release and on record:
write it again with each release. It is not written for a release that shows a seller that
the ledger or the list of --removals has as removed. 'souk probe' checks whether a host keeps every promise.

A configuration of one file goes to stdout, one of several with a line "-- name --"
before each; --output writes files instead.

Exit codes: 0 written, 1 the release or the host cannot be used, 2 the command line is wrong.`,
		Example: "  souk hosts\n  souk hosts nginx --public /srv/market/public --server-name market.example > souk.conf\n  souk hosts cloudfront --output deploy/",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("the command takes the name of one host, not %s", problem.Count(len(args), "argument"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listHosts(w, o)
			}
			return runHosts(cmd.Context(), w, o, args[0])
		},
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// defaultServe is where 'souk serve' listens by default.
const defaultServe = "http://127.0.0.1:8080"

func (o *hostsOptions) AddFlags(flags *pflag.FlagSet) {
	o.add(flags)
	addFolder(flags, &o.public, "public", "public", "the folder of the release, as the host sees it")
	flags.StringVar(&o.bind, "bind", ":80", "the address that the server listens on")
	flags.StringVar(&o.serverName, "server-name", "", "the name that the server answers to (default: any)")
	flags.StringVar(&o.dynamic, "dynamic", "", "the URL of 'souk serve', which answers search and other calls, or none (default: "+defaultServe+" for a server, none for a service)")
	flags.StringVar(&o.encodings, "encodings", "", "the compressed copies to send: gzip, br, gzip,br, or none (default: what the host supports out of the box)")
	flags.StringVar(&o.output, "output", "", "the file to write, or the folder if there are several")
	flags.BoolVar(&o.json, "json", false, "list the hosts as JSON")
}

// settings returns the settings of a host's configuration, as the flags set them.
func (o hostsOptions) settings(host hosts.Host) (hosts.Settings, error) {
	public, err := filepath.Abs(o.public)
	if err != nil {
		return hosts.Settings{}, err
	}
	s := hosts.Settings{Public: public, Bind: o.bind, ServerName: o.serverName, Dynamic: o.dynamic}
	switch {
	case o.dynamic == "none":
		s.Dynamic = ""
	case o.dynamic == "" && !host.Service:
		s.Dynamic = defaultServe
	}
	_, text, err := net.SplitHostPort(o.bind)
	if port, wrong := strconv.ParseUint(text, 10, 16); err != nil || wrong != nil || port == 0 {
		return s, usagef("--bind %q is not a host:port, as in 0.0.0.0:80 or :80", o.bind)
	}
	switch o.encodings {
	case "":
	case "none":
		s.Encodings = []string{}
	default:
		for one := range strings.SplitSeq(o.encodings, ",") {
			if one = strings.TrimSpace(one); one != "gzip" && one != "br" {
				return s, usagef("--encodings takes gzip, br or none, not %q", one)
			}
			s.Encodings = append(s.Encodings, strings.TrimSpace(one))
		}
	}
	return s, nil
}

func runHosts(ctx context.Context, w environment, o hostsOptions, name string) error {
	host, known := hosts.Lookup(name)
	if !known {
		if meant := problem.Nearest(name, hosts.Names()); meant != "" {
			return usagef("there is no host %q (%s)", name, meant)
		}
		return usagef("there is no host %q: run 'souk hosts' to list them", name)
	}
	if o.json {
		return printJSON(w.stdout, host)
	}
	s, err := o.settings(host)
	if err != nil {
		return err
	}
	if host.List {
		if s.Recorded, err = o.recorded(ctx, w); err != nil {
			return err
		}
	}
	files, err := host.Write(s)
	if errors.Is(err, hosts.ErrSetting) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if o.output != "" {
		return writeFiles(w, o.output, files)
	}
	for _, f := range files {
		if len(files) > 1 {
			fmt.Fprintf(w.stdout, "-- %s --\n", f.Name)
		}
		if _, err := w.stdout.Write(f.Body); err != nil {
			return err
		}
	}
	return nil
}

// recorded returns the recorded addresses of removed sellers. It fails if the release shows
// one of the sellers.
func (o hostsOptions) recorded(ctx context.Context, w environment) (addresses []string, err error) {
	removals, err := o.removed(ctx, w)
	if removals == nil && err == nil {
		fmt.Fprintln(w.stderr, "souk: "+o.notLookedAt())
	}
	if removals.Empty() || err != nil {
		return nil, err
	}
	tree, err := openRelease(w, o.public)
	if errors.Is(err, publish.ErrNoRelease) {
		return nil, nil // writing the configuration reports it
	}
	if err == nil {
		err = look(ctx, tree)
	}
	if err != nil {
		return nil, err
	}
	warnUnowned(w, tree, removals)
	files := map[string]release.Entry{}
	tree.Each(func(file string, e release.Entry) { files[file] = e })
	if err := stub.CheckShown(removals, tree, files); err != nil {
		return nil, o.advise(err)
	}
	for _, one := range removals.List() {
		if !one.Restored() {
			addresses = append(addresses, one.Addresses...)
		}
	}
	return addresses, nil
}

// writeFiles writes a configuration to a file, or into a folder if it has several files or the
// folder exists, and prints the names.
func writeFiles(w environment, output string, files []hosts.File) error {
	info, err := os.Stat(output)
	folder := len(files) > 1 || strings.HasSuffix(output, "/") || err == nil && info.IsDir()
	for _, f := range files {
		path := output
		if folder {
			path = filepath.Join(output, filepath.FromSlash(f.Name))
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the folder of the configuration: %w", err)
		}
		if err := durable.Output(path, 0o644, f.Body); err != nil {
			return fmt.Errorf("write the configuration: %w", err)
		}
		if err := printLines(w.stdout, []string{path}); err != nil {
			return err
		}
	}
	return nil
}

// listHosts prints what each host supports.
func listHosts(w environment, o hostsOptions) error {
	if o.json {
		return printJSON(w.stdout, hosts.All())
	}
	t := tabwriter.NewWriter(w.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "HOST\tREMOVED\tPOST THERE\t410 BODY\t404 BODY\tHEADERS ON ERRORS\tETAG PER CODING\tCOMPRESSED\tONE SPELLING\tLINKS OF MAILS\tMARKDOWN\tDYNAMIC\tLIST\tTESTED")
	for _, h := range hosts.All() {
		if h.Refused == "" {
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", h.Name, h.Gone, h.GonePost, h.GoneBody, h.MissingBody,
				h.ErrorHeaders, h.EncodingETag, h.Precompressed, h.Spelling, h.Links, h.Markdown, h.Dynamic, yesOrNo(h.List), yesOrNo(h.Proven))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w.stdout)
	for _, h := range hosts.All() {
		fmt.Fprintln(w.stdout, note(h))
	}
	_, err := io.WriteString(w.stdout, "\nunproven: the host's documentation says so, but Souk's tests do not cover it; check with 'souk probe'.\n")
	return err
}

func note(h hosts.Host) string {
	if h.Refused != "" {
		return fmt.Sprintf("%s: no configuration, because a removed address would answer %d. %s", h.Name, h.Gone, h.Refused)
	}
	return h.Name + ": " + cmp.Or(h.Note, h.Title+".")
}

func yesOrNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
