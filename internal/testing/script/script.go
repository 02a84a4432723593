// Package script plays requests that are written as text, and holds each answer
// to what stands beside it; for tests. It refuses to know what is served.
//
// A script is made of blocks, with a blank line between them:
//
//	# what it proves
//	POST /address
//	Request-Header: value
//	> body, and >q for one in Go's quotes
//	=> 200, or 200 soon: it is sent until that is the answer
//	Header: value, or ~ pattern, or none
//	body: fragment, or empty
//	not: fragment
//	json member: value or ~ pattern
//	save name: member
//	keep name                    keeps the whole answer
//	same name                    but for its time and number it is that answer
//
// {name} stands for what was saved. A block of one line that begins with $ is
// for whoever plays the script.
package script

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A Block is a directive, or a request and what its answer must be like.
type Block struct {
	Where, Request string

	headers, body, expect []string
	status                string
}

// Read reads a script.
func Read(t testing.TB, file string) (all []Block) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for i, line := range strings.Split(string(data), "\n") {
		open = open && line != "" && !strings.HasPrefix(line, "$ ")
		switch {
		case line == "" || line[0] == '#':
			continue
		case !open:
			all = append(all, Block{Where: fmt.Sprintf("%s:%d: %s", file, i+1, line), Request: line})
			open = true
			continue
		}
		switch b := &all[len(all)-1]; {
		case strings.HasPrefix(line, "=> "):
			b.status = strings.TrimPrefix(line, "=> ")
		case line[0] == '>':
			b.body = append(b.body, line[1:])
		case b.status == "":
			b.headers = append(b.headers, line)
		default:
			b.expect = append(b.expect, line)
		}
	}
	return all
}

// A Player plays blocks, one after the other.
type Player struct {
	testing.TB
	// Host is where requests go, as host:port.
	Host string
	// Below is what begins every address but those after a *.
	Below string
	// Saved are the values by name.
	Saved map[string]string
	// Token returns the token that {token of name} stands for, of a saved value.
	Token func(value string) string
}

// Play sends the request of a block and checks the answer.
func (p *Player) Play(b Block) Answer {
	p.Helper()
	status, soon := strings.CutSuffix(b.status, " soon")
	a := p.send(b)
	for deadline := time.Now().Add(20 * time.Second); soon && !matches(fmt.Sprint(a.Status), status) && time.Now().Before(deadline); {
		a = p.send(b)
	}
	if !matches(fmt.Sprint(a.Status), status) {
		p.Errorf("%s: status %d, want %s\n%s", b.Where, a.Status, status, a.Body)
	}
	if got := a.Header.Get("Access-Control-Allow-Origin"); got != "*" {
		p.Errorf("%s: Access-Control-Allow-Origin is %q", b.Where, got)
	}
	if a.Status >= 400 && !strings.HasSuffix(b.Request, "/health") {
		p.problem(b, a)
	}
	for _, line := range b.expect {
		p.expect(b, a, p.Fill(line))
	}
	return a
}

var variable = regexp.MustCompile(`\{(token of )?([a-zA-Z0-9-]+)\}`)

// Fill puts in what was saved, and tokens.
func (p *Player) Fill(text string) string {
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		parts := variable.FindStringSubmatch(found)
		value, known := p.Saved[parts[2]]
		switch {
		case known && parts[1] != "":
			return p.Token(value)
		case known:
			return value
		}
		return found
	})
}

// problem checks what holds for every error.
func (p *Player) problem(b Block, a Answer) {
	p.Helper()
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		p.Errorf("%s: an error of the type %q", b.Where, got)
	}
	if a.Body == "" {
		return // the answer to HEAD
	}
	for _, member := range []string{"type", "title", "detail", "code"} {
		if text := a.Value(member); text == "" || text == "<nil>" {
			p.Errorf("%s: the error has no %s: %s", b.Where, member, a.Body)
		}
	}
	if got := a.Value("status"); got != fmt.Sprint(a.Status) {
		p.Errorf("%s: the body says status %s: %s", b.Where, got, a.Body)
	}
}

func (p *Player) expect(b Block, a Answer, line string) {
	p.Helper()
	name, want, _ := strings.Cut(line, ": ")
	word, member, _ := strings.Cut(name, " ")
	got := strings.Join(a.Header.Values(name), ", ")
	ok := false
	switch word {
	case "save":
		p.Saved[member] = a.Value(want)
		return
	case "keep":
		p.Saved["kept "+member] = a.Told()
		return
	case "same":
		got, want = a.Told(), p.Saved["kept "+member]
		ok = got == want
	case "body":
		got, ok = a.Body, want != "empty" && strings.Contains(a.Body, want) || want == "empty" && a.Body == ""
	case "not":
		got, ok = a.Body, !strings.Contains(a.Body, want)
	case "json":
		got = a.Value(member)
		ok = matches(got, want)
	default:
		ok = matches(got, want)
	}
	if !ok {
		p.Errorf("%s:\n-want %s\n+got  %s", b.Where, line, got)
	}
}

// matches compares with text, with a pattern after ~, or with nothing.
func matches(got, want string) bool {
	if pattern, ok := strings.CutPrefix(want, "~ "); ok {
		return regexp.MustCompile("^(" + pattern + ")$").MatchString(got)
	}
	return got == want || want == "none" && got == ""
}
