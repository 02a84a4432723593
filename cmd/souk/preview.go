package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"souk/build/kit/durable"
	"souk/dynamic"
)

// checkPreview rejects flags that need --preview or do not go with it.
func (o *serveOptions) checkPreview() error {
	switch {
	case o.drafts && !o.preview:
		return usagef("--drafts shows what is not public: it needs --preview")
	case o.preview && o.copyTo != "":
		return usagef("a preview is never published: leave --publish out")
	}
	return nil
}

// apart returns the configuration of claims and removals. A preview has folders and a ledger
// of its own, so that trying out a removal does not remove the seller from the marketplace; it
// still hides sellers that the marketplace has removed. The caller calls unlock.
func (o *serveOptions) apart(ctx context.Context, w environment) (c dynamic.VerificationConfig, unlock func() error, err error) {
	unlock = func() error { return nil }
	if o.preview {
		removals, err := o.removed(ctx, w)
		if err != nil {
			return c, nil, err
		}
		o.state = filepath.Join(o.state, "preview")
		o.public, o.database, o.removals, o.verifications.smtp = filepath.Join(o.state, "public"), "", "", ""
		o.verifications.notify = nil
		if unlock, err = lockPreview(ctx, o.state); err != nil {
			return c, nil, err
		}
		defer func() { c.Removals = removals }()
	}
	if c, err = o.verifications.config(w, &o.buildOptions); err != nil {
		return c, nil, errors.Join(err, unlock())
	}
	return c, unlock, nil
}

// lockPreview locks the preview folder. Two servers in one folder would each rebuild it for
// their own address, again and again.
func lockPreview(ctx context.Context, folder string) (unlock func() error, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	taken := false
	unlock, err = durable.LockFolder(ctx, folder, func() {
		taken = true
		cancel()
	})
	if taken {
		return nil, fmt.Errorf("another 'souk serve --preview' is using %s: stop it first", folder)
	}
	return unlock, err
}

// lead prints the address of the home page first. A visitor who opens it during the build
// waits until the build is done.
func (o *serveOptions) lead(w environment, site string) {
	if o.preview {
		fmt.Fprintf(w.stderr, "souk: open %s/\n", strings.TrimSuffix(site, "/"))
	}
}

// tell prints the server's address and where links lead.
func (o *serveOptions) tell(w environment, s dynamic.Served) {
	fmt.Fprintf(w.stderr, "souk: serving http://%s release %s\n", s.Addr, cmp.Or(s.Release, "none yet"))
	switch {
	case o.preview:
		fmt.Fprintf(w.stderr, "souk: this is a preview in %s: it is never published, and claims and removals made here have no effect elsewhere\n", o.state)
		for _, address := range s.Begin {
			if address == "/" {
				continue // lead printed it
			}
			fmt.Fprintf(w.stderr, "souk: open %s%s\n", s.Site, address)
		}
		fmt.Fprintf(w.stderr, "souk: mails are not sent but written to %s\n", filepath.Join(o.state, "mail"))
	case s.Site != "" && s.Site != "http://"+s.Addr.String():
		fmt.Fprintf(w.stderr, "souk: links in documents and mails lead to %s; with --preview they lead here\n", s.Site)
	}
}
