//go:build unix

package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// shell runs lines of the README in a folder, in order, exactly as written.
type shell struct {
	*testing.T
	folder string
	env    []string
}

func newShell(t *testing.T, folder string) *shell {
	t.Helper()
	bin, root := t.TempDir(), mustAbs(t, "../..")
	return &shell{t, folder, append(os.Environ(), "GOBIN="+bin, "PATH="+bin+":"+os.Getenv("PATH"), "ROOT="+root, "SOUK_LISTEN=127.0.0.1:0")}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// command returns a command that runs a line in bash, in the folder where the previous line
// ended. The line's own last folder is written to a file.
func (s *shell) command(ctx context.Context, line string) *exec.Cmd {
	c := exec.CommandContext(ctx, "bash", "-ec", line+"\npwd > \"$LAST\"")
	c.Dir, c.Env = s.folder, append(s.env, "LAST="+filepath.Join(s.TempDir(), "pwd"))
	return c
}

// run runs a line, which must succeed, and returns its output.
func (s *shell) run(line string) string {
	s.Helper()
	c := s.command(s.Context(), line)
	said, err := c.CombinedOutput()
	if err != nil {
		s.Fatalf("%s: %v\n%s", line, err, said)
	}
	last, err := os.ReadFile(strings.TrimPrefix(c.Env[len(c.Env)-1], "LAST="))
	if err != nil {
		s.Fatal(err)
	}
	s.folder = strings.TrimSpace(string(last))
	return string(said)
}

// serve runs a line that serves until the test ends. It returns the address and the output.
func (s *shell) serve(line string) (origin string, said *lines) {
	s.Helper()
	c := s.command(context.Background(), "exec "+line)
	pipe, err := c.StderrPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := c.Start(); err != nil {
		s.Fatal(err)
	}
	said = &lines{}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(adding{said}, pipe) // it ends with the program
	}()
	s.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM) // it may have exited
		<-copied
		if err := c.Wait(); err != nil {
			s.Errorf("%s ended with %v:\n%s", line, err, said)
		}
	})
	until(s.T, line+" serves", func() bool {
		if m := servingAt.FindStringSubmatch(said.String()); m != nil {
			origin = m[1]
		}
		return origin != ""
	})
	return origin, said
}

// adding is a writer that appends to lines.
type adding struct{ *lines }

func (a adding) Write(p []byte) (int, error) {
	a.add(string(p))
	return len(p), nil
}

// readmeBlock returns the indented block below a heading, and its commands with their
// comments.
func readmeBlock(t *testing.T, heading string) (text string, commands, comments []string) {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(oneLine(string(readme)), "\n## "+heading+"\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for line := range strings.Lines(text) {
		command, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		if !indented && len(commands) > 0 && strings.TrimSpace(line) != "" {
			break
		}
		if command, comment, _ := strings.Cut(command, "  # "); indented {
			commands, comments = append(commands, strings.TrimSpace(command)), append(comments, comment)
		}
	}
	if !found || len(commands) < 2 {
		t.Fatalf("the README has no commands below %s: %q", heading, commands)
	}
	return text, commands, comments
}

// TestReadmeStepsCreateAMarketplace follows the README to the letter, in two terminals,
// except for the port, which may be in use.
func TestReadmeStepsCreateAMarketplace(t *testing.T) {
	text, commands, comments := readmeBlock(t, "A marketplace of your own")
	_, install, _ := readmeBlock(t, "Install")
	s := newShell(t, mustAbs(t, "../.."))
	s.run(install[0]) // the other ways install the same program
	home := t.TempDir()
	s.folder = home
	var origin string
	var said *lines
	for i, line := range commands {
		switch {
		case strings.HasPrefix(line, "souk serve "):
			origin, said = s.serve(line)
			s.folder = home // the second terminal's folder
		default:
			if got := s.run(line); line == "souk check" && !strings.Contains(got, "souk: "+comments[i]+"\n") {
				t.Errorf("souk check prints\n%s", got)
			}
		}
	}
	drafts := regexp.MustCompile("(?s)Take the line `status: draft` out of\\s`([^`]+)` and `([^`]+)`.*?(http://\\S+) answers.*?Write `(\\w+:)` for `(\\w+:)`.*?\n    (\\S+ [^\n]+)\n").FindStringSubmatch(text)
	if drafts == nil {
		t.Fatalf("the README tells nothing of drafts:\n%s", text)
	}
	edit := func(file, line, instead string) {
		t.Helper()
		path := filepath.Join(s.folder, file)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		after := regexp.MustCompile("(?m)^"+line).ReplaceAll(before, []byte(instead))
		if string(after) == string(before) {
			t.Fatalf("%s has no line %s", file, line)
		}
		if err := os.WriteFile(path, after, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	address := strings.Replace(drafts[3], "http://127.0.0.1:8080", origin, 1)
	answers := func(status int) bool {
		response, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.StatusCode == status
	}
	if !answers(http.StatusNotFound) {
		t.Errorf("%s answers although it is a draft", address)
	}
	for _, file := range drafts[1:3] {
		edit(file, "status: draft.*\n", "")
	}
	until(t, address+" answers", func() bool { return answers(http.StatusOK) })
	edit(drafts[2], drafts[5], drafts[4])
	until(t, "the server says "+drafts[6], func() bool { return strings.Contains(said.String(), drafts[6]+"\n") })
	edit(drafts[2], drafts[4], drafts[5])
	until(t, "the server says that it is mended", func() bool { return strings.Contains(said.String(), "the content has no mistakes any more") })
}

// TestReadmeTurnsASpreadsheetIntoAMarket runs the README's commands with the table in the
// import guide, and then the guide's own commands.
func TestReadmeTurnsASpreadsheetIntoAMarket(t *testing.T) {
	guide := oneLine(guide(t, "import.md"))
	table := regexp.MustCompile("(?s)```csv\n(.+?)```").FindStringSubmatch(guide)
	later := regexp.MustCompile(`(?m)^    (souk import .+)$`).FindAllStringSubmatch(guide, -1)
	if table == nil || len(later) != 3 {
		t.Fatal("the guide to imports has no table, or not three imports")
	}
	_, commands, _ := readmeBlock(t, "From a spreadsheet to a market")
	for _, line := range commands {
		if !strings.Contains(guide, "\n    "+line+"\n") {
			t.Errorf("the guide to imports does not have %s", line)
		}
	}
	s := newShell(t, t.TempDir())
	s.env = append(s.env, "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"))
	write(t, s.folder, map[string]string{"members.csv": table[1]})
	if said := s.run(commands[0]); !strings.Contains(said, "Booth") {
		t.Errorf("the column without a place is not listed:\n%s", said)
	}
	if said := s.run(commands[1]); !strings.Contains(said, "souk: 0 mistakes, 0 warnings") {
		t.Errorf("souk check prints\n%s", said)
	}
	s.run(later[2][1]) // changes nothing
	origin, _ := s.serve(commands[2])
	if page := s.run("curl --fail --silent " + origin + "/companies"); !strings.Contains(page, "Tallow &amp; Wick") {
		t.Errorf("the page of companies is\n%s", page)
	}
	s.run("mkdir other && cp members.csv other && cd other && souk init && rm -r content/sellers content/articles content/market-maps")
	s.run(later[0][1])
	s.run(later[1][1])
}

// The sample is the first thing that newcomers see.
func TestSampleHasNoWarnings(t *testing.T) {
	s := newShell(t, mustAbs(t, "../.."))
	s.env = append(s.env, "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"), "SOUK_STATE="+t.TempDir())
	if said := s.run("souk check"); !strings.Contains(said, "souk: 0 mistakes, 0 warnings") {
		t.Errorf("souk check prints\n%s", said)
	}
}

// TestNewHelpExamplesWorkAfterInit runs the examples of `souk new --help`, in order, in a
// marketplace that `souk init` created.
func TestNewHelpExamplesWorkAfterInit(t *testing.T) {
	s := newShell(t, t.TempDir())
	s.env = append(s.env, "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"))
	s.run("souk init my-market && cd my-market")
	about := newNew(environment{})
	examples := regexp.MustCompile(`(?m)^  (souk new .+)$`).FindAllStringSubmatch(about.Long+"\n"+about.Example, -1)
	if len(examples) < 7 {
		t.Fatalf("there are %d examples", len(examples))
	}
	for _, one := range examples {
		s.run(one[1])
	}
	if got := s.run("souk check"); !strings.Contains(got, "souk: 0 mistakes") {
		t.Errorf("then souk check prints\n%s", got)
	}
}
