package publish

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"souk/build/catalog"
	"souk/build/release/stub"
)

// another returns the same destination for another machine with its own record.
func (a *arrangement) another(state string) *arrangement {
	other := *a
	other.options.State = state
	return &other
}

// arrangeLayout creates a destination with a layout.
func arrangeLayout(t *testing.T, name string) *arrangement {
	t.Helper()
	a := arrange(t, layouts[name])
	if name == "a folder" {
		a.destination, a.memory = filepath.Join(t.TempDir(), "out"), nil
	}
	return a
}

// Two machines publish to one destination, each with its own record. One is interrupted,
// the other takes over, and then the first one publishes again.
func TestAnInterruptedPublishTrustsNoLaterUploadsOfAnotherMachine(t *testing.T) {
	for name := range layouts {
		t.Run(name, func(t *testing.T) {
			a := arrangeLayout(t, name)
			other := a.another(t.TempDir())
			one, two := newShelf(t, filepath.Join(t.TempDir(), "one")), newShelf(t, filepath.Join(t.TempDir(), "two"))
			a.publish(t, one)
			one.docs["api/v1/marketplace/articles/news.json"] = "changed"
			one.build(t)
			killed(t, a, one, 3)
			// A list shows a new company.
			two.docs["api/v1/marketplace/articles.json"] = `{"items":["initech"]}`
			two.build(t)
			other.publish(t, two)
			// The new company is removed, so the list is as the first machine published it.
			a.publish(t, one)
			a.holds(t, one)
		})
	}
}

// In the reverse case, a machine that published completely continues after another one was
// killed before it wrote the description of its release.
func TestAnUnfinishedPublishOfAnotherMachineIsNotTakenAsPublished(t *testing.T) {
	for name := range layouts {
		t.Run(name, func(t *testing.T) {
			for _, same := range []string{"another release", "the same release"} {
				t.Run(same, func(t *testing.T) {
					a := arrangeLayout(t, name)
					other := a.another(t.TempDir())
					one, two := newShelf(t, filepath.Join(t.TempDir(), "one")), newShelf(t, filepath.Join(t.TempDir(), "two"))
					if same == "the same release" { // so that both records are complete
						two = one
						other.publish(t, two)
					}
					a.publish(t, one)
					list := "api/v1/marketplace/articles.json"
					was := two.docs[list]
					two.docs[list] = `{"items":["initech"]}`
					two.build(t)
					killedLast(t, other, two)
					// The new company is removed, so the list is as it was published
					// before.
					one.docs[list] = was
					one.build(t)
					a.publish(t, one)
					a.holds(t, one)
				})
			}
		})
	}
}

func TestStubsOfAKilledMachineAreFound(t *testing.T) {
	for name, arranged := range destinations {
		t.Run(name, func(t *testing.T) {
			a := arranged(t)
			one, other, two := removedElsewhere(t, a)
			killedLast(t, other, two)
			one.docs[companies+"acme.json"] = "changed"
			one.build(t)
			if _, err := a.publisher(t).Publish(t.Context(), one.tree, nil); !errors.As(err, new(*stub.UnexplainedError)) {
				t.Errorf("it ends with %v", err)
			}
			if _, back := a.stands(t)[companies+"acme.json"]; back {
				t.Error("the removed company is back")
			}
		})
	}
}

// Several machines with their own records share a destination and the removals. They
// publish in turn, and any may be killed at any step.
func TestAnySequenceOfMachinesAndKillsEndsWithTheLastRelease(t *testing.T) {
	for _, name := range []string{"a bucket", "a folder"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				dir, err := os.MkdirTemp(t.TempDir(), "")
				if err != nil {
					r.Fatal(err)
				}
				defer os.RemoveAll(dir)
				a := arrange(t, Options{State: filepath.Join(dir, "var"), Requests: Requests{Parallel: 2}})
				if name == "a folder" {
					a.destination, a.memory = filepath.Join(dir, "out"), nil
				}
				a.removals = catalog.NewRemovals([]catalog.Removal{{ID: "acme", Slug: "acme", Undone: time.Now().Add(time.Hour)}})
				machines := []*arrangement{a, a.another(filepath.Join(dir, "other"))}
				s := newShelf(r, dir)
				machine := func() *arrangement { return machines[rapid.IntRange(0, 1).Draw(r, "machine")] }
				for range rapid.IntRange(1, 6).Draw(r, "steps") {
					switch rapid.IntRange(0, 3).Draw(r, "change") {
					case 0:
						list := rapid.SampledFrom([]string{`{"items":[]}`, `{"items":["initech"]}`}).Draw(r, "list")
						s.docs["api/v1/marketplace/articles.json"] = list
						s.build(r)
					case 1:
						s.remove(r, "acme")
					case 2:
						s.gone = map[string]bool{}
						s.build(r)
					case 3:
						// These are pages of lists, and pictures, whose names are digests.
						for _, file := range []string{listPage("0f"), listPage("1e"), picture("globex")} {
							if delete(s.docs, file); rapid.Bool().Draw(r, file) {
								s.docs[file] = written("pages/"+strings.TrimSuffix(path.Base(file), ".json"), "acme")
							}
						}
						s.build(r)
					}
					if rapid.Bool().Draw(r, "is killed") {
						killed(r, machine(), s, rapid.Int64Range(1, 60).Draw(r, "steps before the kill"))
					} else {
						machine().publish(r, s)
					}
				}
				machine().publish(r, s)
				a.holds(r, s)
			})
		})
	}
}

// listPage is a page of the list of companies, which does not show which company it belongs
// to.
func listPage(begin string) string {
	return companies + "pages/" + strings.Repeat(begin, 16) + ".json"
}

// killedLast publishes with a Publisher that dies before its last step, the description of
// the release.
func killedLast(t *testing.T, a *arrangement, s *shelf) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dies := *a
	dies.options.Progress = func(done, total int) {
		if done == total-1 {
			cancel()
		}
	}
	if _, err := dies.publisher(t).Publish(ctx, s.tree, a.removals); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ends with %v", err)
	}
}

// Each key is deleted in turn, including twins and stubs.
func TestFilesDeletedAtADestinationAreUploadedAgainAfterAListing(t *testing.T) {
	for name := range layouts {
		t.Run(name, func(t *testing.T) {
			a := arrangeLayout(t, name)
			s := newShelf(t, t.TempDir())
			s.remove(t, "acme")
			a.publish(t, s)
			a.options.Adopt = true
			if report := a.publish(t, s); report.Uploaded+report.Deleted > 0 {
				t.Errorf("where all is there %d are uploaded and %d deleted", report.Uploaded, report.Deleted)
			}
			for key := range a.stands(t) {
				p := a.publisher(t)
				if err := p.store.remove(t.Context(), key); err != nil {
					t.Fatal(err)
				}
				if plan, err := p.Plan(t.Context(), s.tree, nil); err != nil || len(plan.Steps) == 0 {
					t.Errorf("%s is deleted, and a dry run tells %v and %v", key, plan.Steps, err)
				}
				a.publish(t, s)
				a.holds(t, s)
			}
		})
	}
}
