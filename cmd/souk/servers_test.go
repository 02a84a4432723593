//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestServersListsLeasesAndTheBuilder(t *testing.T) {
	f := newFleet(t, 4, 2, false)
	database := f.members[1].flags[slices.Index(f.members[1].flags, "--database")+1]
	list := func() (all serversJSON) {
		t.Helper()
		code, out, said := souk("servers", "--database", database, "--json")
		if code != exitDone || json.Unmarshal([]byte(out), &all) != nil {
			t.Fatalf("it ended with %d: %s%s", code, out, said)
		}
		return all
	}
	all := list()
	if len(all.Servers) != 3 || len(all.Builders) != 1 || all.Revision != 0 || all.Settled != 0 {
		t.Fatalf("listed are %+v", all)
	}
	for _, s := range all.Servers {
		if s.State != stateAnswering || s.Seconds <= 0 || s.Seconds > 1 || s.Release == "" || s.Release != all.Servers[0].Release {
			t.Errorf("listed is %+v", s)
		}
	}
	if b := all.Builders[0]; b.State != stateBuilding || !strings.HasSuffix(b.Target, f.public) || b.Seconds <= 0 || !strings.Contains(b.Name, "process") {
		t.Errorf("who builds is %+v", b)
	}
	proofs := f.begin(1)
	if a := f.members[1].now.verify(proofs[0][0], proofs[0][1]); a.status != http.StatusOK {
		t.Fatalf("%s\n%s", a, f.members[0].now.said)
	}
	if all = list(); all.Revision == 0 || all.Settled != all.Revision || all.Servers[0].Withheld != all.Revision || all.Servers[0].Made != all.Revision {
		t.Errorf("after a removal it is %+v", all)
	}
	// A stopped server leaves the list at once, and a killed one when its lease expires.
	f.members[1].now.stop()
	if all = list(); len(all.Servers) != 2 {
		t.Errorf("after one was stopped it is %+v", all)
	}
	f.members[2].now.kill()
	until(t, "its lease ran out", func() bool {
		states := map[string]int{}
		for _, s := range list().Servers {
			states[s.State]++
		}
		return states[stateGone] == 1 && states[stateAnswering] == 1
	})
	code, out, said := souk("servers", "--database", database)
	if code != exitDone || !strings.Contains(out, fmt.Sprintf("removals on record: revision %d; answered: %d\n", all.Revision, all.Revision)) || !strings.Contains(out, "expired ") || !strings.Contains(out, "BUILDER") {
		t.Errorf("it ended with %d: %s%s", code, out, said)
	}
	for _, wrong := range [][]string{{"servers"}, {"servers", "--database", "ledger.db"}} {
		if code, _, said := souk(wrong...); code != exitUsage || !strings.Contains(said, "--database postgres://…") {
			t.Errorf("%q ended with %d: %s", wrong, code, said)
		}
	}
}
