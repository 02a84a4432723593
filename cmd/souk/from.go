package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"souk/build"
	"souk/build/release"
	"souk/dynamic"
)

// withFrom are the flags of serve that may accompany --from: those of a server, without those
// of a build.
var withFrom = []string{
	"from", "help", "search", "search-log", "search-log-min", "state", "database", "removals", "listen", "metrics-listen", "mcp-host", "log-format", "log-level",
	"smtp", "mail-from", "link-lifetime", "oidc-issuer", "oidc-audience", "workspace-claim", "trusted-proxy", "no-rate-limit",
}

// checkFrom rejects flags that do not go with --from.
func checkFrom(flags *pflag.FlagSet) error {
	var wrong []string
	flags.Visit(func(f *pflag.Flag) {
		if !slices.Contains(withFrom, f.Name) {
			wrong = append(wrong, "--"+f.Name)
		}
	})
	if len(wrong) > 0 {
		return usagef("--from serves a release that another process builds, so %s has no effect here: leave it out, or build with 'souk serve' without --from", strings.Join(wrong, ", "))
	}
	return nil
}

// releaseFolder returns the public folder that --from names.
func releaseFolder(from string) (string, error) {
	if from == "" {
		return "", usagef("--from is empty: name the folder of a release, as in --from /srv/market/public")
	}
	for _, public := range []string{from, filepath.Join(from, "public")} {
		if info, err := os.Stat(release.Folder(public)); err == nil && info.IsDir() {
			return public, nil
		}
	}
	return "", fmt.Errorf("there is no release in %s: %s is missing; run 'souk build --public %s' to make one",
		from, release.Folder(from), from)
}

// serveFrom serves a release that another process makes.
func serveFrom(ctx context.Context, w environment, o serveOptions) (err error) {
	log, w, err := logging(w, o.logFormat, o.logLevel.Level)
	if err != nil {
		return err
	}
	verifications, err := o.verifications.config(w, &o.buildOptions)
	if err != nil {
		return err
	}
	if err := checkCopied(o.from, o.database); err != nil {
		return err
	}
	var public string
	if !isCopied(o.from) {
		if public, err = releaseFolder(o.from); err != nil {
			return err
		}
		if err := o.outside(public); err != nil {
			return err
		}
	}
	if verifications.Ledger, err = o.openOrCreate(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, verifications.Ledger.Close()) }()
	var behind func() string
	var heard chan<- struct{}
	if isCopied(o.from) {
		c, err := openCopied(ctx, w, o.from, o.state)
		if err != nil {
			return err
		}
		stop := c.run(ctx)
		defer func() {
			stop()
			err = errors.Join(err, c.Close())
		}()
		public, behind, heard = c.Public(), c.behind, c.heard
	}
	return dynamic.Run(ctx, dynamic.Config{
		From: public, Behind: behind, Heard: heard, Build: build.Config{State: o.state, Clock: w.now, Program: fingerprint()},
		Verification: verifications, Listen: o.listen, Metrics: o.metrics, Hosts: o.hosts, Version: version(), Log: log,
		Search: o.search.cluster(log), SearchLog: o.searchLog, SearchLogMin: o.searchLogMin,
		Serving: func(s dynamic.Served) {
			littleGarbage(w, roomOfRelease)
			threads(w)
			fmt.Fprintf(w.stderr, "souk: serving http://%s release %s of %s\n", s.Addr, s.Release, public)
			fmt.Fprintf(w.stderr, "souk: links in documents and mails lead to %s\n", s.Site)
		},
	})
}
