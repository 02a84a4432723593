package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"souk/build/release"
)

// Tests of servers with a full disk.

// shortage is a server whose disk is full for a while.
type shortage struct {
	*server
	// before and after are the releases with and without the removed seller.
	before, after tree
}

const leaving, staying = "seller-03", "seller-04"

func newShortage(t *testing.T, program, public, state string) *shortage {
	t.Helper()
	i := house(t, program, dozens())
	i.public, i.state = filepath.Join(public, "public"), filepath.Join(state, "state")
	h := &shortage{before: fresh(t, program, dozens()), after: without(t, program, dozens(), leaving)}
	t.Cleanup(func() {
		for _, folder := range []string{i.public, release.Folder(i.public)} {
			if err := os.RemoveAll(folder); err != nil {
				t.Error(err)
			}
		}
		if err := os.RemoveAll(i.state); err != nil {
			t.Error(err)
		}
	})
	h.server = i.serve(t)
	return h
}

// refused fails unless a call is accepted or answered 503 with Retry-After. It reports
// whether it was answered 503.
func (h *shortage) refused(call string, a answer, taken int) bool {
	h.Helper()
	if a.status == taken {
		return false
	}
	if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		h.Fatalf("%s answers %s with Retry-After %q\n%s", call, a, a.header.Get("Retry-After"), h.said)
	}
	return true
}

// reads fails unless requests that need no disk space are answered.
func (h *shortage) reads() {
	h.Helper()
	for _, address := range []string{"/companies/" + staying, "/listings/search?q=arm", "/search/suggestions?q=arm", "/category-roots/product"} {
		if a := h.get(address); a.status != http.StatusOK {
			h.Fatalf("%s answers %s\n%s", address, a, h.said)
		}
	}
}

// suffer makes a removal while nothing can be written, and completes it once writing works
// again.
func (h *shortage) suffer(short, over func()) {
	h.Helper()
	gone := addresses(h.before, leaving)
	id, token := h.begin(leaving)
	short()
	var taken []string
	for range 3 {
		if a := h.start("removal-requests", staying); !h.refused("a start", a, http.StatusAccepted) {
			taken = append(taken, a.field(h.T, "requestId"))
		}
	}
	proof := h.verify(id, token)
	if !h.refused("a proof", proof, http.StatusOK) {
		// It was completed before the disk was full.
		sameBytes(h.T, h.read(h.T), h.after)
	}
	removed := records(h.T, h.state, "SELECT COUNT(*) FROM removals WHERE request_id = ?", id) == 1
	h.Logf("%d of 3 starts were taken; the removal is on record: %t", len(taken), removed)
	h.reads()
	if removed {
		h.wantGone(leaving, gone)
		if _, checks := h.health(); proof.status != http.StatusOK && checks["content"] == "ok" {
			h.Error("health says nothing of a release that cannot be written")
		}
	} else if a := h.get(gone[0]); a.status != http.StatusOK {
		h.Errorf("no removal is on record, and %s answers %s", gone[0], a)
	}

	over()
	if !removed {
		// The client retries after the 503.
		if a := h.verify(id, token); a.status != http.StatusOK {
			h.Fatalf("with room again: %s\n%s", a, h.said)
		}
	}
	until(h.T, "the removal is done", func() bool {
		got, err := treeOf(h.public)
		return err == nil && equal(got, h.after)
	})
	h.wantGone(leaving, gone)
	defer func() {
		if h.Failed() {
			status, checks := h.health()
			h.Logf("%d %v\n%s", status, checks, h.said)
		}
	}()
	until(h.T, "health is well", func() bool {
		status, checks := h.health()
		for _, check := range checks {
			if check != "ok" {
				return false
			}
		}
		return status == http.StatusOK
	})
	for _, one := range taken {
		// A mail whose failure could not be recorded waits until its lease expires, which
		// takes minutes.
		requests := records(h.T, h.state, "SELECT COUNT(*) FROM removal_requests WHERE id = ? AND state = 'pending'", one)
		mails := records(h.T, h.state, "SELECT COUNT(*) FROM messages WHERE request_id = ? AND state <> 'dropped'", one)
		if requests != 1 || mails != 1 {
			h.Errorf("%s was taken, and %d of it and %d of its mails are on record", one, requests, mails)
		}
	}
	h.stop()
	leftNothing(h.T, h.public)
}

func TestFullDiskLosesNoRemoval(t *testing.T) {
	program, disk := built(t), smallDisk(t)
	for _, c := range []struct {
		name          string
		public, state bool
		left          int64
	}{
		{"the output", true, false, 0}, {"the state", false, true, 0}, {"both", true, true, 0},
		{"the state, soon", false, true, 48 << 10}, {"both, soon", true, true, 80 << 10}, {"both, later", true, true, 160 << 10},
		{"both, last", true, true, 224 << 10}, {"the state, last", false, true, 224 << 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			public, state := t.TempDir(), t.TempDir()
			if c.public {
				public = disk
			}
			if c.state {
				state = disk
			}
			h := newShortage(t, program, public, state)
			var ballast string
			h.suffer(func() { ballast = fillDisk(t, disk, c.left) }, func() {
				if err := os.Remove(ballast); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func TestUnwritableOutputLosesNoRemoval(t *testing.T) {
	program, disk := built(t), smallDisk(t)
	h := newShortage(t, program, disk, t.TempDir())
	remount := func(flags uintptr) func() {
		return func() {
			t.Helper()
			if err := unix.Mount("", disk, "", unix.MS_REMOUNT|flags, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Cleanup(remount(0))
	h.suffer(remount(unix.MS_RDONLY), remount(0))
}
