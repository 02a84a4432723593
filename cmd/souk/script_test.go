package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"

	"souk/build/release"
)

var update = flag.Bool("update", false, "write what the scripts got into the files that they compare with")

// TestScripts runs the scripts in testdata/script. Each covers one part of the command line
// from a user's point of view.
func TestScripts(t *testing.T) {
	commands := maps.Clone(ledgerCommands)
	maps.Copy(commands, map[string]func(*testscript.TestScript, bool, []string){
		"absent":    absent,
		"changes":   changes,
		"encode":    encode,
		"fails":     fails,
		"json":      jsonValue,
		"serves":    serves,
		"snapshot":  snapshot,
		"sparse":    sparse,
		"unchanged": unchanged,
	})
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("testdata", "script"),
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Values[snapshots{}] = map[string]tree{}
			// Under the race detector, each of the hundreds of processes would sleep for a
			// second before exiting.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
		Cmds: commands,
	})
}

// usage fails a script that misuses a command.
func usage(ts *testscript.TestScript, right bool, form string) {
	if !right {
		ts.Fatalf("usage: %s", form)
	}
}

// fails runs a program that must exit with the given code.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) > 1, "fails code program args...")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case err == nil:
		ts.Fatalf("%s ended with 0, not %d", args[1], want)
	case !errors.As(err, &exit):
		ts.Check(err)
	case exit.ExitCode() != want:
		ts.Fatalf("%s ended with %d, not %d", args[1], exit.ExitCode(), want)
	}
}

// tree maps the paths of the files below a folder to their contents and times.
type tree map[string]leaf

type leaf struct {
	body    string
	modTime time.Time
	info    fs.FileInfo
}

// treeOf reads a folder.
func treeOf(folder string) (tree, error) {
	t := tree{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		t[filepath.ToSlash(name)] = leaf{string(body), info.ModTime(), info}
		return err
	})
	return t, err
}

// from lists the changes since before: + added, - removed, ~ changed, and * rewritten with
// the same bytes.
func (t tree) from(before tree) []string {
	var lines []string
	for name, now := range t {
		was, stood := before[name]
		switch {
		case !stood:
			lines = append(lines, "+ "+name)
		case was.body != now.body:
			lines = append(lines, "~ "+name)
		case !was.modTime.Equal(now.modTime) || !os.SameFile(was.info, now.info):
			lines = append(lines, "* "+name)
		}
	}
	for name := range before {
		if _, stands := t[name]; !stands {
			lines = append(lines, "- "+name)
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return cmp.Compare(a[2:], b[2:]) })
	return lines
}

type snapshots struct{}

// snapshot records a folder for the commands changes and unchanged.
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "snapshot folder")
	t, err := treeOf(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Value(snapshots{}).(map[string]tree)[args[0]] = t
}

func sinceSnapshot(ts *testscript.TestScript, folder string) []string {
	before, known := ts.Value(snapshots{}).(map[string]tree)[folder]
	if !known {
		ts.Fatalf("there is no snapshot of %s", folder)
	}
	now, err := treeOf(ts.MkAbs(folder))
	ts.Check(err)
	return now.from(before)
}

// changes prints how a folder has changed since its snapshot.
func changes(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "changes folder")
	for _, line := range sinceSnapshot(ts, args[0]) {
		fmt.Fprintln(ts.Stdout(), line)
	}
}

// unchanged fails if any file in a folder was touched since its snapshot: its bytes, its
// modification time, or the file itself.
func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "unchanged folder")
	if lines := sinceSnapshot(ts, args[0]); len(lines) > 0 {
		ts.Fatalf("%s was touched:\n%s", args[0], strings.Join(lines, "\n"))
	}
}

// absent fails if a word occurs in any file below a folder, including compressed files.
// File names do not count.
func absent(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, len(args) == 2, "[!] absent word folder")
	word, folder := []byte(args[0]), args[1]
	t, err := treeOf(ts.MkAbs(folder))
	ts.Check(err)
	var holders []string
	for name, file := range t {
		body := []byte(file.body)
		if ext := filepath.Ext(name); ext == ".gz" || ext == ".br" {
			body, err = release.Decompress(name, body)
			ts.Check(err)
		}
		if bytes.Contains(body, word) {
			holders = append(holders, name)
		}
	}
	slices.Sort(holders)
	if !neg && len(holders) > 0 {
		ts.Fatalf("%q stands in %s:\n%s", word, folder, strings.Join(holders, "\n"))
	}
	if neg && len(holders) == 0 {
		ts.Fatalf("%q stands nowhere in %s", word, folder)
	}
}

// jsonValue prints a value from a JSON file or from the last output: strings unquoted,
// everything else as JSON. A path consists of keys and indexes separated by dots; * stands
// for each item of a list, printed on a line of its own.
func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "json file path")
	var value any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &value))
	for _, found := range follow(ts, value, strings.Split(args[1], ".")) {
		if text, ok := found.(string); ok {
			fmt.Fprintln(ts.Stdout(), text)
			continue
		}
		data, err := json.Marshal(found)
		ts.Check(err)
		fmt.Fprintln(ts.Stdout(), string(data))
	}
}

func follow(ts *testscript.TestScript, value any, path []string) []any {
	if len(path) == 0 {
		return []any{value}
	}
	switch v := value.(type) {
	case map[string]any:
		inner, stands := v[path[0]]
		if !stands {
			return []any{"(none)"}
		}
		return follow(ts, inner, path[1:])
	case []any:
		if path[0] == "*" {
			all := []any{}
			for _, item := range v {
				all = append(all, follow(ts, item, path[1:])...)
			}
			return all
		}
		if i, err := strconv.Atoi(path[0]); err == nil && i < len(v) {
			return follow(ts, v[i], path[1:])
		}
	}
	ts.Fatalf("there is no %s in %v", path[0], value)
	return nil
}

// encode writes a UTF-8 file in another encoding.
func encode(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 3, "encode utf-16|latin-1 from to")
	text := ts.ReadFile(args[1])
	var data []byte
	switch args[0] {
	case "utf-16":
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			data = binary.LittleEndian.AppendUint16(data, unit)
		}
	case "latin-1":
		for _, r := range text {
			data = append(data, byte(r))
		}
	default:
		ts.Fatalf("there is no encoding %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), data, 0o644))
}

// sparse creates a large file that uses no disk space.
func sparse(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "sparse megabytes file")
	megabytes, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), nil, 0o644))
	ts.Check(os.Truncate(ts.MkAbs(args[1]), int64(megabytes)<<20))
}
