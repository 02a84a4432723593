package dynamic

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"souk/dynamic/verification"
)

// An answered is an answer with its whole body.
type answered struct {
	status int
	header http.Header
	body   string
}

// value returns a member of the JSON, by its path with dots.
func (a answered) value(path string) string {
	var value any
	if json.Unmarshal([]byte(a.body), &value) != nil {
		return ""
	}
	for name := range strings.SplitSeq(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		value = object[name]
	}
	return fmt.Sprint(value)
}

// told is the whole answer but for what tells two answers apart.
func (a answered) told() string {
	lines := []string{fmt.Sprint(a.status)}
	for name, values := range a.header {
		if name != "Date" && name != "X-Request-Id" {
			lines = append(lines, name+": "+strings.Join(values, ", "))
		}
	}
	slices.Sort(lines[1:])
	return strings.Join(append(lines, "", a.body), "\n")
}

func (p *play) check(b block, a answered) {
	p.Helper()
	if !matches(fmt.Sprint(a.status), b.status) {
		p.Errorf("%s: status %d, want %s\n%s", b.where, a.status, b.status, a.body)
	}
	if got := a.header.Get("Access-Control-Allow-Origin"); got != "*" {
		p.Errorf("%s: Access-Control-Allow-Origin is %q", b.where, got)
	}
	if a.status >= 400 && !strings.HasSuffix(b.request, "/health") {
		p.problem(b, a)
	}
	for _, line := range b.expect {
		p.expect(b, a, p.fill(line))
	}
}

// problem checks what holds for every error.
func (p *play) problem(b block, a answered) {
	p.Helper()
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		p.Errorf("%s: an error of the type %q", b.where, got)
	}
	if a.body == "" {
		return // the answer to HEAD
	}
	for _, member := range []string{"type", "title", "detail", "code"} {
		if text := a.value(member); text == "" || text == "<nil>" {
			p.Errorf("%s: the error has no %s: %s", b.where, member, a.body)
		}
	}
	if got := a.value("status"); got != fmt.Sprint(a.status) {
		p.Errorf("%s: the body says status %s: %s", b.where, got, a.body)
	}
}

func (p *play) expect(b block, a answered, line string) {
	p.Helper()
	name, want, _ := strings.Cut(line, ": ")
	word, member, _ := strings.Cut(name, " ")
	got := strings.Join(a.header.Values(name), ", ")
	ok := false
	switch word {
	case "save":
		p.saved[member] = a.value(want)
		return
	case "keep":
		p.kept[member] = a.told()
		return
	case "same":
		got, want = a.told(), p.kept[member]
		ok = got == want
	case "body":
		got, ok = a.body, strings.Contains(a.body, want) || want == "empty" && a.body == ""
	case "not":
		got, ok = a.body, !strings.Contains(a.body, want)
	case "json":
		got = a.value(member)
		ok = matches(got, want)
	default:
		ok = matches(got, want)
	}
	if !ok {
		p.Errorf("%s:\n-want %s\n+got  %s", b.where, line, got)
	}
}

// matches compares with text, with a pattern after ~, or with nothing.
func matches(got, want string) bool {
	if pattern, ok := strings.CutPrefix(want, "~ "); ok {
		return regexp.MustCompile("^(" + pattern + ")$").MatchString(got)
	}
	return got == want || want == "none" && got == ""
}

// direct does what a line with $ says:
//
//	limits                     limit the starts; before the first request
//	trust network              believe proxies of it; before the first request
//	pass 25h                   let time pass
//	bearer name: workspace     make a bearer token and save it
//	revoke name                revoke the bearer token
//	edit file: text            write a file of the content and wait for it to show
//	wait address: status       wait for the status of an address
//	mails n                    wait until there are n mails, and no more wait
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
		p.saved[name] = p.bearer(value)
	case "revoke":
		_, err = p.operator().RevokeAPIToken(p.Context(), p.saved[name+"-id"])
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

// handSet returns a clock that stands still until it is set.
func handSet() *handClock {
	return &handClock{now: time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC), timers: map[chan time.Time]time.Time{}}
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

// bearer makes a bearer token of a workspace.
func (p *play) bearer(workspace string) string {
	p.Helper()
	made, secret, err := p.operator().NewAPIToken(p.Context(), workspace)
	if err != nil {
		p.Fatal(err)
	}
	p.saved[workspace+"-id"] = made.ID
	return secret.Reveal()
}

// A letter is what a test reads of a mail.
type letter struct{ file, text, id, token string }

var linkLine = regexp.MustCompile(`(?m)^\S+/verify/(?:claim|removal)#id=([a-z0-9-]+)&token=(\S+?)\r?$`)

// mails returns those that were written, oldest first.
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
