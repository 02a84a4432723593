//go:build unix

package main

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"souk/build/release"
)

// Tests of removals while another process builds into the same folder.

func TestRemovalFinishesAKilledBuild(t *testing.T) {
	program, content := built(t), t.TempDir()
	before, after := market(false), market(true)
	const slug = "seller-03"
	// Both versions have the same seller, so that a fresh build knows everything it ever
	// had.
	own := func(name, _ string) bool { return strings.HasPrefix(name, "sellers/"+slug+"/") }
	maps.DeleteFunc(after, own)
	for name, text := range before {
		if own(name, text) {
			after[name] = strings.Replace(text, "categories: [arms]", "categories: [robots]", 1)
		}
	}
	gone := addresses(fresh(t, program, before), slug)
	want := without(t, program, after, slug)
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	rounds := 5
	if testing.Short() {
		rounds = 3
	}
	midway := 0
	for range rounds {
		dir := t.TempDir()
		i := installation{program, content, filepath.Join(dir, "public"), filepath.Join(dir, "state")}
		i.fill(t, before)
		s := i.serve(t)
		id, token := s.begin(slug)
		i.fill(t, after)

		build := exec.Command(program, i.args()...)
		if err := build.Start(); err != nil {
			t.Fatal(err)
		}
		untilStaged(t, i, random.IntN(400))
		// The build is suspended halfway until the server waits for it.
		if err := build.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		if staged(i) > 0 {
			midway++
		}
		proof := make(chan answer, 1)
		go func() { proof <- s.verify(id, token) }()
		until(t, "the removal is on record", func() bool { return s.get(gone[0]).status == http.StatusGone })
		if err := build.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = build.Wait() // it was killed or had already ended
		if a := <-proof; a.status != http.StatusOK {
			t.Fatalf("%s\n%s", a, s.said)
		}
		s.wantGone(slug, gone)
		s.stop()
		leftNothing(t, i.public)
		i.build(t)
		sameBytes(t, i.read(t), want)
	}
	t.Logf("%d of %d builds were killed while they had something staged", midway, rounds)
}

// untilStaged waits until a build has staged n files, or has moved them into place.
func untilStaged(t *testing.T, i installation, files int) {
	t.Helper()
	until(t, "the build writes", func() bool {
		_, applied := os.Stat(filepath.Join(i.public, "api/v1/marketplace/companies/seller-01/products/arm-5.json"))
		return staged(i) > files || applied == nil
	})
}

// staged counts the files that a build has staged but not moved into place.
func staged(i installation) (files int) {
	stages, _ := filepath.Glob(filepath.Join(release.Folder(i.public), "stage-*"))
	for _, stage := range stages {
		_ = filepath.WalkDir(stage, func(_ string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				files++
			}
			return nil // it may just have been renamed
		})
	}
	return files
}

func TestRemovedSellerIsHiddenWhileItsRemovalWaitsForABuild(t *testing.T) {
	i := house(t, built(t), dozens())
	s := i.serve(t)
	id, token := s.begin("seller-03")
	gone := addresses(s.read(t), "seller-03")
	// The test acts as the other build.
	held, err := os.Open(i.public)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	// The verification waits for some time, then answers 503.
	proof := make(chan answer, 1)
	go func() { proof <- s.verify(id, token) }()
	until(t, "the removal is on record", func() bool { return s.get(gone[0]).status == http.StatusGone })
	s.wantGone("seller-03", gone)
	if a := <-proof; a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		t.Errorf("a removal that cannot be rendered answers %s", a)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	until(t, "the removal is rendered", func() bool { return staysGone(i, gone) })
	s.stop()
}

// staysGone reports whether the addresses are stubs on disk.
func staysGone(i installation, addresses []string) bool {
	for _, address := range addresses {
		page := filepath.Join(i.public, "api/v1/marketplace", address)
		_, stands := os.Stat(page + ".json")
		_, stub := os.Stat(page + ".gone.json")
		if !os.IsNotExist(stands) || stub != nil {
			return false
		}
	}
	return true
}
