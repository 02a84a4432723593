package publish

import (
	"context"
	"errors"
	"os"
	"testing"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/release/stub"
)

// variants returns releases in which each of two companies exists, has a stub, or does not
// exist.
func variants(t *testing.T, pair []string) (releases [3][3]*shelf) {
	t.Helper()
	for acme := range 3 {
		for globex := range 3 {
			s := newShelf(t, t.TempDir())
			for i, is := range []int{acme, globex} {
				switch is {
				case 1:
					s.remove(t, pair[i])
				case 2:
					s.without(pair[i])
				}
			}
			s.build(t)
			releases[acme][globex] = s
		}
	}
	return releases
}

// No sequence of releases, records and lost states may show a company with a recorded
// removal, or replace a stub by a document without a reason.
func TestNoSequenceOfPublishesRestoresARemovedSeller(t *testing.T) {
	pair := []string{"acme", "globex"}
	releases, states := variants(t, pair), t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		a := arrange(t, Options{Requests: Requests{Parallel: 2}, State: states, Gzip: rapid.Bool().Draw(r, "gzip")})
		fresh := func() {
			var err error
			if a.options.State, err = os.MkdirTemp(states, ""); err != nil {
				r.Fatal(err)
			}
		}
		fresh()
		gone := map[string]bool{}
		for range rapid.IntRange(2, 8).Draw(r, "publishes") {
			s := releases[rapid.IntRange(0, 2).Draw(r, "acme")][rapid.IntRange(0, 2).Draw(r, "globex")]
			if rapid.IntRange(0, 2).Draw(r, "state") == 0 {
				fresh()
			}
			var list []catalog.Removal
			for _, company := range pair {
				if rapid.Bool().Draw(r, company+" is on record") {
					list = append(list, catalog.Removal{ID: company, Slug: company})
				}
			}
			record := catalog.NewRemovals(list)
			_, err := a.publisher(r).Publish(context.Background(), s.tree, record)
			if err != nil && !errors.As(err, new(*stub.UnexplainedError)) && !errors.As(err, new(*stub.WithdrawnError)) {
				r.Fatal(err)
			}
			for _, company := range pair {
				profile, itsStub := a.memory.has(companies+company+".json"), a.memory.has(companies+company+".gone.json")
				if gone[company] && !itsStub {
					r.Fatalf("the stub of %s went without a reason", company)
				}
				if itsStub && profile {
					r.Fatalf("%s is there beside its stub", company)
				}
				if _, held := record.Holds(stub.Unknown(company)); held && err == nil && profile {
					r.Fatalf("%s is there, and removed on record", company)
				}
				gone[company] = gone[company] || itsStub
			}
		}
	})
}
