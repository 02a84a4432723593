package publish

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"souk/build/catalog"
	"souk/build/document"
	"souk/build/release"
	"souk/build/release/stub"
)

// acmeRemoved and acmeRestored return the record after the removal of acme and after its
// restore.
func acmeRemoved() *catalog.Removals {
	return catalog.NewRemovals([]catalog.Removal{{ID: "acme", Domain: "acme.example", Slug: "acme"}})
}

func acmeRestored() *catalog.Removals { return acmeRestoredAt(time.Now().Add(time.Hour)) }

func acmeRestoredAt(at time.Time) *catalog.Removals {
	return catalog.NewRemovals([]catalog.Removal{{ID: "acme", Domain: "acme.example", Slug: "acme", Undone: at}})
}

// destinations are a folder and a bucket of a real server.
var destinations = map[string]func(*testing.T) *arrangement{
	"a folder": func(t *testing.T) *arrangement {
		a := arrange(t, Options{})
		a.memory, a.destination = nil, filepath.Join(t.TempDir(), "out")
		return a
	},
	"a bucket": func(t *testing.T) *arrangement { return arrangeS3(t, Options{}).arrangement },
}

// stands returns the keys at a destination with the digests of their bytes.
func (a *arrangement) stands(t *testing.T) map[string]release.Digest {
	t.Helper()
	p := a.publisher(t)
	all := map[string]release.Digest{}
	err := p.store.list(t.Context(), func(key string) error {
		is, err := p.store.read(t.Context(), key)
		all[key] = release.DigestOf(is.data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAFreshMachineReplacesNoUnexplainedStubAtTheDestination(t *testing.T) {
	addresses := []string{"/marketplace/companies/acme", "/marketplace/companies/acme/products/arm"}
	for name, arranged := range destinations {
		for _, test := range []struct {
			name string
			// leave changes the content of the new machine.
			leave    func(*shelf)
			removals *catalog.Removals
			forget   []string
			// unexplained means that the publish fails; otherwise kept is the number of
			// stubs that stay.
			unexplained []string
			kept        int
		}{
			{"no record of removals", nil, nil, nil, addresses, 0},
			{"a record of others", nil, catalog.NewRemovals([]catalog.Removal{{ID: "globex-2", Slug: "globex-2"}}), nil, addresses, 0},
			{"an empty record", nil, catalog.NewRemovals(nil), nil, addresses, 0},
			{"the content has the company no more", (*shelf).lose, nil, nil, addresses, 0},
			{"one of two addresses is forgotten", nil, nil, addresses[:1], addresses[1:], 0},
			{"forgotten", nil, nil, []string{"acme"}, nil, 0},
			{"forgotten, and not in the content", (*shelf).lose, nil, []string{"acme"}, nil, 0},
			{"restored on record", nil, acmeRestored(), nil, nil, 0},
			{"restored before the release that stands there", nil, acmeRestoredAt(time.Unix(1, 0)), nil, addresses, 0},
			{"restored before it, and forgotten", nil, acmeRestoredAt(time.Unix(1, 0)), []string{"acme"}, nil, 0},
			{"restored, and not in the content", (*shelf).lose, acmeRestored(), nil, nil, 0},
			{"replaced", (*shelf).replace, nil, nil, nil, 0},
			{"replaced by who has another offer", (*shelf).replaceElsewhere, nil, nil, nil, 1},
			{"removed on record, and lost by the release", (*shelf).lose, acmeRemoved(), nil, nil, 8},
		} {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				a := arranged(t)
				before := a.withoutAcme(t)
				fresh := newShelf(t, t.TempDir())
				if test.leave != nil {
					test.leave(fresh)
					fresh.build(t)
				}
				a.options.State, a.options.Forget = t.TempDir(), test.forget
				_, err := a.publisher(t).Publish(t.Context(), fresh.tree, test.removals)
				after := a.stands(t)
				if test.unexplained != nil {
					var unexplained *stub.UnexplainedError
					if !errors.As(err, &unexplained) || !slices.Equal(unexplained.Addresses, test.unexplained) {
						t.Fatalf("it ends with %v", err)
					}
					if !maps.Equal(before, after) {
						t.Error("and it changed something")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if n := stubsOf(after); n != test.kept {
					t.Errorf("%d stubs are there, not %d", n, test.kept)
				}
				a.staysAsItIs(t, fresh, test.removals)
			})
		}
	}
}

// withoutAcme publishes a release in which acme is removed and returns the keys and digests at
// the destination.
func (a *arrangement) withoutAcme(t *testing.T) map[string]release.Digest {
	t.Helper()
	s := newShelf(t, t.TempDir())
	s.remove(t, "acme")
	a.publish(t, s)
	return a.stands(t)
}

// staysAsItIs fails if another publish changes the destination, whose stubs the record now
// contains.
func (a *arrangement) staysAsItIs(t *testing.T, s *shelf, removals *catalog.Removals) {
	t.Helper()
	before := a.stands(t)
	if again, err := a.publisher(t).Publish(t.Context(), s.tree, removals); err != nil || again.Uploaded+again.Deleted > 0 {
		t.Errorf("a second publish uploads %d and deletes %d: %v", again.Uploaded, again.Deleted, err)
	}
	if !maps.Equal(before, a.stands(t)) {
		t.Error("a second publish changes something")
	}
}

// stubsOf counts the stubs of a destination.
func stubsOf(stands map[string]release.Digest) (n int) {
	for key := range stands {
		if isGone(key) {
			n++
		}
	}
	return n
}

// lose deletes a company from the content, as if it had never existed.
func (s *shelf) lose() { s.without("acme") }

func (s *shelf) without(company string) {
	maps.DeleteFunc(s.docs, func(file, _ string) bool { return document.CompanyOf(file) == company })
	delete(s.docs, picture(company))
}

// replace puts another company at the slug, which says that it replaces the removed one.
func (s *shelf) replace() {
	s.owners["acme"] = release.Owner{ID: "other", Domains: []string{"other.example"}, Replaces: true}
}

func (s *shelf) replaceElsewhere() {
	s.replace()
	delete(s.docs, companies+"acme/products/arm.json")
	s.docs[companies+"acme/products/leg.json"] = "a leg"
}

func TestStubsInTheRecordAreCheckedToo(t *testing.T) {
	for name, arranged := range destinations {
		t.Run(name, func(t *testing.T) {
			a := arranged(t)
			s := newShelf(t, t.TempDir())
			s.remove(t, "acme")
			a.publish(t, s)
			before := a.stands(t)
			s.gone = map[string]bool{}
			s.build(t)
			for _, removals := range []*catalog.Removals{nil, catalog.NewRemovals(nil)} {
				report, err := a.publisher(t).Publish(t.Context(), s.tree, removals)
				if !errors.As(err, new(*stub.UnexplainedError)) || report.Uploaded+report.Deleted > 0 {
					t.Fatalf("it uploads %d and deletes %d: %v", report.Uploaded, report.Deleted, err)
				}
			}
			if !maps.Equal(before, a.stands(t)) {
				t.Error("it changed something")
			}
			if _, err := a.publisher(t).Publish(t.Context(), s.tree, acmeRestored()); err != nil {
				t.Fatal(err)
			}
			if _, there := a.stands(t)[companies+"acme.json"]; !there {
				t.Error("who was restored is not back")
			}
		})
	}
}

func TestAReleaseThatShowsARemovedSellerIsNotPublished(t *testing.T) {
	for name, arranged := range destinations {
		t.Run(name, func(t *testing.T) {
			a := arranged(t)
			s := newShelf(t, t.TempDir())
			p := a.publisher(t)
			report, err := p.Publish(t.Context(), s.tree, acmeRemoved())
			var withdrawn *stub.WithdrawnError
			if !errors.As(err, &withdrawn) || !slices.Equal(withdrawn.Sellers, []string{"acme (by its id)"}) {
				t.Fatalf("it ends with %v", err)
			}
			if report.Requests != 0 || len(a.stands(t)) != 0 {
				t.Errorf("it made %d requests", report.Requests)
			}
			if _, err := p.Plan(t.Context(), s.tree, acmeRemoved()); !errors.As(err, new(*stub.WithdrawnError)) {
				t.Errorf("a dry run ends with %v", err)
			}
		})
	}
}

func TestADryRunReportsUnexplainedStubsInTheRecord(t *testing.T) {
	a := arrange(t, Options{})
	s := newShelf(t, t.TempDir())
	s.remove(t, "acme")
	a.publish(t, s)
	s.gone = map[string]bool{}
	s.build(t)
	p := a.publisher(t)
	before := p.requests()
	if _, err := p.Plan(t.Context(), s.tree, nil); !errors.As(err, new(*stub.UnexplainedError)) {
		t.Errorf("it ends with %v", err)
	}
	plan, err := p.Plan(t.Context(), s.tree, acmeRestored())
	if n := p.requests() - before; err != nil || n != 0 {
		t.Fatalf("after %d requests: %v", n, err)
	}
	stubs := 0
	for _, step := range plan.Steps {
		if step.Action == ActionDelete && isGone(step.Key) {
			stubs++
		}
	}
	if stubs != 8 {
		t.Errorf("the plan deletes %d stubs", stubs)
	}
	s.lose()
	s.build(t)
	if plan, err := p.Plan(t.Context(), s.tree, acmeRemoved()); err != nil || slices.ContainsFunc(plan.Steps, func(step Step) bool { return isGone(step.Key) }) {
		t.Errorf("the plan deletes stubs that are to stay: %v %v", plan.Steps, err)
	}
}

// Two machines publish to one destination, each with its own record.
func TestStubsOfAnotherMachineAreFound(t *testing.T) {
	for _, ended := range []string{"published whole", "killed in the middle"} {
		t.Run(ended, func(t *testing.T) {
			a := arrange(t, Options{Requests: Requests{Parallel: 1}})
			one, other := newShelf(t, t.TempDir()), newShelf(t, t.TempDir())
			a.publish(t, one)
			if ended == "killed in the middle" {
				one.docs[companies+"globex.json"] = "changed"
				one.build(t)
				ctx, cancel := context.WithCancel(t.Context())
				p := a.publisher(t)
				p.fault = killer(2, cancel)
				if _, err := p.Publish(ctx, one.tree, nil); err == nil {
					t.Fatal("it was not killed")
				}
			}
			mine := a.options.State
			a.options.State = t.TempDir()
			other.remove(t, "acme")
			a.publish(t, other)

			a.options.State = mine
			if _, err := a.publisher(t).Publish(t.Context(), one.tree, nil); !errors.As(err, new(*stub.UnexplainedError)) {
				t.Errorf("it ends with %v", err)
			}
			if a.memory.has(companies + "acme.json") {
				t.Error("the removed company is back")
			}
		})
	}
}

// A forbidden store cannot be listed.
type forbidden struct{ store }

var errForbidden = &storeError{minio.ErrorResponse{StatusCode: http.StatusForbidden}, "it answers 403"}

func (forbidden) list(context.Context, func(string) error) error { return errForbidden }
func (forbidden) permanent(err error) bool                       { return errors.Is(err, errForbidden) }

func TestADestinationThatCannotBeListedNeedsARecord(t *testing.T) {
	a := arrange(t, Options{Requests: Requests{Parallel: 1}})
	s := newShelf(t, t.TempDir())
	open := func() *Publisher {
		p := a.publisher(t)
		p.store = forbidden{p.store}
		return p
	}
	_, err := open().Publish(t.Context(), s.tree, nil)
	if err == nil || !strings.Contains(err.Error(), "--record") || len(a.memory.things) != 0 {
		t.Fatalf("without a record it uploads %d: %v", len(a.memory.things), err)
	}
	a.publish(t, s)
	s.docs[companies+"globex.json"] = "changed"
	s.build(t)
	p := open()
	ctx, cancel := context.WithCancel(t.Context())
	p.fault = killer(2, cancel)
	if _, err := p.Publish(ctx, s.tree, nil); err == nil {
		t.Fatal("it was not killed")
	}
	var told []string
	a.options.Notice = func(text string) { told = append(told, text) }
	if _, err := open().Publish(t.Context(), s.tree, nil); err != nil || len(told) != 1 || !strings.Contains(told[0], "cannot be listed") {
		t.Errorf("it tells %q: %v", told, err)
	}
	a.holds(t, s)
}

// A release that has lost a removed company completely leaves nothing of it at an
// unrecorded destination.
func TestDocumentsOfARemovedCompanyAreDeletedEvenWithoutStubs(t *testing.T) {
	for name, arranged := range destinations {
		t.Run(name, func(t *testing.T) {
			a := arranged(t)
			s := newShelf(t, t.TempDir())
			a.publish(t, s)
			s.lose()
			s.build(t)
			a.options.State = t.TempDir()
			if _, err := a.publisher(t).Publish(t.Context(), s.tree, acmeRemoved()); err != nil {
				t.Fatal(err)
			}
			for key := range a.stands(t) {
				if document.CompanyOf(key) == "acme" {
					t.Errorf("%s is there", key)
				}
			}
		})
	}
}
