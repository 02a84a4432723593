package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"souk/build/release"
	"souk/build/release/stub"
	"souk/dynamic/ledger"
)

// A ledgerOptions holds the flags that select a ledger.
type ledgerOptions struct{ state, database string }

func (o *ledgerOptions) add(flags *pflag.FlagSet) {
	addFolder(flags, &o.state, "state", "var", "this machine's own state, with the ledger unless --database names another")
	addDatabase(flags, &o.database)
}

// A needed flag says where removals are recorded. It rejects an empty value, such as an unset
// secret or variable: without the removals, removed sellers would be public again.
type needed string

func (f *needed) String() string { return string(*f) }
func (f *needed) Type() string   { return "string" }

// Set implements pflag.Value.
func (f *needed) Set(text string) error {
	if text == "" {
		return errors.New("it is empty, and without it no seller would count as removed: give a value, or leave the flag out for the default")
	}
	*f = needed(text)
	return nil
}

// A neededLedger is a needed flag that names a ledger. A malformed name is a usage error.
type neededLedger struct{ *needed }

// Set implements pflag.Value.
func (f neededLedger) Set(text string) error {
	if err := f.needed.Set(text); err != nil {
		return err
	}
	return ledger.CheckTarget(text)
}

func addDatabase(flags *pflag.FlagSet, database *string) {
	flags.Var(neededLedger{(*needed)(database)}, "database", "the ledger of claims, removals and history: a path for SQLite, or postgres://… (default: ledger.db in --state)")
}

// target returns the path or URL of the ledger.
func (o *ledgerOptions) target() string {
	if o.database != "" {
		return o.database
	}
	return filepath.Join(o.state, "ledger.db")
}

// outside rejects a ledger or state folder inside a folder that hosts may serve. The ledger
// names the people who asked for claims and removals, and unsent mails contain the links.
func (o *ledgerOptions) outside(public string) error {
	for flag, place := range map[string]string{"--state": o.state, "--database": o.database} {
		if place == "" || public == "" || strings.Contains(place, "://") {
			continue
		}
		for _, served := range []string{public, release.Folder(public)} {
			if isWithin(place, served) {
				return usagef("%s %s must be outside %s, which hosts serve or servers copy: it contains private data", flag, place, served)
			}
		}
	}
	return nil
}

// openExisting opens a ledger that must exist.
func (o *ledgerOptions) openExisting(ctx context.Context) (*ledger.Ledger, error) {
	l, err := ledger.OpenExisting(ctx, o.target())
	switch {
	case !errors.Is(err, ledger.ErrMissing):
		return l, err
	case o.database != "": // souk build never creates one there
		return nil, fmt.Errorf("%w, or create one there with souk serve or souk token new", err)
	}
	return nil, fmt.Errorf("%w; souk build, souk serve and souk token new create one; --state or --database says where it is", err)
}

// openToRead opens a ledger that must exist, for a command that changes nothing and may lack
// permission to write.
func (o *ledgerOptions) openToRead(ctx context.Context) (*ledger.Ledger, error) {
	l, err := o.openExisting(ctx)
	if err != nil {
		if readable, failed := ledger.OpenToRead(ctx, o.target()); failed == nil {
			return readable, nil
		}
	}
	return l, err
}

// openOrCreate opens a ledger, and creates it if there is none.
func (o *ledgerOptions) openOrCreate(ctx context.Context) (*ledger.Ledger, error) {
	if o.database == "" {
		if err := os.MkdirAll(o.state, 0o755); err != nil {
			return nil, err
		}
	}
	return ledger.Open(ctx, o.target())
}

// withLedger calls a function with a ledger, then closes the ledger.
func withLedger(l *ledger.Ledger, err error, use func(*ledger.Ledger) error) error {
	if err != nil {
		return err
	}
	return errors.Join(use(l), l.Close())
}

// openForBuild opens the ledger for a build. A ledger named by --database must exist; the
// default one is created.
func (o *buildOptions) openForBuild(ctx context.Context) (*ledger.Ledger, error) {
	l, err := o.openExisting(ctx)
	// A killed process may have left an empty file.
	if errors.Is(err, ledger.ErrMissing) && o.database == "" {
		return o.openOrCreate(ctx)
	}
	return l, err
}

// unexplained adds advice to a stub.UnexplainedError and to a release.ForeignError.
func (o *buildOptions) unexplained(err error) error {
	if errors.As(err, new(*release.ForeignError)) {
		return fmt.Errorf("%w\n  nothing was written: move these files, choose another folder with --public, or, if they are your own site, build with --pages off", err)
	}
	if !errors.As(err, new(*stub.UnexplainedError)) {
		return err
	}
	return fmt.Errorf("%w\n  neither the ledger %s nor a list has these removals: name the right ledger with --state or --database, or the list with --removals; to delete the 410 answers, name their companySlug or address with --forget",
		err, ledger.Redacted(o.target()))
}
