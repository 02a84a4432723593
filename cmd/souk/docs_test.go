package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	docsBlock    = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	docsTyped    = regexp.MustCompile(`(?m)^(?:    |\$ |\s+(?:- )?(?:run: )?)(souk .+)$`)
	docsSpan     = regexp.MustCompile("`(souk [^`]+)`")
	shellQuoted  = regexp.MustCompile(`\$\([^)]*\)`)
	shellToken   = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"&|;<>])+|[&|;<>]+`)
	shellUnquote = strings.NewReplacer(`'`, "", `"`, "")
)

// soukCommands returns the arguments of each souk command in a shell line. It omits words
// abbreviated with dots; whole is false if there are any.
func soukCommands(line string) (found [][]string, whole bool) {
	whole, skip := true, false
	var words []string
	end := func() {
		for i, word := range words {
			if word == "souk" {
				found = append(found, words[i+1:])
				break
			}
			if !strings.Contains(word, "=") && word != "exec" { // NAME=VALUE souk …
				break
			}
		}
		words = nil
	}
	for _, token := range shellToken.FindAllString(shellQuoted.ReplaceAllString(line, "OUTPUT"), -1) {
		switch {
		case token[0] == '#':
			end()
			return found, whole
		case strings.ContainsAny(token[:1], "<>"):
			skip = true
		case strings.ContainsAny(token[:1], "&|;"):
			end()
		case skip:
			skip = false
		case strings.Contains(token, "…"):
			whole = false
		default:
			words = append(words, shellUnquote.Replace(token))
		}
	}
	end()
	return found, whole
}

// TestDocumentedCommandsAreValid parses every command line in the README, the docs and
// the pipelines. Commands and flags must exist, and commands that readers type must have
// valid arguments.
func TestDocumentedCommandsAreValid(t *testing.T) {
	count := 0
	parse := func(file, line string, typed bool) {
		commands, whole := soukCommands(line)
		for _, words := range commands {
			count++
			root := newRoot(environment{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, lookupenv: none, now: time.Now})
			cmd, rest, err := root.Find(words)
			if err == nil && cmd == root && len(words) > 0 && !strings.HasPrefix(words[0], "-") {
				err = subcommand(root, words)
			}
			if err != nil {
				t.Errorf("%s: %s: %v", file, line, err)
				continue
			}
			for _, word := range rest {
				name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
				if cmd.InitDefaultHelpFlag(); strings.HasPrefix(word, "--") && cmd.Flag(name) == nil {
					t.Errorf("%s: %s: there is no flag --%s", file, line, name)
				}
			}
			if !typed || !whole {
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: %s: %v", file, line, err)
			} else if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
				t.Errorf("%s: %s: %v", file, line, err)
			}
		}
	}
	read := func(file string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(data), "\\\n", " ")
		for _, block := range docsBlock.FindAllStringSubmatch(text, -1) {
			for line := range strings.Lines(block[2]) {
				if slices.Contains([]string{"", "sh", "console"}, block[1]) {
					parse(file, strings.TrimSpace(strings.TrimPrefix(line, "$ ")), true)
				}
			}
		}
		text = docsBlock.ReplaceAllString(text, "")
		for _, one := range docsTyped.FindAllStringSubmatch(text, -1) {
			parse(file, one[1], true)
		}
		for _, one := range docsSpan.FindAllStringSubmatch(text, -1) {
			parse(file, strings.ReplaceAll(one[1], "\n", " "), false)
		}
	}
	read("../../README.md")
	err := filepath.WalkDir("../../docs", func(path string, e fs.DirEntry, err error) error {
		// The reference is generated from the commands.
		if err == nil && slices.Contains([]string{".md", ".yml"}, filepath.Ext(path)) && filepath.Base(path) != "commands.md" {
			read(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 100 {
		t.Errorf("the docs have only %d commands", count)
	}
}
