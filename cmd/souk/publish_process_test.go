//go:build unix

package main

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"souk/build/document"
	"souk/build/kit/durable"
	"souk/build/kit/twin"
	"souk/internal/testing/s3test"
)

var publishKills = flag.Int("publish-kills", 8, "how many publishes to kill")

// publishArgs returns the arguments that publish an installation to a bucket.
func (i installation) publishArgs(bucket string, more ...string) []string {
	return append([]string{"publish", bucket, "--public", i.public, "--state", i.state, "--host", "nginx"}, more...)
}

func TestKilledPublishIsCompletedByTheNext(t *testing.T) {
	program, server, dir := built(t), s3test.Start(t), t.TempDir()
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	address := server.Bucket(t, "market")
	i := installation{program, filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")}
	removed, restored := "", ""
	for _, id := range []string{"seller-01", "seller-02", "seller-03"} {
		removed += "- id: " + id + "\n"
		restored += "- {id: " + id + ", restoredAt: 2026-01-31}\n"
	}
	write(t, dir, map[string]string{"removed.yaml": removed, "restored.yaml": restored})
	if testing.Short() {
		*publishKills = min(*publishKills, 6)
	}
	finished, lasts := 0, 300*time.Millisecond
	for n, killed := 0, 0; killed < *publishKills; n++ {
		i.fill(t, market(n%2 == 1))
		list := "restored.yaml"
		if n%3 == 2 {
			list = "removed.yaml"
		}
		removals := []string{"--removals", filepath.Join(dir, list)}
		if out, err := exec.Command(program, append(i.args(), removals...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		server.Mark()
		if killPublish(t, i.publishArgs(address, removals...), program, time.Duration(random.Int64N(int64(lasts)))) {
			killed++
		} else {
			finished++
		}
		server.Settle(t)
		// Every second time, the content changes before the next publish.
		if n%2 == 0 {
			continue
		}
		began := time.Now()
		if out, err := exec.Command(program, i.publishArgs(address, removals...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		lasts = time.Since(began)
		bucketHolds(t, server.Objects(t, "market", ""), i)
	}
	t.Logf("%d publishes were killed, %d ended before", *publishKills, finished)
}

// killPublish starts a publish and kills it after some time. It returns false if the
// publish ended earlier.
func killPublish(t *testing.T, args []string, program string, after time.Duration) bool {
	t.Helper()
	cmd := exec.Command(program, args...)
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	killer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) // it may have exited
	defer killer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
		return true
	}
	t.Fatalf("%v\n%s", err, said.String())
	return false
}

// bucketHolds fails unless a bucket has exactly the files of the public folder, except
// compressed copies, with their bytes and metadata.
func bucketHolds(t *testing.T, stands map[string]s3test.Object, i installation) {
	t.Helper()
	want := i.read(t)
	for name := range want {
		if twin.Of(name) != name {
			delete(want, name) // a compressed copy
		}
	}
	for key, o := range stands {
		file, wanted := want[key]
		if !wanted {
			t.Fatalf("%s stands in the bucket and not in the release", key)
		}
		delete(want, key)
		if string(o.Body) != file.body {
			t.Fatalf("%s is another in the bucket", key)
		}
		if o.ContentType != document.ContentType(key) || o.CacheControl != document.CacheFor(key).Header() {
			t.Fatalf("%s is described as %q, %q", key, o.ContentType, o.CacheControl)
		}
	}
	for name := range want {
		t.Fatalf("%s is missing in the bucket", name)
	}
}

func TestPublishesToOneDestinationAreSerialized(t *testing.T) {
	program, dir := built(t), t.TempDir()
	i := installation{program, filepath.Join(dir, "content"), filepath.Join(dir, "public"), filepath.Join(dir, "state")}
	i.fill(t, market(false))
	i.build(t)
	out := filepath.Join(dir, "out")
	publish := exec.Command(program, i.publishArgs(out)...)
	if said, err := publish.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	held, err := filepath.Glob(filepath.Join(i.state, "publish-*"))
	if err != nil || len(held) != 1 {
		t.Fatal(held, err)
	}
	unlock, err := durable.LockFolder(t.Context(), held[0], func() {})
	if err != nil {
		t.Fatal(err)
	}
	w := waitFor(t, exec.CommandContext(t.Context(), program, i.publishArgs(out)...))
	if !strings.Contains(w.said, "waiting for another publish to the same destination") {
		t.Errorf("a publish that has to wait says %q", w.said)
	}
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code, said := w.end(t); code != exitWrong || !strings.Contains(said, "run it again to continue") {
		t.Errorf("the interrupted publish ended with %d and said %q", code, said)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}
