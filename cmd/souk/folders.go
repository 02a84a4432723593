package main

import (
	"errors"
	"os"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"souk/build"
	"souk/build/release"
	"souk/build/source"
)

// A buildOptions holds the flags of every command that builds.
type buildOptions struct {
	removedOptions
	content, public string
	siteURL         string
	at              moment
	precompress     precompress
	forget          []string
	theme           string
	pages, snapshot onOff
}

// folder is a flag that names a folder. It rejects an empty value, such as an unset variable,
// which would mean the working folder.
type folder string

func (f *folder) String() string { return string(*f) }
func (f *folder) Type() string   { return "string" }

// Set implements pflag.Value.
func (f *folder) Set(path string) error {
	if path == "" {
		return errors.New("it is empty: name a folder, or leave the flag out for the default")
	}
	*f = folder(path)
	return nil
}

func addFolder(flags *pflag.FlagSet, path *string, name, standard, usage string) {
	*path = standard
	flags.Var((*folder)(path), name, usage)
}

// onOff is a flag that takes on or off.
type onOff bool

func (o *onOff) Type() string { return "on|off" }

func (o *onOff) String() string {
	if *o {
		return "on"
	}
	return "off"
}

func (o *onOff) Set(text string) error {
	if text != "on" && text != "off" {
		return errors.New("it must be on or off")
	}
	*o = text == "on"
	return nil
}

// precompress is a flag that takes off, all or a size.
type precompress struct{ release.Precompress }

func (p *precompress) Type() string { return "size" }

func (p *precompress) Set(text string) (err error) {
	p.Precompress, err = release.ParsePrecompress(text)
	return err
}

// defaultPrecompress is the size from which compressing a file is worth it: below 4 KB a copy
// saves about 1 KB and takes longer than rendering the document.
const defaultPrecompress = 4 << 10

func (o *buildOptions) addContent(flags *pflag.FlagSet) {
	addFolder(flags, &o.content, "content", "content", "the content folder")
	addFolder(flags, &o.state, "state", "var", "this machine's own state: the ledger, cache and journal")
	addDatabase(flags, &o.database)
	flags.Var(&o.at, "now", "build as of this date or RFC 3339 time (default: now)")
	flags.Var((*needed)(&o.removals), "removals", "a YAML or JSON list of removed sellers: canonical ids and official domains")
}

func (o *buildOptions) add(flags *pflag.FlagSet) {
	o.addContent(flags)
	o.precompress.Precompress = defaultPrecompress
	addFolder(flags, &o.public, "public", "public", "the output folder")
	flags.StringVar(&o.siteURL, "site-url", "", "use this siteUrl instead of the content's, for a preview")
	flags.StringArrayVar(&o.forget, "forget", nil, "a companySlug or address whose 410 answers may be dropped although no recorded removal explains them; may repeat")
	addPages(flags, &o.pages)
	o.snapshot = true
	flags.Var(&o.snapshot, "snapshot", "write the snapshot (all documents in a few files, for mirrors): on or off")
	addTheme(flags, &o.theme)
	flags.Var(&o.precompress, "precompress", "compress files of at least this size to .gz, and of at least 32KB to .br as well: a size such as 4KB, all, or off")
}

func addPages(flags *pflag.FlagSet, pages *onOff) {
	*pages = true
	flags.Var(pages, "pages", "render HTML pages: on, or off if another site shows the data")
}

// addTheme adds the flag that names a theme. Without it, the theme is the content's own.
func addTheme(flags *pflag.FlagSet, theme *string) {
	flags.StringVar(theme, "theme", "", "the folder with your own templates and styles (default: theme in the content folder)")
}

// config returns a Builder's configuration, as the flags set it.
func (o *buildOptions) config(w environment) (build.Config, error) {
	c := build.Config{
		Content: o.content, Public: o.public, State: o.state, SiteURL: o.siteURL, At: o.at.Time,
		Clock: w.now, Precompress: o.precompress.Precompress, Program: fingerprint(), Forget: o.forget,
		Pages: bool(o.pages), Snapshot: bool(o.snapshot), Theme: o.theme,
	}
	switch {
	case o.siteURL == "" || source.IsSite(o.siteURL):
	case source.IsWebAddress(o.siteURL):
		return c, usagef("--site-url %q must be a scheme, host and path in ASCII only, as in https://market.example", o.siteURL)
	default:
		return c, usagef("--site-url %q is not a web address, as in https://market.example", o.siteURL)
	}
	return c, (&ledgerOptions{database: o.database}).outside(o.public) // the Builder checks --state
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
