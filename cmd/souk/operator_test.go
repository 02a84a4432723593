package main

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

// claim claims a profile by mail and, if a workspace is given, verifies the claim for it.
func claim(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, len(args) == 4 || len(args) == 5, "[!] claim ledger slug id domain [workspace]")
	l, err := ledger.Open(context.Background(), ts.MkAbs(args[0]))
	ts.Check(err)
	defer l.Close()
	who := leaver{Seller: verification.Seller{ID: args[2], Slug: args[1], Name: args[1], OfficialDomain: args[3], Current: true}}
	p, err := verification.New(verification.Config{Ledger: l, Sellers: who, Now: time.Now, Random: rand.Reader, Unlimited: true})
	ts.Check(err)
	started, err := p.StartClaim(context.Background(), verification.Start{
		Slug: args[1], RequesterName: "Jane Doe", RequesterEmail: "jane@" + args[3],
	})
	ts.Check(err)
	mails, err := p.Lease(context.Background(), 100, time.Hour)
	ts.Check(err)
	if len(args) == 4 {
		return
	}
	for _, mail := range mails {
		if mail.RequestID == started.ID {
			_, err := p.VerifyClaim(context.Background(), started.ID, mail.Token.Reveal(), args[4])
			if neg != (err != nil) {
				ts.Fatalf("the claim: %v", err)
			}
			return
		}
	}
	ts.Fatalf("there is no mail")
}
