//go:build unix

package main

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Tests of removals in killed processes: everything acknowledged is recorded, and
// everything recorded is complete.

// records queries the ledger while no server uses it. It opens the file without Souk's
// code, which is under test.
func records(t *testing.T, state, query string, args ...any) (count int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(state, "ledger.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&count); err != nil {
		t.Fatal(err)
	}
	return count
}

// without returns the files of a fresh build without one seller.
func without(t *testing.T, program string, files map[string]string, slug string) tree {
	t.Helper()
	i := house(t, program, files)
	list := filepath.Join(t.TempDir(), "removals.json")
	if err := os.WriteFile(list, fmt.Appendf(nil, `[{"id":%q,"officialDomain":"%s.example"}]`, slug, slug), 0o600); err != nil {
		t.Fatal(err)
	}
	i.buildWith(t, "--removals", list)
	return i.read(t)
}

// killing tests one removal whose process is killed.
type killing struct {
	*testing.T
	program       string
	files         map[string]string
	before, after tree
	slug          string
	content       string
	// dir contains the installations.
	dir          string
	count        int
	start, proof time.Duration
	// Counts of the states in which processes were killed.
	unstarted, untaken, unproven, midway, unheard, acknowledged int
}

func newKilling(t *testing.T) *killing {
	k := &killing{T: t, program: built(t), files: dozens(), slug: "seller-03"}
	k.content = house(t, k.program, k.files).content
	// Only the process is killed, not the machine, so writes survive without syncing, which
	// would take most of the time.
	if k.dir, _ = otherFileSystem(t); k.dir == "" {
		k.dir = t.TempDir()
	}
	k.before, k.after = fresh(t, k.program, k.files), without(t, k.program, k.files, k.slug)
	return k
}

// serve starts a server in a new installation.
func (k *killing) serve() *server {
	k.Helper()
	k.count++
	dir := filepath.Join(k.dir, strconv.Itoa(k.count))
	return installation{k.program, k.content, filepath.Join(dir, "public"), filepath.Join(dir, "state")}.serve(k.T)
}

// dozens returns the files of a marketplace that builds quickly.
func dozens() map[string]string {
	files := market(false)
	maps.DeleteFunc(files, func(name, _ string) bool { return name >= "sellers/seller-06" })
	return files
}

// calibrate measures a removal without a kill. It runs twice because the first run is
// slower.
func (k *killing) calibrate() {
	k.Helper()
	k.once()
	k.once()
	k.Logf("a start and its mail took %s, a proof %s", k.start, k.proof)
}

func (k *killing) once() {
	k.Helper()
	s := k.serve()
	began := time.Now()
	id, token := s.begin(k.slug)
	k.start = time.Since(began)
	began = time.Now()
	if a := s.verify(id, token); a.status != http.StatusOK {
		k.Fatalf("%s\n%s", a, s.said)
	}
	k.proof = time.Since(began)
	s.wantGone(k.slug, addresses(k.before, k.slug))
	s.stop()
	sameBytes(k.T, s.read(k.T), k.after)
}

// killAfter kills a server some time after a request was sent, and returns the answer, if
// any.
func killAfter(s *server, delay time.Duration, request func() answer) answer {
	heard := make(chan answer, 1)
	go func() { heard <- request() }()
	<-time.After(delay)
	s.kill()
	return <-heard
}

// killStart kills a server while it handles a request.
func (k *killing) killStart(random *rand.Rand) {
	k.Helper()
	s := k.serve()
	a := killAfter(s, time.Duration(random.Int64N(int64(k.start))), func() answer { return s.start("removal-requests", k.slug) })
	requests := records(k.T, s.state, "SELECT COUNT(*) FROM removal_requests")
	mails := records(k.T, s.state, "SELECT COUNT(*) FROM messages WHERE kind = 'removal'")
	if requests != mails {
		k.Fatalf("%d requests and %d mails are on record", requests, mails)
	}
	switch a.status {
	case 0:
		k.untaken += requests
		k.unstarted += 1 - requests
	case http.StatusAccepted:
		id := a.field(k.T, "requestId")
		if records(k.T, s.state, "SELECT COUNT(*) FROM removal_requests WHERE id = ? AND state = 'pending'", id) != 1 {
			k.Fatalf("%s was taken and is lost", id)
		}
		k.acknowledged++
	default:
		k.Fatalf("%s\n%s", a, s.said)
	}
	// A lost request does not prevent another.
	s = s.installation.serve(k.T)
	if first := s.get("/companies/" + k.slug); first.status != http.StatusOK {
		k.Fatalf("nothing was proven, and the seller answers %s", first)
	}
	id, token := s.begin(k.slug)
	k.finish(s, id, token)
}

// killProof kills a server while it verifies a removal.
func (k *killing) killProof(random *rand.Rand) {
	k.Helper()
	s := k.serve()
	id, token := s.begin(k.slug)
	// The ledger's commit is near the start, the release's in the middle, and work that no
	// one waits for comes after the answer.
	window := [][2]time.Duration{{0, k.start / 2}, {0, k.proof}, {k.proof / 2, k.proof * 3 / 2}}[random.IntN(3)]
	a := killAfter(s, window[0]+time.Duration(random.Int64N(int64(window[1]-window[0]))), func() answer { return s.verify(id, token) })
	removed := records(k.T, s.state, "SELECT COUNT(*) FROM removals WHERE request_id = ?", id) == 1
	used := records(k.T, s.state, "SELECT COUNT(*) FROM removal_requests WHERE id = ? AND state = 'used'", id) == 1
	if removed != used {
		k.Fatalf("half of a removal is on record: removed %t, used %t", removed, used)
	}
	switch got := s.read(k.T); {
	case a.status != 0 && a.status != http.StatusOK:
		k.Fatalf("%s\n%s", a, s.said)
	case a.status == http.StatusOK && !removed:
		k.Fatalf("a removal was confirmed and is lost")
	case a.status == http.StatusOK:
		k.acknowledged++
		sameBytes(k.T, got, k.after)
	case !removed:
		k.unproven++
		sameBytes(k.T, got, k.before)
	case !equal(got, k.before) && !equal(got, k.after):
		k.midway++
	default:
		k.unheard++
	}
	s = s.installation.serve(k.T)
	first := s.get("/companies/" + k.slug)
	if removed {
		if first.status != http.StatusGone {
			k.Fatalf("the removal is on record, and the first answer is %s", first)
		}
		if again := s.verify(id, token); again.status != http.StatusConflict && again.status != http.StatusGone {
			k.Fatalf("the token works twice: %s", again)
		}
		k.whole(s)
		return
	}
	if first.status != http.StatusOK {
		k.Fatalf("nothing is on record, and the first answer is %s", first)
	}
	k.finish(s, id, token)
}

// finish verifies a removal, which must succeed.
func (k *killing) finish(s *server, id, token string) {
	k.Helper()
	if a := s.verify(id, token); a.status != http.StatusOK {
		k.Fatalf("the token of %s does not work any more: %s\n%s", id, a, s.said)
	}
	k.whole(s)
}

// whole fails if any trace of the seller is left.
func (k *killing) whole(s *server) {
	k.Helper()
	s.wantGone(k.slug, addresses(k.before, k.slug))
	s.kill()
	sameBytes(k.T, s.read(k.T), k.after)
	leftNothing(k.T, s.public)
	if err := os.RemoveAll(filepath.Dir(s.state)); err != nil {
		k.Fatal(err)
	}
}

func TestRemovalKilledAtAnyMomentIsAtomic(t *testing.T) {
	k := newKilling(t)
	k.calibrate()
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	count := *removalKills
	if testing.Short() {
		count = min(count, 8)
	}
	for n := range count {
		// A verification has more steps than a start.
		if n%4 == 0 {
			k.killStart(random)
		} else {
			k.killProof(random)
		}
	}
	t.Logf("%d killed: %d before the start's commit, %d after it and not heard, %d before the proof's, %d while the release was put in place, %d otherwise unheard, %d answered",
		count, k.unstarted, k.untaken, k.unproven, k.midway, k.unheard, k.acknowledged)
}

// buildWith runs a build with more flags. The build must succeed.
func (i installation) buildWith(t *testing.T, more ...string) {
	t.Helper()
	code, _, said := souk(slices.Concat(i.args(), more)...)
	if code != exitDone {
		t.Fatalf("the build ended with %d: %s", code, said)
	}
}
