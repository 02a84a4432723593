//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"souk/build"
	"souk/build/release"
)

// The tests in this file run souk in separate processes, to check what is left if one ends
// early or two run at once.

var (
	kills        = flag.Int("kills", 12, "how many builds to kill")
	removalKills = flag.Int("removal-kills", 20, "how many removals to kill")
)

// market returns the files of one of two marketplaces. Files in both have different
// content, and each has files that the other lacks.
func market(second bool) map[string]string {
	files := map[string]string{
		"marketplace.yaml":               "name: Market\nsiteUrl: https://market.example\n",
		"categories/product/robots.yaml": "name: Robots\n",
		"categories/product/arms.yaml":   "name: Arms\nparent: robots\n",
	}
	which := "first"
	if second {
		which = "second"
		delete(files, "categories/product/arms.yaml")
	}
	for i := range 24 {
		slug := fmt.Sprintf("seller-%02d", i)
		if second && i%8 == 0 {
			slug += "-moved"
		}
		folder := "sellers/" + slug + "/"
		picture := fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><title>%s %d</title></svg>\n", which, i)
		files[folder+"media/logo.svg"] = picture
		files[folder+"seller.yaml"] = fmt.Sprintf(
			"officialDomain: %s.example\nversions:\n  - {version: 1, name: %s of the %s, logo: media/logo.svg}\n", slug, slug, which)
		for j := range 6 {
			if second && j == 0 || !second && j == 5 {
				continue
			}
			category := "robots"
			if !second && j%2 == 0 {
				category = "arms"
			}
			files[fmt.Sprintf("%sproducts/arm-%d.yaml", folder, j)] = fmt.Sprintf(
				"name: Arm %d\nsummary: As the %s knows it.\ncategories: [%s]\n", j, which, category)
		}
	}
	return files
}

// installation is a content folder and the folders built from it.
type installation struct {
	program, content, public, state string
}

func (i installation) args() []string {
	return []string{
		"build", "--content", i.content, "--public", i.public, "--state", i.state,
		"--now", "2026-06-01T00:00:00Z", "--precompress", "256",
	}
}

// build runs a build, which must succeed.
func (i installation) build(t *testing.T) {
	t.Helper()
	if out, err := exec.Command(i.program, i.args()...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// fill replaces the content.
func (i installation) fill(t *testing.T, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(i.content); err != nil {
		t.Fatal(err)
	}
	write(t, i.content, files)
}

// read returns the files of the public folder.
func (i installation) read(t *testing.T) tree {
	t.Helper()
	got, err := treeOf(i.public)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// fresh returns the output of a first build.
func fresh(t *testing.T, program string, files map[string]string) tree {
	t.Helper()
	dir := t.TempDir()
	i := installation{program, filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")}
	i.fill(t, files)
	i.build(t)
	return i.read(t)
}

// sameBytes fails if two trees differ in anything but file times.
func sameBytes(t *testing.T, got, want tree) {
	t.Helper()
	lines := slices.DeleteFunc(got.from(want), func(line string) bool { return strings.HasPrefix(line, "* ") })
	if len(lines) > 0 {
		const most = 20
		t.Fatalf("the tree differs from that of a fresh build in %d files:\n%s", len(lines), strings.Join(lines[:min(most, len(lines))], "\n"))
	}
}

// equal reports whether two trees contain the same files.
func equal(a, b tree) bool {
	return maps.EqualFunc(a, b, func(x, y leaf) bool { return x.body == y.body })
}

// leftNothing fails if staged files are left next to the public folder.
func leftNothing(t *testing.T, public string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(release.Folder(public), "stage-*"))
	if err != nil || len(left) > 0 {
		t.Fatalf("staged files are left: %v %v", left, err)
	}
}

// wholeDocuments fails if a public document is incomplete, if it belongs to neither the old
// nor the new release, or if it is missing although both have it.
func wholeDocuments(t *testing.T, got, before, after tree) {
	t.Helper()
	for name, file := range got {
		if strings.HasPrefix(name, ".souk-") || filepath.Ext(name) != ".json" {
			continue
		}
		if !json.Valid([]byte(file.body)) {
			t.Fatalf("%s is torn: %q", name, file.body)
		}
		was, stood := before[name]
		is, stands := after[name]
		if (!stood || was.body != file.body) && (!stands || is.body != file.body) {
			t.Fatalf("%s is neither the old document nor the new one: %s", name, file.body)
		}
	}
	for name := range before {
		if _, stays := after[name]; stays && filepath.Ext(name) == ".json" {
			if _, there := got[name]; !there {
				t.Fatalf("%s is missing though both releases have it", name)
			}
		}
	}
}

// otherFileSystem returns a folder on a different file system from that of temporary files,
// if there is one.
func otherFileSystem(t *testing.T) (string, bool) {
	t.Helper()
	var here, there unix.Stat_t
	if err := unix.Stat(t.TempDir(), &here); err != nil {
		t.Fatal(err)
	}
	for _, parent := range []string{"/dev/shm", "/var/tmp"} {
		if unix.Stat(parent, &there) != nil || here.Dev == there.Dev {
			continue
		}
		if dir, err := os.MkdirTemp(parent, "souk-test-"); err == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			return dir, true
		}
	}
	return "", false
}

func TestBuildKilledAtAnyMomentLosesNothing(t *testing.T) {
	program := built(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	contents := []map[string]string{market(false), market(true)}
	releases := []tree{fresh(t, program, contents[0]), fresh(t, program, contents[1])}

	states := []string{t.TempDir()}
	if dir, other := otherFileSystem(t); other {
		states = append(states, dir)
	}
	if testing.Short() {
		*kills = min(*kills, 6)
	}
	var midway, finished int
	for n, killed := 0, 0; killed < *kills; n++ {
		// Every second round starts without a release.
		i := installation{program, filepath.Join(t.TempDir(), "content"), filepath.Join(t.TempDir(), "public"),
			filepath.Join(states[n/2%len(states)], fmt.Sprint(n))}
		old, next := tree{}, random.IntN(2)
		began := time.Now()
		if n%2 == 1 {
			i.fill(t, contents[1-next])
			i.build(t)
			old = releases[1-next]
		} else {
			fresh(t, program, contents[next])
		}
		lasts := time.Since(began)
		i.fill(t, contents[next])
		if !killWithin(t, i, time.Duration(random.Int64N(int64(lasts)))) {
			finished++
			continue
		}
		killed++
		if got, err := treeOf(i.public); err == nil {
			wholeDocuments(t, got, old, releases[next])
			if !equal(got, old) && !equal(got, releases[next]) {
				midway++
			}
		} else if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		// The next build may have the same content or the old one.
		if n%2 == 1 && random.IntN(3) == 0 {
			next = 1 - next
			i.fill(t, contents[next])
		}
		i.build(t)
		sameBytes(t, i.read(t), releases[next])
		leftNothing(t, i.public)
	}
	t.Logf("%d builds were killed, %d of them while they put the release in place; %d ended before", *kills, midway, finished)
}

// killWithin starts a build and kills it after some time. It returns false if the build
// ended earlier.
func killWithin(t *testing.T, i installation, after time.Duration) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	out, err := exec.CommandContext(ctx, i.program, i.args()...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
		return true
	case ctx.Err() != nil && exit == nil:
		return false // it was not even started
	}
	t.Fatalf("%v\n%s", err, out)
	return false
}

func TestBuildsOfTheSameOutputAreSerialized(t *testing.T) {
	program, dir := built(t), t.TempDir()
	i := installation{program, filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")}
	i.fill(t, market(false))
	if err := os.Mkdir(i.public, 0o755); err != nil {
		t.Fatal(err)
	}
	// The test locks the folder first.
	held, err := os.Open(i.public)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	waiting := []*waiter{wait(t, i), wait(t, i), wait(t, i)}
	for _, w := range waiting {
		if want := "souk: waiting for another build that is writing to " + i.public + "\n"; w.said != want {
			t.Fatalf("a build that has to wait says %q", w.said)
		}
	}

	// A build interrupted while waiting reports that it changed nothing.
	if err := waiting[2].cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	code, said := waiting[2].end(t)
	if code != exitWrong || said != "souk: interrupted; nothing was changed\n" {
		t.Errorf("the interrupted build ended with %d and said %q", code, said)
	}
	if lies := i.read(t); len(lies) > 0 {
		t.Errorf("the output was touched while another build held it: %v", lies.from(tree{}))
	}

	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	for _, w := range waiting[:2] {
		if code, said := w.end(t); code != exitDone || said != "" {
			t.Errorf("a build that waited ended with %d and said %q", code, said)
		}
	}
	sameBytes(t, i.read(t), fresh(t, program, market(false)))
	leftNothing(t, i.public)
}

// Stopping a server is not a failure, whatever it is doing.
func TestServerStoppedBeforeItsFirstReleaseExitsCleanly(t *testing.T) {
	program, dir := built(t), t.TempDir()
	i := installation{program, filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")}
	i.fill(t, market(false))
	if err := os.Mkdir(i.public, 0o755); err != nil {
		t.Fatal(err)
	}
	held, err := os.Open(i.public)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	w := waitFor(t, exec.CommandContext(t.Context(), program, "serve", "--content", i.content, "--public", i.public, "--state", i.state, "--listen", "127.0.0.1:0"))
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, said := w.end(t); code != exitDone || said != "" {
		t.Errorf("%q: the server ended with %d and said %q", w.said, code, said)
	}
}

// Search parts are written after the release. A build interrupted while writing them
// reports the release.
func TestBuildStoppedAfterItsReleaseReportsTheRelease(t *testing.T) {
	program, dir := built(t), t.TempDir()
	i := installation{program, filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")}
	i.fill(t, market(false))
	i.build(t)
	held, err := os.Open(build.SearchFolder(i.public))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	released := func() string {
		data, err := os.ReadFile(filepath.Join(i.public, "api/v1/release.json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	before := released()
	i.fill(t, market(true))
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), i.program, i.args()...)
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for released() == before {
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != exitWrong ||
		said.String() != "souk: interrupted: the release is complete, and the next build adds the search data and history that are missing\n" {
		t.Errorf("the interrupted build ended with %v and said %q", err, said.String())
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	i.build(t)
	sameBytes(t, i.read(t), fresh(t, program, market(true)))
}

// waiter is a command that waits for another process.
type waiter struct {
	cmd    *exec.Cmd
	stderr *bufio.Reader
	said   string
}

// wait starts a build and returns once it has printed a line.
func wait(t *testing.T, i installation) *waiter {
	t.Helper()
	return waitFor(t, exec.CommandContext(t.Context(), i.program, i.args()...))
}

// waitFor starts a command and returns once it has printed a line.
func waitFor(t *testing.T, cmd *exec.Cmd) *waiter {
	t.Helper()
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have exited
		_ = cmd.Wait()         // until it exits, it writes to folders that the test deletes
	})
	w := &waiter{cmd: cmd, stderr: bufio.NewReader(pipe)}
	if w.said, err = w.stderr.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return w
}

// end waits for the command, and returns the exit code and the rest of its output.
func (w *waiter) end(t *testing.T) (code int, said string) {
	t.Helper()
	var rest bytes.Buffer
	if _, err := io.Copy(&rest, w.stderr); err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return w.cmd.ProcessState.ExitCode(), rest.String()
}
