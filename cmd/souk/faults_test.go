//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// Servers that share a ledger promise that no server shows a removed seller in answer to a
// read that begins after the removal's 200, whatever is killed, stopped or cut off.

// manyRemovals, if set, is the number of removals to make during faults. There are six
// faults for every 16 removals.
const manyRemovals = "SOUK_TEST_REMOVALS"

// history records all requests and answers about all sellers.
type history struct {
	began time.Time
	mu    sync.Mutex
	all   []porcupine.Operation
	// These count reads: shown found the seller, gone found it removed, and refused were
	// sent to a server without a lease.
	shown, refused, gone int
}

// asked is an operation on a seller: a read, or one half of a removal.
type asked struct {
	seller int
	kind   string
	// at is the address that was read, for debugging.
	at string
}

const (
	aRead     = "read"
	aLeaving  = "leaving"
	aLeft     = "left"
	mostChars = 300
)

func (h *history) now() int64 { return time.Since(h.began).Nanoseconds() }

func (h *history) add(client int, what asked, call int64, shown bool, back int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, porcupine.Operation{ClientId: client, Input: what, Call: call, Output: shown, Return: back})
}

// The states of a seller. While it leaves, some servers show it and others do not.
const (
	present = iota
	leaves
	left3
)

// departure models the servers' promise: once a removal is answered, no server shows the
// seller. A removal takes effect in two steps, because servers hide the seller one after
// the other.
var departure = porcupine.Model{
	Init: func() any { return present },
	Partition: func(all []porcupine.Operation) (parts [][]porcupine.Operation) {
		bySeller := map[int][]porcupine.Operation{}
		for _, o := range all {
			seller := o.Input.(asked).seller
			bySeller[seller] = append(bySeller[seller], o)
		}
		for _, part := range bySeller {
			parts = append(parts, part)
		}
		return parts
	},
	Step: func(state, input, output any) (bool, any) {
		switch shown := output.(bool); input.(asked).kind {
		case aLeaving:
			return state == present, leaves
		case aLeft:
			return state == leaves, left3
		default:
			return shown && state != left3 || !shown && state != present, state
		}
	},
}

// read sends one server a request whose answer may show a seller.
func (h *history) read(ctx context.Context, client *http.Client, id, seller int, m *member, random *rand.Rand) {
	slug, name := vendor(seller), fmt.Sprintf("Vendor%04dx", seller)
	base := m.server().base
	site := strings.TrimSuffix(base, "/api/v1/marketplace")
	addresses := []string{
		base + "/companies/" + slug, base + "/companies/" + slug + "/products/arm", site + "/companies/" + slug,
		base + "/listings/search?seller=" + slug, base + "/listings/search?q=" + name, base + "/search/suggestions?q=" + name, site + "/search?q=" + name,
		base + "/companies", base + "/categories/product/robots", base + "/marketplace",
	}
	at := addresses[random.IntN(len(addresses))]
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return
	}
	call := h.now()
	response, err := client.Do(r)
	if err != nil {
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	back := h.now()
	shown := bytes.Contains(body, []byte("companies/"+slug+`"`)) || bytes.Contains(body, []byte("companies/"+slug+"/"))
	own := strings.Contains(at, slug) || strings.Contains(at, name)
	h.mu.Lock()
	switch {
	case shown:
		h.shown++
	case response.StatusCode == http.StatusServiceUnavailable:
		h.refused++
	case response.StatusCode == http.StatusGone:
		h.gone++
	}
	h.mu.Unlock()
	// A long list only shows its first sellers, so a missing seller means nothing.
	if err == nil && (shown && response.StatusCode == http.StatusOK || own && (response.StatusCode == http.StatusOK || response.StatusCode == http.StatusGone)) {
		h.add(id, asked{seller, aRead, at}, call, shown, back)
	}
}

// removals removes one seller after the other, through any server, until all are removed.
type removals struct {
	*fleet
	*history
	proofs [][2]string
	// next is the next seller to remove. Readers read the ones before it.
	next     atomic.Int64
	answered atomic.Int64
	took     []time.Duration
}

func (r *removals) run(client *http.Client, id int, pace time.Duration) {
	for {
		seller := int(r.next.Add(1)) - 1
		if seller >= len(r.proofs) {
			return
		}
		call, back := r.now(), int64(math.MaxInt64)
		// A refused client retries at another server until the link has been used.
		for try := range 40 {
			status := r.verify(client, seller, r.members[(seller+try)%len(r.members)].server())
			if status == http.StatusOK {
				back = r.now()
				r.answered.Add(1)
			}
			if status == http.StatusOK || status == http.StatusConflict {
				break
			}
			time.Sleep(max(pace/3, 100*time.Millisecond))
		}
		// An unanswered removal may be recorded and take effect at any time.
		r.add(id, asked{seller, aLeaving, ""}, call, false, back)
		r.add(id, asked{seller, aLeft, ""}, call, false, back)
		r.mu.Lock()
		if back != math.MaxInt64 {
			r.took = append(r.took, time.Duration(back-call))
		}
		r.mu.Unlock()
		time.Sleep(pace)
	}
}

// verify verifies a removal at one server, and returns the status, or 0 without an answer.
func (r *removals) verify(client *http.Client, seller int, s *server) int {
	body := strings.NewReader(`{"token":"` + r.proofs[seller][1] + `"}`)
	response, err := client.Post(s.base+"/company-removal-requests/"+r.proofs[seller][0]+"/verify", "application/json", body)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return 0
	}
	return response.StatusCode
}

// fault disturbs a member or the database, and then repairs it.
func (r *removals) fault(random *rand.Rand, kind int) string {
	m := r.members[random.IntN(len(r.members))]
	pause := time.Duration(200+random.IntN(1500)) * time.Millisecond
	signal := func(s syscall.Signal) { _ = m.server().cmd.Process.Signal(s) } // it may have exited
	switch kind {
	case 0:
		m.server().kill()
		time.Sleep(pause / 4)
		m.start(r.T)
		return "killed"
	case 1, 5:
		signal(syscall.SIGSTOP)
		time.Sleep(pause)
		signal(syscall.SIGCONT)
		return "stopped"
	case 2:
		m.wire.cut()
		time.Sleep(pause)
		m.wire.heal()
		return "cut off"
	case 3:
		m.wire.reset()
		return "its connections reset"
	default:
		r.postgres.Crash()
		time.Sleep(pause / 8)
		if err := r.postgres.Start(); err != nil {
			r.Fatal(err)
		}
		return "the database killed"
	}
}

func removeAmongFaults(t *testing.T, store bool) {
	count := 20
	if many, err := strconv.Atoi(os.Getenv(manyRemovals)); err == nil {
		count = many
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	f := newFleet(t, count+5, 3, store)
	r := &removals{fleet: f, history: &history{began: time.Now()}, proofs: f.begin(count)}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var readers, removers sync.WaitGroup
	for i, m := range f.members {
		for j := range 2 {
			client := &http.Client{Timeout: 4 * time.Second, Transport: &http.Transport{}}
			draw := rand.New(rand.NewPCG(seed, uint64(1+2*i+j)))
			readers.Go(func() {
				for ctx.Err() == nil {
					// Read sellers that are being removed or were removed recently.
					seller := int(r.next.Load()) - 1 - draw.IntN(5)
					if seller >= 0 && seller < count {
						r.read(ctx, client, 2*i+j, seller, m, draw)
					}
					time.Sleep(time.Duration(draw.IntN(8)) * time.Millisecond)
				}
				client.CloseIdleConnections()
			})
		}
	}
	for i := range 3 {
		client := &http.Client{Timeout: 40 * time.Second, Transport: &http.Transport{}}
		removers.Go(func() { r.run(client, 100+i, 300*time.Millisecond) })
	}
	faults := map[string]int{}
	for range max(1, count/16) {
		for _, kind := range random.Perm(6) {
			faults[r.fault(random, kind)]++
			time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
		}
	}
	// The random faults may not have cut off any server until its lease expired.
	cut := f.members[random.IntN(len(f.members))]
	cut.wire.cut()
	until(t, "a server whose lease ran out refuses reads", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.refused > 0
	})
	cut.wire.heal()
	removers.Wait()
	// Recorded removals take effect everywhere in the end, even if they were not answered.
	for i, m := range f.members {
		until(t, fmt.Sprintf("member %d is well", i), func() bool {
			status, checks := m.server().health()
			return status == http.StatusOK && checks["lease"] == "ok"
		})
	}
	stop()
	readers.Wait()
	r.judge(count, faults)
}

// judge checks the history.
func (r *removals) judge(count int, faults map[string]int) {
	t := r.T
	r.history.mu.Lock()
	defer r.history.mu.Unlock()
	t.Logf("%d of %d removals were answered; of the reads %d showed a seller, %d were gone, %d refused; faults: %v",
		r.answered.Load(), count, r.shown, r.gone, r.refused, faults)
	answered := map[int]int64{}
	for _, o := range r.all {
		if what := o.Input.(asked); what.kind == aLeft && o.Return != math.MaxInt64 {
			answered[what.seller] = o.Return
		}
	}
	for _, o := range r.all {
		what := o.Input.(asked)
		if back, gone := answered[what.seller]; gone && what.kind == aRead && o.Output.(bool) && o.Call > back {
			t.Errorf("%s shows the seller %s after the 200", what.at, time.Duration(o.Call-back))
		}
	}
	if got := porcupine.CheckOperationsTimeout(departure, r.all, 2*time.Minute); got != porcupine.Ok {
		t.Errorf("the history of %d operations is judged %s", len(r.all), got)
	}
	if int(r.answered.Load()) < count/3 || r.gone == 0 || r.shown == 0 {
		t.Error("the test looked at too little")
	}
	for _, m := range r.members {
		if t.Failed() {
			said := m.server().said.String()
			t.Logf("%s said:\n%s", m.server().base, said[max(0, len(said)-20*mostChars):])
		}
	}
}

func TestRemovalsAreFinalDespiteFaults(t *testing.T) {
	removeAmongFaults(t, false)
}

func TestRemovalsAreFinalDespiteFaultsWithAnObjectStore(t *testing.T) {
	removeAmongFaults(t, true)
}
