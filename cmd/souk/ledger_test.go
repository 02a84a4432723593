package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // to write the ledger of a newer version

	"souk/dynamic/ledger"
	"souk/dynamic/verification"
)

// ledgerCommands are script commands for actions that the command line does not have.
var ledgerCommands = map[string]func(*testscript.TestScript, bool, []string){
	"absentin": absentIn, "claim": claim, "newer": newer, "revoke": revoke, "withdraw": withdraw,
}

// leaver is a marketplace whose only seller is being removed.
type leaver struct {
	verification.Seller
	beside []string
}

func (l leaver) BySlug(context.Context, string) (verification.Seller, bool, error) {
	return l.Seller, true, nil
}

func (l leaver) ByID(context.Context, string) (verification.Seller, bool, error) {
	return l.Seller, true, nil
}

func (l leaver) Formerly(context.Context, string, []string) ([]string, error) { return l.beside, nil }

// withdraw removes a seller by mail, as its owner would.
func withdraw(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 4, "withdraw ledger slug id domain [id beside]...")
	l, err := ledger.Open(context.Background(), ts.MkAbs(args[0]))
	ts.Check(err)
	defer l.Close()
	who := leaver{verification.Seller{ID: args[2], Slug: args[1], Name: args[1], OfficialDomain: args[3], Current: true}, args[4:]}
	p, err := verification.New(verification.Config{Ledger: l, Sellers: who, Now: time.Now, Random: rand.Reader, Unlimited: true})
	ts.Check(err)
	started, err := p.StartRemoval(context.Background(), verification.Start{
		Slug: args[1], RequesterName: "Jane", RequesterEmail: "jane@" + args[3],
	})
	ts.Check(err)
	mails, err := p.Lease(context.Background(), 100, time.Hour)
	ts.Check(err)
	for _, mail := range mails {
		if mail.RequestID == started.ID {
			_, err = p.VerifyRemoval(context.Background(), started.ID, mail.Token.Reveal())
			ts.Check(err)
			return
		}
	}
	ts.Fatalf("there is no mail")
}

// newer makes a ledger look as if a newer version had written it.
func newer(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "newer ledger")
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec("UPDATE meta SET value = '99' WHERE name = 'schema'")
	ts.Check(err)
}

// revoke revokes the token whose id is in a file.
func revoke(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "revoke file")
	ts.Check(ts.Exec("souk", "token", "revoke", strings.TrimSpace(ts.ReadFile(args[0]))))
}

// absentIn fails if any file below a folder contains the text of a given file.
func absentIn(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "absentin file folder")
	t, err := treeOf(ts.MkAbs(args[1]))
	ts.Check(err)
	secret := strings.TrimSpace(ts.ReadFile(args[0]))
	if len(t) == 0 || secret == "" {
		ts.Fatalf("there is nothing to look for or to look at")
	}
	for name, file := range t {
		if bytes.Contains([]byte(file.body), []byte(secret)) {
			ts.Fatalf("the secret stands in %s", name)
		}
	}
}
