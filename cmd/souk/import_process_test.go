//go:build unix

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"souk/build/kit/journal"
)

// importing is a content folder into which a table of companies is imported in a separate
// process. Every value of a company contains the number of its round.
type importing struct {
	*testing.T
	installation
	table, logos string
}

func newImporting(t *testing.T) *importing {
	i := &importing{T: t, installation: house(t, built(t), map[string]string{
		"marketplace.yaml": "name: Market\nsiteUrl: https://market.example\ncontactEmail: desk@market.example\n",
	})}
	dir := filepath.Dir(i.content)
	i.table, i.logos = filepath.Join(dir, "members.csv"), filepath.Join(dir, "logos")
	i.write(0)
	i.wantImported("csv", i.table, "--as", "members", "--pictures", i.logos)
	return i
}

// write writes the table and the logos for a round.
func (i *importing) write(round int) {
	i.Helper()
	var rows strings.Builder
	rows.WriteString("seller.name,seller.website,seller.logo,seller.categories,seller.summary\n")
	logos := map[string]string{}
	for n := range 80 {
		fmt.Fprintf(&rows, "Member %d,https://member%d.example,member-%d.svg,Trade,Round %d.\n", n, n, n, round)
		logos[fmt.Sprintf("member-%d.svg", n)] = fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><title>%d of round %d</title></svg>\n", n, round)
	}
	write(i.T, i.logos, logos)
	if err := os.WriteFile(i.table, []byte(rows.String()), 0o600); err != nil {
		i.Fatal(err)
	}
}

// command returns a command that imports the table.
func (i *importing) command(args ...string) *exec.Cmd {
	return exec.Command(i.program, append([]string{"import", "--content", i.content, "--state", i.state}, args...)...)
}

func (i *importing) wantImported(args ...string) {
	i.Helper()
	if out, err := i.command(args...).CombinedOutput(); err != nil {
		i.Fatalf("%v\n%s", err, out)
	}
}

// files returns the content, except the state that imports keep there.
func (i *importing) files() tree {
	i.Helper()
	got, err := treeOf(i.content)
	if err != nil {
		i.Fatal(err)
	}
	return got
}

func TestImportKilledAtAnyMomentIsAtomic(t *testing.T) {
	i := newImporting(t)
	before := i.files()
	i.write(1)
	began := time.Now()
	i.wantImported("members")
	lasts, after := time.Since(began), i.files()
	seed := uint64(time.Now().UnixNano())
	t.Logf("an import takes %s; the seed is %d", lasts, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	unstarted, midway, done := 0, 0, 0
	for range *kills {
		i.fill(t, contentOf(before))
		cmd := i.command("members")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Duration(random.Int64N(int64(lasts))))
		_ = cmd.Process.Signal(syscall.SIGKILL) // it may have exited
		_ = cmd.Wait()
		_, err := journal.Look(i.content)
		switch got := i.files(); {
		case err != nil:
			midway++
			if code, _, said := souk("check", "--content", i.content, "--state", i.state); code != exitWrong || !strings.Contains(said, "interrupted or is running") {
				t.Fatalf("check of half of an import ends with %d: %s", code, said)
			}
		case equal(got, after):
			done++
		default:
			unstarted++
			delete(got, "imports/.souk-new-.journal")
			sameBytes(t, got, before)
		}
		i.wantImported("members")
		sameBytes(t, i.files(), after)
	}
	t.Logf("%d were killed before anything was written, %d midway, %d after the end", unstarted, midway, done)
}

// contentOf returns a tree as file contents by name.
func contentOf(t tree) map[string]string {
	files := map[string]string{}
	for name, file := range t {
		files[name] = file.body
	}
	return files
}

var roundOf = regexp.MustCompile(`Round [0-9]+\.`)

// rounds returns the rounds that a list of the companies shows.
func (s *server) rounds() map[string]bool {
	s.Helper()
	a := s.get("/categories/product/trade")
	if a.status != 200 {
		s.Fatalf("the list of companies answers %s\n%s", a, s.said)
	}
	found := map[string]bool{}
	for _, round := range roundOf.FindAllString(a.body, -1) {
		found[round] = true
	}
	return found
}

func TestWatchingServerNeverShowsAPartialImport(t *testing.T) {
	i := newImporting(t)
	s := i.serve(t, "--watch")
	rounds := 6
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		i.write(round + 1)
		cmd := i.command("members")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		until(t, "the server shows the import", func() bool {
			if status, checks := s.health(); status != 200 || checks["content"] != "ok" {
				t.Fatalf("health answers %d, %v\n%s", status, checks, s.said)
			}
			found := s.rounds()
			if len(found) != 1 {
				t.Fatalf("the server shows half of an import: %v", found)
			}
			return found[fmt.Sprintf("Round %d.", round+1)]
		})
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if said := s.said.String(); strings.Contains(said, "not rebuilt") {
		t.Errorf("the server says\n%s", said)
	}
}

func TestServerKeepsItsReleaseWhileAnImportIsUnfinished(t *testing.T) {
	i := newImporting(t)
	s := i.serve(t, "--watch")
	// A folder in place of a file stops an import halfway, as a kill would.
	elsewhere := t.TempDir()
	write(t, elsewhere, map[string]string{"sellers/member-1/seller.yaml/x": "x"})
	half := strings.ReplaceAll(i.files()["sellers/member-0/seller.yaml"].body, "Round 0.", "Round 1.")
	other := strings.ReplaceAll(i.files()["sellers/member-1/seller.yaml"].body, "Round 0.", "Round 1.")
	if err := journal.Commit(elsewhere, []journal.Change{
		{Path: "sellers/member-0/seller.yaml", Data: []byte(half)}, {Path: "sellers/member-1/seller.yaml", Data: []byte(other)},
	}); err == nil {
		t.Fatal("a file took the place of a folder")
	}
	left, err := os.ReadFile(filepath.Join(elsewhere, "imports", ".journal"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, i.content, map[string]string{"imports/.journal": string(left)})
	write(t, i.content, map[string]string{"sellers/member-0/seller.yaml": half})
	waits := func(s *server) {
		until(t, "health says what is wrong", func() bool {
			_, checks := s.health()
			return checks["content"] == "an import or a rename was interrupted"
		})
		if found := s.rounds(); !maps.Equal(found, map[string]bool{"Round 0.": true}) {
			t.Fatalf("the server shows %v", found)
		}
	}
	waits(s)
	for _, flags := range [][]string{nil, {"--watch"}} {
		s.stop()
		s = i.serve(t, flags...)
		waits(s)
	}
	i.write(2)
	i.wantImported("members", "--accept", "theirs")
	until(t, "the server shows the import", func() bool {
		_, checks := s.health()
		return s.rounds()["Round 2."] && checks["content"] == "ok"
	})
}
