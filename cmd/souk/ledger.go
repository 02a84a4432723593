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

// A ledgerOptions holds the flags that say which ledger to use.
type ledgerOptions struct{ state, database string }

func (o *ledgerOptions) add(flags *pflag.FlagSet) {
	addFolder(flags, &o.state, "state", "var", "this machine's own state, with the ledger unless --database names another")
	addDatabase(flags, &o.database)
}

// A needed flag tells who is removed. It must not be empty, as a secret or a variable
// that was never set would be: who left would be public again.
type needed string

func (f *needed) String() string { return string(*f) }
func (f *needed) Type() string   { return "string" }

// Set implements pflag.Value.
func (f *needed) Set(text string) error {
	if text == "" {
		return errors.New("it is empty, so that nobody would count as removed: say where, or leave it out for the default")
	}
	*f = needed(text)
	return nil
}

// A neededLedger is a needed flag that says where a ledger is. A slip in how it is written
// is a wrong command line.
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

// target returns where the ledger is.
func (o *ledgerOptions) target() string {
	if o.database != "" {
		return o.database
	}
	return filepath.Join(o.state, "ledger.db")
}

// outside refuses a ledger, or a state, in a folder that hosts may serve: it names who
// asked for what, and mails that wait have the links.
func (o *ledgerOptions) outside(public string) error {
	for flag, place := range map[string]string{"--state": o.state, "--database": o.database} {
		if place == "" || public == "" || strings.Contains(place, "://") {
			continue
		}
		for _, served := range []string{public, release.Folder(public)} {
			if isWithin(place, served) {
				return usagef("%s %s must be outside %s, which hosts serve or servers copy: it has what nobody else may read", flag, place, served)
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
	case o.database != "": // which souk build looks for, and never begins
		return nil, fmt.Errorf("%w, or begin one there with souk serve or souk token new", err)
	}
	return nil, fmt.Errorf("%w; souk build, souk serve and souk token new make one; --state or --database say where it is", err)
}

// openToRead opens a ledger that must exist, for a command that changes nothing: it
// need not be able to.
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

// withLedger runs a function with a ledger, then closes it.
func withLedger(l *ledger.Ledger, err error, use func(*ledger.Ledger) error) error {
	if err != nil {
		return err
	}
	return errors.Join(use(l), l.Close())
}

// openForBuild opens the ledger for a build. One named by --database must exist;
// the default one is created.
func (o *buildOptions) openForBuild(ctx context.Context) (*ledger.Ledger, error) {
	l, err := o.openExisting(ctx)
	// A killed process may have left a file with no ledger in it yet.
	if errors.Is(err, ledger.ErrMissing) && o.database == "" {
		return o.openOrCreate(ctx)
	}
	return l, err
}

// unexplained adds advice to a stub.UnexplainedError and to a release.ForeignError.
func (o *buildOptions) unexplained(err error) error {
	if errors.As(err, new(*release.ForeignError)) {
		return fmt.Errorf("%w\n  nothing was written: move them elsewhere, name a folder of its own with --public, or, where they are a site of your own, build with --pages off", err)
	}
	if !errors.As(err, new(*stub.UnexplainedError)) {
		return err
	}
	return fmt.Errorf("%w\n  neither the ledger %s nor a list has them: name the ledger that does with --state or --database, or the list with --removals; --forget with a companySlug or an address lets them be deleted",
		err, ledger.Redacted(o.target()))
}
