package dynamic

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"souk/dynamic/verification"
)

// direct executes a line that begins with $:
//
//	limits                     limit the starts; before the first request
//	trust network              trust its proxies; before the first request
//	pass 25h                   advance the clock
//	bearer name: workspace     create and save a bearer token
//	revoke name                revoke the bearer token
//	edit file: text            write a content file and wait until it shows
//	wait address: status       wait for the status of an address
//	mails n                    wait until there are n mails, and none waits
//	unavailable                close the ledger
func (p *play) direct(line string) {
	p.Helper()
	word, rest, _ := strings.Cut(line, " ")
	name, value, _ := strings.Cut(rest, ": ")
	var err error
	switch word {
	case "limits":
		p.Verification.Unlimited = false
	case "trust":
		p.Verification.Trusted = []netip.Prefix{netip.MustParsePrefix(rest)}
	case "watch":
		p.Watch = true
	case "pass":
		var d time.Duration
		d, err = time.ParseDuration(rest)
		p.clock.Add(d)
	case "bearer":
		p.player.Saved[name] = p.bearer(value)
	case "revoke":
		_, err = p.operator().RevokeAPIToken(p.Context(), p.player.Saved[name+"-id"])
	case "edit":
		p.write(name, strings.ReplaceAll(value, `\n`, "\n"))
	case "wait":
		p.until(name+" answers "+value, func() bool {
			got, _ := p.get(name)
			return fmt.Sprint(got) == value
		})
	case "mails":
		p.until("there are "+rest+" mails", func() bool { return fmt.Sprint(len(p.mails())) == rest })
	case "unavailable":
		err = p.Verification.Ledger.Close()
	default:
		p.Fatalf("there is no directive %q", line)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// handSet returns a clock that only moves when it is set.
func handSet() *handClock {
	return &handClock{now: time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC)}
}

// operator returns the operations of the command line.
func (h *house) operator() *verification.Process {
	h.Helper()
	p, err := verification.New(verification.Config{Ledger: h.Verification.Ledger, Now: time.Now, Random: h.random()})
	if err != nil {
		h.Fatal(err)
	}
	return p
}

// bearer creates a bearer token for a workspace.
func (p *play) bearer(workspace string) string {
	p.Helper()
	made, secret, err := p.operator().NewAPIToken(p.Context(), workspace)
	if err != nil {
		p.Fatal(err)
	}
	p.player.Saved[workspace+"-id"] = made.ID
	return secret.Reveal()
}

// A letter is the part of a mail that tests read.
type letter struct{ file, text, id, token string }

var linkLine = regexp.MustCompile(`(?m)^\S+/verify/(?:claim|removal)#id=([a-z0-9-]+)&token=(\S+?)\r?$`)

// mails returns the written mails, oldest first.
func (h *house) mails() (all []letter) {
	h.Helper()
	folder := filepath.Join(h.home, "mail")
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		h.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".eml") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			h.Fatal(err)
		}
		one := letter{file: e.Name(), text: string(data)}
		if link := linkLine.FindStringSubmatch(one.text); link != nil {
			one.id, one.token = link[1], link[2]
		}
		all = append(all, one)
	}
	return all
}

// mailed waits for the mail with the link of a request.
func (h *house) mailed(id string) (found letter) {
	h.Helper()
	h.until("there is a mail about "+id, func() bool {
		for _, one := range h.mails() {
			if one.id == id {
				found = one
				return true
			}
		}
		return false
	})
	return found
}
