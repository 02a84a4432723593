//go:build unix

package main

import (
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Without faults every removal is answered, and by then has taken effect on all servers.
// The target is a median of half a second with a shared folder, and of two seconds with an
// object store. SOUK_TEST_REMOVALS=100 measures it.
func TestRemovalTakesEffectOnAllThreeServers(t *testing.T) {
	for _, c := range []struct {
		name  string
		store bool
	}{{"shared folder", false}, {"object store", true}} {
		t.Run(c.name, func(t *testing.T) {
			count := 9
			if many, err := strconv.Atoi(os.Getenv(manyRemovals)); err == nil {
				count = many
			}
			f := newFleet(t, count+5, 3, c.store)
			r := &removals{fleet: f, history: &history{began: time.Now()}, proofs: f.begin(count)}
			r.run(&http.Client{Timeout: time.Minute}, 0, 0)
			if len(r.took) != count {
				t.Fatalf("%d of %d were answered\n%s", len(r.took), count, f.members[0].now.said)
			}
			slices.Sort(r.took)
			at := func(percent float64) time.Duration {
				return r.took[int(math.Ceil(float64(count)*percent/100))-1].Round(time.Millisecond)
			}
			t.Logf("of %d removals: median %s, p90 %s, most %s", count, at(50), at(90), at(100))
			for _, m := range f.members {
				for i := range count {
					if a := m.now.get("/companies/" + vendor(i)); a.status != http.StatusGone {
						t.Errorf("%s answers %s", vendor(i), a)
					}
				}
			}
		})
	}
}
